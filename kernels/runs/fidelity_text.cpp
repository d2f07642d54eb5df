// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "kernels/runs/counters.h"
#include "kernels/runs/fidelity.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/words.h"

namespace tileloom::runs {
namespace {

constexpr std::string_view kBegin = "<!-- made by `tileloom fidelity`: begin -->\n";
constexpr std::string_view kEnd = "<!-- made by `tileloom fidelity`: end -->\n";

// compareWithTrace() keeps only stages that exist.
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

}  // namespace

std::string fidelityText(std::span<const Comparison> counted) {
  if (counted.empty()) return "Nothing was counted.\n";
  std::vector<Comparison> comparisons(counted.begin(), counted.end());
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
  if (all.equal == all.launches) return text;
  text += "\n| stage and tile | size | counter | hardware | trace | why |\n";
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

std::string withFidelityText(std::string_view document, std::string_view text) {
  const std::string part = fmt::format("{}{}{}", kBegin, text, kEnd);
  const std::size_t begin = document.find(kBegin), end = document.find(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return part;
  return fmt::format("{}{}{}", document.substr(0, begin), part, document.substr(end + kEnd.size()));
}

}  // namespace tileloom::runs
