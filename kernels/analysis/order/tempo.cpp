// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/tempo.h"

#include <algorithm>
#include <array>

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;

// The work of a section, and the share of its time for each kind if all are present.
enum class Work { Fill, Wait, Fragments, Multiply, Store };
constexpr std::array<double, 5> kShares = {0.30, 0.06, 0.22, 0.42, 0.60};

constexpr double kOutsideLoop = 0.8;  // of a K tile's time, for the prologue and the epilogue each
constexpr double kPassing = 2.0;      // for all skipped K tiles

Work workOf(const emulator::Trace& trace, const Instruction& i) {
  switch (i.kind) {
    case Kind::Fma:
    case Kind::Mma:
    case Kind::Product:
    case Kind::FenceProducts:
    case Kind::CommitProducts:
      return Work::Multiply;
    case Kind::SharedLoad:
    case Kind::MatrixLoad:
      return Work::Fragments;
    case Kind::GlobalLoad:
      if (i.array == emulator::kArrayC) return Work::Store;
      return trace.features().sharedTiles ? Work::Fill : Work::Fragments;
    case Kind::GlobalStore:
    case Kind::BoxStore:
    case Kind::CommitBoxes:
      return Work::Store;
    case Kind::Barrier:
    case Kind::CopyWait:
    case Kind::CopyCommit:
    case Kind::BarrierWait:
    case Kind::WaitProducts:
    case Kind::BarrierArrive:
    case Kind::Meet:
    case Kind::ClusterMeet:
    case Kind::WaitBoxes:
      return Work::Wait;
    default:
      return Work::Fill;
  }
}

}  // namespace

Tempo::Tempo(const emulator::Trace& trace, std::uint32_t warp) {
  std::vector<Instruction> all;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    const auto part = trace.at(warp, interval).instructions;
    all.insert(all.end(), part.begin(), part.end());
  }
  double time = 0;
  bool inLoop = false;
  for (std::size_t first = 0; first < all.size();) {
    const std::uint32_t tile = all[first].kTile;
    std::size_t end = first;
    std::array<std::size_t, kShares.size()> counts{};
    while (end < all.size() && all[end].kTile == tile) {
      ++counts[static_cast<std::size_t>(workOf(trace, all[end]))];
      ++end;
    }
    if (tile == emulator::kNoTile && inLoop && trace.kTilesTraced < trace.kTiles) {
      passFrom_ = time;
      passTo_ = time += kPassing;
      passAt_ = static_cast<std::uint32_t>(first);
    }
    double shares = 0;
    for (std::size_t work = 0; work < counts.size(); ++work)
      shares += counts[work] > 0 ? kShares[work] : 0.0;
    const double length = tile == emulator::kNoTile ? kOutsideLoop : 1.0;
    for (std::size_t i = first; i < end; ++i) {
      const auto work = static_cast<std::size_t>(workOf(trace, all[i]));
      time += length * kShares[work] / shares / static_cast<double>(counts[work]);
      ends_.push_back(time);
    }
    inLoop = inLoop || tile != emulator::kNoTile;
    first = end;
  }
}

std::uint32_t Tempo::indexAt(double time) const {
  if (ends_.empty()) return 0;
  if (passTo_ > passFrom_ && time >= passFrom_ && time < passTo_) return passAt_ - 1;
  const auto at = std::ranges::upper_bound(ends_, time);
  return static_cast<std::uint32_t>(
      std::min<std::ptrdiff_t>(at - ends_.begin(), static_cast<std::ptrdiff_t>(ends_.size()) - 1));
}

double Tempo::startOf(std::uint32_t index) const {
  if (index == 0 || ends_.empty()) return 0;
  if (passTo_ > passFrom_ && index == passAt_) return passTo_;
  return ends_[std::min<std::size_t>(index, ends_.size()) - 1];
}

double Tempo::passed(double time) const {
  if (passTo_ <= passFrom_) return 0;
  return std::clamp((time - passFrom_) / (passTo_ - passFrom_), 0.0, 1.0);
}

}  // namespace tileloom::analysis
