// SPDX-License-Identifier: GPL-3.0-or-later
// The tensor cores of an SM. An mma.sync is of one warp and occupies the one of its scheduler. A
// wgmma is of a warpgroup and occupies all four; it begins when the last warp of the group has
// issued it, and wgmma of all groups are served one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/machine/pipe.h"
#include "kernels/machine/scheduler.h"

namespace tileloom::machine {

inline constexpr std::uint32_t kWarpgroup = 4;  // warps that issue a wgmma together

// The wgmma of one warpgroup, numbered in the order of their issue.
class Warpgroup {
 public:
  explicit Warpgroup(std::uint32_t warps = kWarpgroup) : warps_(warps) {}

  struct Product {
    std::uint32_t issued = 0;      // number of warps that have issued it
    std::uint32_t wavefronts = 0;  // of operands, for all of them
    Ticks ready = 0;               // when the last one has issued it
    Ticks end = kNever;
  };
  // A warp issues wgmma `number`, until `at`. The result is not null if it is the last one.
  Product* issue(std::uint32_t number, Ticks at, std::uint32_t wavefronts);
  // When wgmma `number` ends; kNever: that is not known yet.
  Ticks end(std::uint32_t number) const;
  std::uint32_t warps() const { return warps_; }

 private:
  std::uint32_t warps_;
  std::vector<Product> products_;
};

class TensorCores {
 public:
  Passage mma(std::size_t scheduler, Ticks at, Ticks length) {
    return ofScheduler_[scheduler].pass(at, length);
  }
  Ticks freeForMma(std::size_t scheduler) const { return ofScheduler_[scheduler].free(); }
  Passage wgmma(Warpgroup::Product& product, Ticks length) {
    const Passage passage = all_.pass(product.ready, length);
    product.end = passage.end;
    return passage;
  }

 private:
  std::array<Pipe, kSchedulers> ofScheduler_;
  Pipe all_;
};

}  // namespace tileloom::machine
