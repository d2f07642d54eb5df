// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "kernels/runs/counters.h"
#include "kernels/runs/fidelity.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/words.h"

namespace tileloom::runs {
namespace {

std::string marker(Counted counted, std::string_view which) {
  return fmt::format("<!-- made by `tileloom fidelity{}`: {} -->\n",
                     counted == Counted::Executed ? " --executed" : "", which);
}

// Comparisons are of stages that exist.
std::string tileOf(const RunRecord& run) {
  return tileText(*stageOfEitherLadder(run.stage), run.tile);
}

// Rungs in their order, the tensor ladder's after the others.
std::pair<Ladder, int> placeOf(const RunRecord& run) {
  const Stage& stage = *stageOfEitherLadder(run.stage);
  return {stage.ladder, stage.rung};
}

std::string words(std::string_view key) {
  std::string text(key);
  std::ranges::replace(text, '_', ' ');
  return text;
}

struct StageCount {
  std::pair<Ladder, int> place;
  std::set<std::string> tiles;
  int launches = 0, equal = 0, arbitration = 0, other = 0;
};

// The device's and the driver's words go into a document: nothing in them may become a link, a tag
// or the mark at which this text ends.
std::string literal(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*[]<>|~&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string machineText(std::span<const Comparison> comparisons) {
  const auto [first, last] = std::ranges::minmax(
      comparisons, {}, [](const Comparison& c) -> const std::string& { return c.run->when; });
  const RunRecord& run = *first.run;
  const std::string from = first.run->when.substr(0, 10), to = last.run->when.substr(0, 10);
  return fmt::format(
      "Counted on one {} ({}), driver {}, kernels compiled by NVRTC {}, counters read through "
      "CUPTI, "
      "{}{}.\n",
      literal(run.device), literal(run.arch), run.driver.empty() ? "unknown" : literal(run.driver),
      literal(run.cuda), literal(from), from == to ? "" : " to " + literal(to));
}

// The launches that could not be executed, by rung and reason.
std::string notExecuted(std::span<const Comparison> comparisons) {
  std::map<std::pair<std::pair<Ladder, int>, std::string>, int> reasons;
  for (const Comparison& c : comparisons)
    if (!c.whyNot.empty()) ++reasons[{placeOf(*c.run), c.run->stage + ": " + c.whyNot}];
  if (reasons.empty()) return {};
  std::string text = "\nLaunches that were not executed:\n\n";
  for (const auto& [why, launches] : reasons)
    text += fmt::format("* {} of {}.\n", launches, why.second);
  return text;
}

}  // namespace

std::string fidelityText(std::span<const Comparison> given, Counted counted) {
  const std::string without = notExecuted(given);
  std::vector<Comparison> comparisons;
  std::ranges::copy_if(given, std::back_inserter(comparisons),
                       [](const Comparison& c) { return c.whyNot.empty(); });
  if (comparisons.empty()) return "Nothing was counted.\n" + without;
  std::ranges::stable_sort(comparisons, {}, [](const Comparison& c) {
    const Problem& p = c.run->problem;
    return std::tuple(placeOf(*c.run), tileOf(*c.run), p.m, p.n, p.k);
  });
  std::map<std::string, StageCount> byStage;
  StageCount all;
  int counters = 0, equalCounters = 0;
  bool stale = false;
  for (const Comparison& c : comparisons) {
    StageCount& count = byStage[c.run->stage];
    count.place = placeOf(*c.run);
    count.tiles.insert(tileOf(*c.run));
    for (StageCount* sum : {&count, &all}) {
      sum->launches += 1;
      sum->equal += c.equal() ? 1 : 0;
      sum->arbitration += c.onlyArbitration() ? 1 : 0;
      sum->other += c.equal() || c.onlyArbitration() ? 0 : 1;
    }
    counters += c.compared;
    equalCounters += c.compared - static_cast<int>(c.differences.size());
    stale = stale || c.stale;
  }
  std::vector<std::pair<std::string, StageCount>> rows(byStage.begin(), byStage.end());
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.second.place; });

  std::string text = machineText(comparisons);
  text += fmt::format(
      "\n**{} of {} launches agree in every counter.** {} more differ only by arbitration between "
      "accesses; {} differ for other reasons. Of the compared counters, {} of {} are equal. {}\n\n",
      all.equal, all.launches, all.arbitration, all.other, grouped(std::uint64_t(equalCounters)),
      grouped(std::uint64_t(counters)), kArbitration);
  text += "| rung | stage | tiles | launches | equal | only arbitration | other reasons |\n";
  text += "|---:|---|---:|---:|---:|---:|---:|\n";
  for (const auto& [id, c] : rows) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", rungLabel(*stageOfEitherLadder(id)),
                    id, c.tiles.size(), c.launches, c.equal, c.arbitration, c.other);
  }
  if (stale) {
    text +=
        "\nStages whose source has changed since they were counted are marked \"older source\" "
        "below, except where the old counts still equal the trace.\n";
  }
  text += without;
  if (all.equal == all.launches) return text;
  text += fmt::format("\n| stage and tile | size | counter | hardware | {} | why |\n",
                      counted == Counted::Executed ? "executed" : "trace");
  text += "|---|---|---|---:|---:|---|\n";
  for (const Comparison& c : comparisons) {
    for (const Difference& d : c.differences) {
      text += fmt::format("| {} {}{} | {} | {} | {} | {} | {} |\n", c.run->stage, tileOf(*c.run),
                          c.stale ? " (older source)" : "", toString(c.run->problem),
                          words(specOf(d.counter).key), grouped(d.hardware), grouped(d.trace),
                          sentence(d.reason));
    }
  }
  return text;
}

std::string withFidelityText(std::string_view document, std::string_view text, Counted counted) {
  const std::string first = marker(counted, "begin"), last = marker(counted, "end");
  const std::string part = first + std::string(text) + last;
  const std::size_t begin = document.find(first), end = document.find(last);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return part;
  return fmt::format("{}{}{}", document.substr(0, begin), part, document.substr(end + last.size()));
}

}  // namespace tileloom::runs
