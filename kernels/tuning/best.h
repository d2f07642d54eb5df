// SPDX-License-Identifier: GPL-3.0-or-later
// The best-known tile of each rung on each device, by driver and source: what tuning found there.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/runs/run_record.h"

namespace tileloom::tuning {

struct BestTile {
  runs::RunRecord run;   // the leader's, as measured in the finals
  std::size_t tied = 1;  // tiles that could not be told apart, this one among them
  int shards = 1;        // above 1: of one part of the space only
};

// $XDG_DATA_HOME/tileloom/best.jsonl, or ~/.local/share/tileloom/best.jsonl: a run record a line,
// with "tied" and "shards".
std::filesystem::path defaultBestFile();

// The error: the file cannot be read. Broken lines are passed over: the next tuning makes a new
// one.
tl::expected<std::vector<BestTile>, std::string> readBest(const std::filesystem::path& file);
tl::expected<void, std::string> appendBest(const std::filesystem::path& file, const BestTile& best);

// What the default tile of a rung is where `device` and `driver` measure today's source: the tile
// tuned for this size, else for the size that is nearest by its multiply-adds; of one size the
// latest. A tile that this build would refuse is none.
struct Here {
  std::string_view device, driver;
};
std::optional<BestTile> bestTile(std::span<const BestTile> all, const Stage& stage,
                                 const Problem& problem, const Here& here);

// "tile tuned on this device, 2026-11-21, for 4096x4096x4096"
std::string tunedText(const BestTile& best);

}  // namespace tileloom::tuning
