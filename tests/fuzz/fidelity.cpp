// SPDX-License-Identifier: GPL-3.0-or-later
// What `tileloom fidelity --from FILE --out DOCUMENT` makes of runs and of an earlier document:
// Markdown without control characters, and the same document if it is made again. A zero byte
// separates the document from the runs.
#include "kernels/runs/fidelity.h"

#include "kernels/runs/run_store.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

using runs::RunRecord;

// A trace takes long: at most two runs, of small problems.
std::vector<RunRecord> quickOnes(std::string_view text) {
  constexpr std::size_t kMost = 2;
  constexpr std::int64_t kMostSteps = 4096;
  std::vector<RunRecord> quick;
  for (const RunRecord& run : runs::parseRuns(text, "counters.jsonl").runs) {
    const Problem& p = run.problem;
    if (std::int64_t{1} * p.m * p.n > kMostSteps || std::int64_t{1} * p.n * p.k > kMostSteps ||
        std::int64_t{1} * p.m * p.k > kMostSteps || quick.size() == kMost)
      continue;
    quick.push_back(run);
  }
  return quick;
}

void requireMarkdown(std::string_view text) {
  require(text.ends_with('\n'), "the text ends in a newline");
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    requirePlain(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void attack(std::string_view bytes) {
  const Halves halves = halvesOf(bytes);
  const auto measured = quickOnes(halves.second);
  const std::string text = runs::fidelityText(runs::compareWithTrace(measured));
  requireMarkdown(text);
  const std::string once = runs::withFidelityText(halves.first, text);
  require(once.find(text) != once.npos, "the document holds the text");
  require(runs::withFidelityText(once, text) == once, "the document stays if it is made again");
  // The position of the text does not change, whatever is written there.
  const std::string other = runs::withFidelityText(once, "Nothing was counted.\n");
  require(runs::withFidelityText(other, text) == once, "a document has one place for the text");
}

}  // namespace tileloom::fuzz
