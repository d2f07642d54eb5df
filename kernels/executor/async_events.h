// SPDX-License-Identifier: GPL-3.0-or-later
// What an executor reports of Hopper's asynchronous work: copies of TMA, mbarriers, wgmma, and
// barriers of a cluster. Each is executed at its issue; what the hardware may do later is for the
// receiver to judge.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/executor/launch.h"

namespace tileloom::executor {

// The instruction of a warp.
struct Issue {
  std::uint32_t block = 0;   // its number in the grid, x first
  std::uint32_t rank = 0;    // of the block in its cluster
  std::uint32_t warp = 0;    // of the block
  std::uint32_t number = 0;  // of the instruction in the kernel, from 0
};

// UTMALDG, UTMASTG. The map is valid during the call.
struct BoxCopy {
  Issue issue;
  const TensorMap* map = nullptr;
  bool store = false;
  std::array<std::int32_t, TensorMap::kMostDimensions> first{};  // element of the tensor
  std::uint32_t shared = 0;                                      // bytes, in the block `owner`
  std::uint32_t owner = 0;                                       // rank; of a load without a mask
  std::uint32_t barrier = 0;  // of a load: the mbarrier that counts its bytes
  bool multicast = false;     // the instruction has a mask
  std::uint32_t ranks = 1;    // of a load: the receiving blocks, a bit each
};

// UBLKCP, UBLKRED: bytes in a row.
struct BulkCopy {
  Issue issue;
  bool fromGlobal = false, toGlobal = false, adds = false;
  std::uint64_t from = 0, to = 0;  // of shared memory with the rank in bits 24 to 31
  std::uint32_t bytes = 0;
  std::uint32_t barrier = 0;  // unless it writes global memory
};

enum class BarrierAction : std::uint8_t { Start, Arrive, PhaseEnd, WaitEnd, Invalidate };
struct BarrierUse {
  Issue issue;
  BarrierAction action = BarrierAction::Start;
  std::uint32_t at = 0;        // bytes, in the shared memory of the block `owner`
  std::uint32_t owner = 0;     // rank
  std::uint32_t arrivals = 0;  // of Start: that end each phase
  std::int64_t bytes = 0;      // that an arrival expects; negative: bytes that have arrived
  std::uint32_t phase = 0;     // 0 or 1: that the action belongs to
};

// A warp's part of a wgmma: 16 of 64 rows.
struct GroupProduct {
  Issue issue;
  std::uint64_t a = 0, b = 0;           // matrix descriptors
  bool registersA = false;              // A is in registers, and `a` means nothing
  bool alongM = false, alongN = false;  // the rows of A are along m, and those of B along n
  bool keep = true;                     // false: the sums start at 0
  std::uint32_t columns = 0, depth = 0, elementBytes = 2;
  std::uint32_t firstA = 0;  // the first register of A
  std::uint32_t sums = 0;    // the first register of its results
  std::uint32_t count = 0;   // registers
};

enum class ClusterAction : std::uint8_t { Arrive, WaitEnd };
struct ClusterMeeting {
  Issue issue;
  ClusterAction action = ClusterAction::Arrive;
};

}  // namespace tileloom::executor
