// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/machine/phase_barrier.h"

namespace tileloom::machine {

std::optional<std::uint32_t> PhaseBarrier::arrive(Ticks at, const Cause& cause) {
  --pending_;
  contribute(at, cause);
  return endIfComplete();
}

std::optional<std::uint32_t> PhaseBarrier::bring(std::int64_t bytes, Ticks at, const Cause& cause) {
  bytes_ -= bytes;
  contribute(at, cause);
  return endIfComplete();
}

const PhaseBarrier::End* PhaseBarrier::end(std::uint32_t phase) const {
  return phase < ends_.size() ? &ends_[phase] : nullptr;
}

void PhaseBarrier::contribute(Ticks at, const Cause& cause) {
  if (at >= last_.at) last_ = {at, cause};
}

std::optional<std::uint32_t> PhaseBarrier::endIfComplete() {
  if (count_ == 0 || pending_ != 0 || bytes_ != 0) return std::nullopt;
  ends_.push_back(last_);
  last_ = {};
  pending_ = count_;
  return static_cast<std::uint32_t>(ends_.size() - 1);
}

}  // namespace tileloom::machine
