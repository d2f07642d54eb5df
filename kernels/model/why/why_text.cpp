// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/why_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <numeric>

#include "kernels/model/why/stalls.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::model {
namespace {

std::string capital(std::string_view text) {
  std::string sentence(text);
  if (!sentence.empty())
    sentence.front() =
        static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
  return sentence;
}

// Costs with a plural name.
bool isPlural(Cost cost) {
  switch (cost) {
    case Cost::MultiplyAdds:
    case Cost::IssueSlots:
    case Cost::RegisterBanks:
    case Cost::UnevenWarps:
    case Cost::Wavefronts:
    case Cost::BankConflicts:
    case Cost::Sectors:
    case Cost::Spills:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string_view meaning(Cost cost) {
  switch (cost) {
    case Cost::MultiplyAdds:
      return "Each multiply-add of a warp takes one issue slot; this is the work itself.";
    case Cost::IssueSlots:
      return "Loads, stores, addresses and counters take issue slots that multiply-adds could use.";
    case Cost::RegisterBanks:
      return "A multiply-add that needs several registers of one bank waits one cycle for each "
             "further one.";
    case Cost::UnevenWarps:
      return "The number of warps on an SM is not a multiple of its four schedulers, so some "
             "schedulers have one warp more than others.";
    case Cost::InstructionFetch:
      return "The main loop is longer than the instruction cache, so its instructions are fetched "
             "again in each iteration.";
    case Cost::Wavefronts:
      return "The data pipe serves one wavefront of shared memory per cycle.";
    case Cost::BankConflicts:
      return "Words of one bank need one wavefront each, more than the bytes alone would need.";
    case Cost::Sectors:
      return "Data from global memory passes through the data pipe of L1, which shared memory also "
             "uses.";
    case Cost::L2:
      return "L2 delivers a limited number of bytes per cycle.";
    case Cost::Dram:
      return "DRAM delivers a limited number of bytes per cycle.";
    case Cost::Dependences:
      return "A warp waits for results of its own earlier instructions, and too few other warps "
             "have work to hide that.";
    case Cost::GlobalLatency:
      return "Data from global memory must arrive before it is used or stored in shared memory.";
    case Cost::SharedLatency:
      return "The fragments of each k must arrive from shared memory before they are multiplied.";
    case Cost::Barriers:
      return "At each K tile, all warps of a block wait for the last one.";
    case Cost::TailWave:
      return "The last wave of blocks does not fill the GPU. With split-K, partial sums must also "
             "be stored and added.";
    case Cost::Padding:
      return "Elements beyond the edges of the matrices are padding, and they are multiplied too.";
    case Cost::Spills:
      return "The compiler spills registers to local memory. The prediction has no cycles for "
             "that, so the tile is slower than predicted.";
  }
  return "";
}

std::string limitSentence(const WhySlow& why) {
  std::string text = sentence(why.limit);
  if (why.countedLimit)
    text += fmt::format(" According to the counters of a run it is {}.", name(*why.countedLimit));
  return text;
}

namespace {

// "4.07 million"; "20,800" if that would be a small fraction of a million.
std::string manyText(double cycles) {
  constexpr double kMillion = 1e6, kFew = 1e5;
  return cycles < kFew ? wholeText(cycles) : fmt::format("{:.2f} million", cycles / kMillion);
}

}  // namespace

std::string busySentence(const RankedCost& cost) {
  if (!cost.busyCycles || !cost.busyShare) return {};
  // Smaller differences are rounding.
  constexpr double kLess = 0.005;
  std::string text =
      fmt::format("{} is busy with {} for {} cycles, {} of the time",
                  capital(name(*pipeOf(cost.cost))), isPlural(cost.cost) ? "them" : "it",
                  manyText(*cost.busyCycles), percentText(*cost.busyShare));
  if (cost.share < *cost.busyShare - kLess) {
    text += fmt::format(
        "; only {} of the time counts as {} cost, because other pipes are busy and warps wait "
        "during the same cycles",
        percentText(cost.share), isPlural(cost.cost) ? "their" : "its");
  }
  return text + " (predicted).";
}

std::string busySentence(const WhySlow& why) {
  std::array<std::size_t, kPipes> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return why.busy[i]; });
  std::string text;
  for (const std::size_t i : order) {
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ",
                        text.empty() ? capital(name(static_cast<Pipe>(i)))
                                     : std::string(name(static_cast<Pipe>(i))),
                        text.empty() ? "is busy " : "", percentText(why.busy[i]));
    if (i == order.front()) text += " of the time";
  }
  text += " (predicted";
  std::string counted;
  for (const std::size_t i : order) {
    if (why.busyCounted[i])
      counted += fmt::format("{}{}", counted.empty() ? "; from counted values: " : ", ",
                             name(static_cast<Pipe>(i)));
  }
  text += counted + ").";
  // The roofline has another rate: what all SMs together get if each loads lines of its own.
  if (why.l2Bytes > 0)
    text += fmt::format(
        " The share of L2 is of {:.3g} bytes per cycle to each SM; all SMs together reach less, "
        "see roofline.",
        why.l2Bytes);
  return text;
}

