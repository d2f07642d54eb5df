// SPDX-License-Identifier: GPL-3.0-or-later
// A tuning journal that can be read is written as one that reads back as the same, and journals of
// one run are summarised or refused with a sentence. A zero byte separates two journals.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/tuning/journal.h"
#include "kernels/tuning/tune_summary.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

using tuning::TuneLog;

constexpr const char* kName = "tune.jsonl";

std::string written(const TuneLog& log) {
  std::string text = toJson(log.header).dump() + '\n';
  for (std::size_t i = 0; i < log.events.size(); ++i)
    text += tuning::toLines(log.header, log.tiles[i], log.events[i]);
  return text;
}

void requireLines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    requirePlainLine(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

void summed(std::span<const TuneLog> logs) {
  const std::string names[] = {"first.jsonl", "second.jsonl"};
  const auto sum = tuning::summaryOf(logs, std::span(names).first(logs.size()));
  if (!sum) return requireSentence(sum.error());
  require(sum->tiles.size() == sum->records.size(), "every tile that counts has a record");
  for (const tuning::Standing& standing : sum->verdict.standings) {
    require(standing.candidate < sum->tiles.size(), "a standing is of a tile");
    require(std::isfinite(standing.gflops.median), "a standing has a finite figure");
  }
  for (const auto& [tile, failure] : sum->failures) requirePlain(failure);
}

}  // namespace

void attack(std::string_view bytes) {
  const Halves halves = halvesOf(bytes);
  std::vector<TuneLog> logs;
  for (const std::string_view text : {halves.first, halves.second}) {
    const auto log = tuning::parseJournal(text, kName);
    if (!log) {
      requireSentence(log.error());
      continue;
    }
    require(log->whole <= text.size(), "a journal ends within its text");
    require(log->events.size() == log->tiles.size() && log->events.size() == log->lines.size(),
            "every event has its tile and its line");
    const std::string once = written(*log);
    requireLines(once);
    const auto again = tuning::parseJournal(once, kName);
    require(again && again->whole == once.size(), "a written journal is whole");
    require(again->events.size() == log->events.size() && again->tiles == log->tiles,
            "a journal reads back with the same events");
    require(written(*again) == once, "a journal is written in the same way again");
    summed(std::span(&*log, 1));
    logs.push_back(*log);
  }
  if (logs.size() == 2) summed(logs);
}

}  // namespace tileloom::fuzz
