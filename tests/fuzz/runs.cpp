// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in a file, and recordings, which have the same format: runs that are read can be kept line
// by line and all together, and read back as the same.
#include <algorithm>

#include "kernels/runs/run_store.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

using runs::RunRecord;

std::vector<std::string> sortedLines(std::span<const RunRecord> runs) {
  std::vector<std::string> lines;
  for (const RunRecord& run : runs) lines.push_back(runs::toLine(run));
  std::ranges::sort(lines);
  return lines;
}

}  // namespace

void attack(std::string_view bytes) {
  const auto file = runs::parseRuns(bytes, "runs.jsonl");
  for (const std::string& complaint : file.complaints) requireSentence(complaint);
  require(file.complaints.empty() == (file.broken == 0), "broken lines are complained of");
  for (const RunRecord& run : file.runs) {
    const std::string line = runs::toLine(run);
    requirePlainLine(line);
    const auto again = runs::fromLine(line);
    require(again && runs::toLine(*again) == line, "a run is written in the same way again");
  }
  const auto compact = runs::parseRuns(runs::compactText(file.runs), "compact.jsonl");
  require(compact.broken == 0 && sortedLines(compact.runs) == sortedLines(file.runs),
          "a compact text holds the same runs");
  if (const auto run = runs::fromLine(bytes); !run) requireSentence(run.error());
}

}  // namespace tileloom::fuzz