std::string countedSentence(Cost cost) {
  const auto reasons = countedAs(cost);
  if (reasons.empty()) return {};
  const bool issued = cost == Cost::MultiplyAdds || cost == Cost::IssueSlots;
  std::string text =
      fmt::format("A GPU's counters show {} as {}warps that wait ", isPlural(cost) ? "them" : "it",
                  issued ? "issued instructions and as " : "");
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (i > 0) text += i + 1 == reasons.size() ? " or " : ", ";
    text += reasons[i];
  }
  return text + '.';
}

std::string figureText(const Figure& figure) {
  return fmt::format("{}: {} ({})", name(figure.id), valueText(figure), name(figure.source));
}

std::string sentence(const WhySlow& why, const RankedCost& cost) {
  const std::string who = capital(name(cost.cost));
  const char* takes = isPlural(cost.cost) ? "take" : "takes";
  std::string text;
  if (cost.cost == Cost::Spills) {
    text = fmt::format("{} bytes of registers per thread are spilled ({}).", why.facts.spillBytes,
                       name(why.facts.source));
  } else if (cost.predictedShare) {
    text = fmt::format("{} {} {} of the time (from counted values; predicted: {}).", who, takes,
                       percentText(cost.share), percentText(*cost.predictedShare));
  } else {
    text = fmt::format("{} {} {} of the time (predicted).", who, takes, percentText(cost.share));
  }
  text += ' ';
  text += meaning(cost.cost);
  if (constexpr double kLeast = 0.0005; cost.cost == Cost::TailWave && why.sumsShare > kLeast)
    text += fmt::format(" These partial sums take {} of the time, places without work the rest.",
                        percentText(std::min(why.sumsShare, cost.share)));
  if (cost.cost == Cost::BankConflicts && cost.source == Source::Counted)
    text += fmt::format(" {}", runs::kArbitration);
  return text;
}

std::string sentence(const NextTile& next) {
  if (next.runRatio) {
    return fmt::format("{} from {} to {}: {:.2f} times the speed ({}; predicted: {:.2f}).",
                       name(next.parameter), next.from, next.value, next.runRatio->speed,
                       next.runRatio->verb(), next.move.speedRatio);
  }
  return fmt::format(
      "{} from {} to {}: {:.2f} times the speed (predicted{}){}.", name(next.parameter), next.from,
      next.value, next.speedRatio(),
      next.facts.source == Source::Guessed ? " with guessed registers" : "",
      next.move.hasCause() ? fmt::format(", because of {}", name(next.move.cause)) : std::string());
}

bool contradicted(const WhyMoved& why) {
  constexpr double kClearly = 0.03;
  const double measured = why.runRatio ? why.runRatio->speed - 1 : 0;
  return std::abs(measured) > kClearly && measured * (why.move.speedRatio - 1) < 0;
}

std::string causeSentence(const WhyMoved& why) {
  if (contradicted(why))
    return "The measured speed moved opposite to the prediction, so the cause is unknown.";
  if (!why.move.hasCause()) return "No cost changed by half a percent of the time.";
  const Cost cause = why.move.cause;
  if (cause == Cost::Spills) {
    return fmt::format("The cause is spilled registers: {} of them are spilled.",
                       why.move.faster ? "fewer" : "more");
  }
  const char* they = isPlural(cause) ? "they" : "it";
  const bool plural = isPlural(cause);
  const std::string what =
      why.move.faster ? fmt::format("{} {} {} off the time", they, plural ? "take" : "takes",
                                    percentText(-why.move.causeShare))
                      : fmt::format("{} {} {} to the time", they, plural ? "add" : "adds",
                                    percentText(why.move.causeShare));
  return fmt::format("The cause is {}: {} ({}).", name(cause), what, name(why.source));
}

std::string sentence(const FigureChange& change) {
  const bool fell = change.to.value < change.from.value;
  const std::string sources =
      change.from.source == change.to.source
          ? std::string(name(change.to.source))
          : fmt::format("{}, then {}", name(change.from.source), name(change.to.source));
  return fmt::format("{} {} from {} to {} ({}).", capital(name(change.from.id)),
                     fell ? "fell" : "rose", valueText(change.from), valueText(change.to), sources);
}

}  // namespace tileloom::model
