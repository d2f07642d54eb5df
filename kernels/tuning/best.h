// SPDX-License-Identifier: GPL-3.0-or-later
// The best-known tile of each rung on each device, by driver and source, as tuning found it there.
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
  runs::RunRecord run;   // of the fastest tile, as measured in the finals
  std::size_t tied = 1;  // number of tiles that could not be told apart, with this one
  int shards = 1;        // above 1: only one part of the space was searched
};

// $XDG_DATA_HOME/tileloom/best.jsonl, or ~/.local/share/tileloom/best.jsonl: one run record per
// line, with the additional keys "tied" and "shards".
std::filesystem::path defaultBestFile();

std::string toLine(const BestTile& best);  // no newline

// The only error is that the file cannot be read. Broken lines are skipped, because the next tuning
// writes a new one.
tl::expected<std::vector<BestTile>, std::string> readBest(const std::filesystem::path& file);
std::vector<BestTile> parseBest(std::string_view text);
tl::expected<void, std::string> appendBest(const std::filesystem::path& file, const BestTile& best);

// The tile to use by default for a rung, in one of its formats, on `device`
// with `driver` and the present source: the tile that was tuned for this size, else for the size
// with the nearest number of multiply-adds; of several for one size the latest. Tiles that this
// build would refuse do not count.
struct Here {
  std::string_view device, driver;
};
std::optional<BestTile> bestTile(std::span<const BestTile> all, const Stage& stage,
                                 const Problem& problem, const Here& here, Format format);

// "tile tuned on this device, 2026-11-21, for 4096x4096x4096"
std::string tunedText(const BestTile& best);

}  // namespace tileloom::tuning
