// SPDX-License-Identifier: GPL-3.0-or-later
// What tuning runs in journals come to, without searching anew; several shards of one run as one.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tuning/journal.h"

namespace tileloom::tuning {

// generated -> legal -> compiled without spills -> timed
struct Funnel {
  std::uint64_t generated = 0;
  std::uint64_t legal = 0;
  std::uint64_t candidates = 0;  // of the legal ones, those of the shards that are summed up
  std::size_t compiled = 0;
  std::size_t spilling = 0;  // of the compiled ones; out unless spills are kept
  std::size_t timed = 0;
  std::size_t failed = 0;  // for another reason than spills
};

struct TuneSummary {
  TuneHeader header;  // of the first journal
  Funnel funnel;
  std::vector<TileShape> tiles;          // that have a record; Standing::candidate counts these
  std::vector<runs::RunRecord> records;  // of each tile the latest, its figure that of its Standing
  Verdict verdict;
  std::vector<std::pair<TileShape, std::string>> failures;
  std::size_t jobs = 0;     // measurements
  double seconds = 0;       // that they took
  std::vector<int> shards;  // that are in it, ascending
  bool ended = false;       // all of them
};

// One journal, or the shards of one run. The error names the file that does not belong with the
// first: another device, driver, NVRTC, source, size, stage or options, or a shard that is there
// twice.
tl::expected<TuneSummary, std::string> summaryOf(std::span<const TuneLog> logs,
                                                 std::span<const std::string> names);

}  // namespace tileloom::tuning
