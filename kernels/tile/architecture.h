// SPDX-License-Identifier: GPL-3.0-or-later
// The table of GPU architectures, for those that are not present. A present device is asked
// instead.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom {

struct Architecture {
  std::string_view name;  // "sm_90"
  int major = 0;
  int minor = 0;
  int warpsPerSm = 0;
  int blocksPerSm = 0;
  int sharedPerSm = 0;     // bytes
  int sharedPerBlock = 0;  // bytes, with the opt-in
  int fmasPerCycle = 0;    // FP32 multiply-adds that one SM starts in a cycle
  // Multiply-adds of 16-bit factors with FP32 sums that the tensor cores of one SM make in a cycle,
  // dense: on the fastest chip of this capability, and on the slowest one.
  int tensorPerCycle = 0;
  int tensorPerCycleLeast = 0;

  // What all of them have in common.
  static constexpr int kThreadsPerBlock = 1024;
  static constexpr int kRegistersPerThread = 255;
  static constexpr int kRegistersPerBlock = 65536;
  static constexpr int kRegistersPerPartition = 16384;
  static constexpr int kPartitions = 4;
  static constexpr int kRegisterUnit = 256;     // allocated a warp, in registers
  static constexpr int kSharedUnit = 128;       // bytes
  static constexpr int kSharedReserved = 1024;  // bytes per block, taken by the driver
  // Bytes of an SM's shared memory that a block takes which has so many of its own.
  static constexpr int sharedOfBlock(int bytes) {
    return (bytes + kSharedReserved + kSharedUnit - 1) / kSharedUnit * kSharedUnit;
  }
  static constexpr int kStaticShared = 48 * 1024;  // above this the block needs an opt-in
};

std::span<const Architecture> architectures();

// "sm_90", "90" or "9.0"; the error lists what there is.
tl::expected<Architecture, std::string> architectureNamed(std::string_view text);

// FP32 multiply-adds that one SM of this compute capability starts in a cycle. Where the table
// lacks the capability: as many as with the next older one of the table.
int fmasPerCycle(int major, int minor);

// The same of tensor cores, with 16-bit factors and FP32 sums: `tensorPerCycle` of the table. 0:
// there are none for bf16 (before 8.0).
int tensorPerCycle(int major, int minor);
// 0 as well where the chips of one capability differ: nobody can tell the rate from it.
int knownTensorPerCycle(int major, int minor);

// The architecture that is assumed where nobody names one: that of the recorded runs.
const Architecture& defaultArchitecture();

// The device that the recorded runs are of, and how many SMs it has (as its driver says).
inline constexpr std::string_view kReferenceDevice = "NVIDIA H100 80GB HBM3";
inline constexpr int kReferenceSms = 132;

}  // namespace tileloom
