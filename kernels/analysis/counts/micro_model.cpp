// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/micro_model.h"

#include <algorithm>

#include "kernels/analysis/memory/wavefronts.h"
#include "kernels/sass/register_banks.h"
#include "kernels/tile/architecture.h"

namespace tileloom::analysis {
namespace {

using sass::Decoded;
using sass::Effect;

constexpr double kSchedulers = Architecture::kPartitions;

// `turn` repeated `times` times, as lines of a source in which all loads are alike.
sass::Listing repeated(const sass::Listing& turn, int times) {
  sass::Listing all;
  for (int i = 0; i < times; ++i)
    for (sass::Instruction instruction : turn.instructions) {
      instruction.line = 1;
      all.instructions.push_back(std::move(instruction));
    }
  return all;
}

// Cycles that an iteration loses after an earlier one.
double lostPerTurn(const sass::MicroCase& which) {
  constexpr int kBefore = 1, kCounted = 3;
  sass::PairedLoads loads;
  loads.note(1, paired(which.addresses));
  const sass::Listing turn = listingOf(which);
  const std::size_t size = turn.instructions.size();
  const sass::Listing all = repeated(turn, kBefore + kCounted);
  const auto lost = sass::lostCycles(all, {0, all.instructions.size()}, loads);
  int sum = 0;
  for (std::size_t i = kBefore * size; i < lost.size(); ++i) sum += lost[i].cycles();
  return static_cast<double>(sum) / kCounted;
}

double wavefrontsPerTurn(const sass::MicroCase& which) {
  std::array<std::uint32_t, 32> words = bytesOf(which.addresses);
  for (std::uint32_t& word : words) word /= 4;
  double sum = 0;
  for (const Decoded& slot : which.code) {
    const bool store = slot.effect() == Effect::SharedStore;
    if (!store && slot.effect() != Effect::SharedLoad) continue;
    // An access that is never executed takes a cycle of the pipe, too.
    const bool never = slot.guard == sass::Guard{sass::kTruePredicate, true};
    if (never) {
      sum += 1;
      continue;
    }
    constexpr std::uint32_t kAllLanes = ~0u;
    const std::uint32_t wordsPerLane = static_cast<std::uint32_t>(slot.bytes()) / 4;
    sum += wavefronts(words, kAllLanes, wordsPerLane, store).count;
  }
  return sum;
}

}  // namespace

double predictedCycles(const sass::MicroCase& which) {
  constexpr double kBranch = 1;  // cycles that the iteration takes longer than its instructions
  const double issue = static_cast<double>(turnOf(which).size()) + kBranch + lostPerTurn(which);
  return std::max(issue, kSchedulers * wavefrontsPerTurn(which)) / sass::MicroCase::kSlots;
}

double comparableCycles(const sass::MicroResult& measured) {
  constexpr auto kTwoWarps = std::size_t{1};
  static_assert(sass::kMicroWarps[kTwoWarps] == 2);
  return measured.cycles[kTwoWarps];
}

}  // namespace tileloom::analysis
