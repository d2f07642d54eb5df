// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/busy.h"

#include <algorithm>

namespace tileloom::timeline {
namespace {

using machine::cyclesOf;
using machine::Ticks;

constexpr Ticks kBin = 64 * machine::kCycle;

}  // namespace

void Busy::occupy(Unit unit, const machine::Passage& time, double share) {
  if (time.end <= time.begin) return;
  auto& bins = bins_[static_cast<std::size_t>(unit)];
  for (Ticks bin = time.begin / kBin; bin * kBin < time.end; ++bin) {
    if (bins.size() <= std::size_t(bin)) bins.resize(std::size_t(bin) * 2 + 64, 0.0F);
    const Ticks part = std::min(time.end, (bin + 1) * kBin) - std::max(time.begin, bin * kBin);
    bins[std::size_t(bin)] += static_cast<float>(share * double(part) / double(kBin));
  }
}

void Busy::work(Unit unit, const Operation& op, double cycles) {
  if (op.kTile == emulator::kNoTile) return;
  if (perTurn_.size() <= op.kTile) perTurn_.resize(op.kTile + 1);
  perTurn_[op.kTile][static_cast<std::size_t>(unit)] += cycles;
}

void Busy::deliver(const Operation& op, double cycles) {
  if (op.brings != emulator::kNoTile) delivered_ += cycles;
}

void Busy::passSectors(const Operation& op, double cycles) {
  if (op.brings != emulator::kNoTile) sectors_ += cycles;
}

std::array<Curve, kUnits> Busy::curves(Ticks end) const {
  std::array<Curve, kUnits> curves;
  for (std::size_t u = 0; u < kUnits; ++u) {
    std::vector<float> share = bins_[u];
    share.resize(std::min<std::size_t>(share.size(), std::size_t(end / kBin + 1)));
    // Operands pass through the data pipe beside its queue.
    for (float& each : share) each = std::min(each, 1.0F);
    curves[u] = {cyclesOf(kBin), std::move(share)};
  }
  return curves;
}

std::array<double, kUnits> Busy::perTile(std::uint32_t from, std::uint32_t to,
                                         std::uint32_t loaded) const {
  std::array<double, kUnits> cycles{};
  const double turns = to - from;
  for (std::uint32_t turn = from; turn < to && turn < perTurn_.size(); ++turn) {
    for (std::size_t u = 0; u < kUnits; ++u) cycles[u] += perTurn_[turn][u] / turns;
  }
  cycles[static_cast<std::size_t>(Unit::Shared)] += sectorsPerTile(loaded);
  cycles[static_cast<std::size_t>(Unit::L2)] = delivered_ / loaded;
  return cycles;
}

}  // namespace tileloom::timeline
