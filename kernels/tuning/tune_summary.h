// SPDX-License-Identifier: GPL-3.0-or-later
// The results of tuning runs, read from their journals without searching again. Several shards of
// one run are summed up as one run.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tile/subject.h"
#include "kernels/tuning/journal.h"

namespace tileloom::tuning {

// generated -> legal -> compiled without spills -> timed
struct Funnel {
  std::uint64_t generated = 0;
  std::uint64_t legal = 0;
  std::uint64_t candidates = 0;  // the legal ones that belong to the shards summed up
  std::size_t compiled = 0;
  std::size_t spilling = 0;  // of the compiled ones; excluded unless spills are kept
  std::size_t timed = 0;
  std::size_t failed = 0;  // for other reasons than spills
};

struct TuneSummary {
  TuneHeader header;  // of the first journal
  Funnel funnel;
  std::vector<Subject> tiles;            // that have a record; Standing::candidate is an index here
  std::vector<runs::RunRecord> records;  // the latest per tile, with the figure of its Standing
  Verdict verdict;
  // The best standing of each stage that has a figure, by rung: indices in verdict.standings.
  std::vector<std::size_t> bestOfStages;
  std::vector<std::pair<Subject, std::string>> failures;
  std::size_t jobs = 0;     // measurements
  double seconds = 0;       // that they took
  std::vector<int> shards;  // that were read, ascending
  bool ended = false;       // all of them have ended
};

// `logs` are one journal or the shards of one run. The error names the file that does not belong to
// the first one, because its device, driver, NVRTC, source, size, stage or options differ or
// because its shard occurs twice.
tl::expected<TuneSummary, std::string> summaryOf(std::span<const TuneLog> logs,
                                                 std::span<const std::string> names);

}  // namespace tileloom::tuning
