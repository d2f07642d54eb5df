// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/agreement.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "kernels/tile/words.h"

namespace tileloom::timeline {
namespace {

using model::Term;

// Parts of the prediction without a counterpart on the clock, and how to name them.
struct Part {
  Term term;
  const char* words;
};
constexpr std::array kParts = {
    Part{Term::Dependences,
         "waiting for a warp's own earlier instructions, for which the clock has only loads, "
         "copies and chains of multiply-adds"},
    Part{Term::Filling,
         "waiting for stores that fill shared memory, for which the clock has only their "
         "wavefronts"},
    Part{Term::Barriers,
         "waiting at barriers that grows with the warps of a block, for which the clock has only "
         "the wait for the last warp"},
    Part{Term::Dram, "DRAM, which the clock has only as a latency"},
};

bool near(double one, double other) {
  return other > 0 && std::abs(one / other - 1) <= kAgrees;
}

}  // namespace

bool Agreement::agrees() const {
  return near(clock, predicted);
}

bool Agreement::explained() const {
  return partCycles > 0 && near(clock, predicted - partCycles);
}

Agreement agreementOf(const Timeline& timeline, const model::Workload& work,
                      const model::Rates& rates) {
  Agreement a;
  a.clock = timeline.cyclesPerTile;
  const model::Prediction p = model::predict(work, rates, rates.chip);
  a.predicted = p.cycles;
  if (a.agrees() || a.clock >= a.predicted) return a;
  // By Euler's theorem the prediction is the sum of its terms times their marginals (terms.h).
  const model::Terms terms = model::termsOf(work, rates, rates.chip, p.resident);
  const model::Terms marginal = model::marginalOf(terms, rates);
  double closest = a.predicted - a.clock;
  for (const Part& part : kParts) {
    const double cycles = terms[part.term] * marginal[part.term];
    const double left = std::abs(a.predicted - cycles - a.clock);
    if (cycles <= 0 || left >= closest) continue;
    closest = left;
    a.part = part.term;
    a.partCycles = cycles;
  }
  return a;
}

std::string sentence(const Agreement& a) {
  const double off = 100 * (a.ratio() - 1);
  std::string text = fmt::format(
      "The clock gives {} cycles per K tile, {:.0f} % {} the prediction's {}", wholeText(a.clock),
      std::abs(off), off < 0 ? "below" : "above", wholeText(a.predicted));
  if (a.agrees()) return text + ".";
  if (off > 0) {
    return text +
           ": its blocks start together and wait for memory together, while in the prediction they "
           "hide each other's waiting.";
  }
  if (a.partCycles <= 0) return text + ": none of the parts that it lacks explains the difference.";
  for (const Part& part : kParts) {
    if (part.term != a.part) continue;
    text += fmt::format(": the prediction counts {} cycles of {}{}.", wholeText(a.partCycles),
                        part.words, a.explained() ? "" : ", which explains a part of it");
  }
  return text;
}

}  // namespace tileloom::timeline
