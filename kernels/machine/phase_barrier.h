// SPDX-License-Identifier: GPL-3.0-or-later
// An mbarrier: a phase ends when all arrivals have come, and all bytes that arrivals have
// announced. The next phase begins at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/machine/cause.h"

namespace tileloom::machine {

class PhaseBarrier {
 public:
  PhaseBarrier() = default;
  explicit PhaseBarrier(std::uint32_t arrivals) : count_(arrivals), pending_(arrivals) {}

  // The present phase also waits for these bytes.
  void announce(std::int64_t bytes) { bytes_ += bytes; }
  // Both return the number of the phase, from 0, if they end it.
  std::optional<std::uint32_t> arrive(Ticks at, const Cause& cause);
  std::optional<std::uint32_t> bring(std::int64_t bytes, Ticks at, const Cause& cause);

  struct End {
    Ticks at = 0;
    Cause cause;  // what came last
  };
  const End* end(std::uint32_t phase) const;  // nullptr: it has not ended
  std::size_t ended() const { return ends_.size(); }
  // What the present phase lacks.
  std::int64_t lackingArrivals() const { return pending_; }
  std::int64_t lackingBytes() const { return bytes_; }

 private:
  void contribute(Ticks at, const Cause& cause);
  std::optional<std::uint32_t> endIfComplete();

  std::uint32_t count_ = 0;  // 0: it has not been initialised
  std::int64_t pending_ = 0, bytes_ = 0;
  End last_;
  std::vector<End> ends_;
};

}  // namespace tileloom::machine
