// SPDX-License-Identifier: GPL-3.0-or-later
// The table of GPU architectures, for GPUs that are not present. A present device is queried
// instead.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom {

// mma.sync of 8-bit elements: the architecture has it, or the assembler converts the operands and
// multiplies 16-bit numbers, or 8-bit elements do not exist. A row of the table says which.
enum class EightBitMma : std::uint8_t { Unsaid, None, Converted, Own };

struct Architecture {
  std::string_view name;  // "sm_90"
  int major = 0;
  int minor = 0;
  int warpsPerSm = 0;
  int blocksPerSm = 0;
  int sharedPerSm = 0;     // bytes
  int sharedPerBlock = 0;  // bytes, with the opt-in
  int fmasPerCycle = 0;    // FP32 multiply-adds that one SM starts per cycle
  // Multiply-adds of 16-bit factors with FP32 accumulators that the tensor cores of one SM execute
  // per cycle, dense: on the fastest chip of this capability, and on the slowest one.
  int tensorPerCycle = 0;
  int tensorPerCycleLeast = 0;
  EightBitMma eightBitMma = EightBitMma::Unsaid;

  // What all architectures have in common.
  static constexpr int kThreadsPerBlock = 1024;
  static constexpr int kRegistersPerThread = 255;
  static constexpr int kRegistersPerBlock = 65536;
  static constexpr int kRegistersPerPartition = 16384;
  static constexpr int kPartitions = 4;
  static constexpr int kRegisterUnit = 256;     // allocated a warp, in registers
  static constexpr int kSharedUnit = 128;       // bytes
  static constexpr int kSharedReserved = 1024;  // bytes per block, taken by the driver
  // Bytes of an SM's shared memory that a block with `bytes` of its own takes.
  static constexpr int sharedOfBlock(int bytes) {
    return (bytes + kSharedReserved + kSharedUnit - 1) / kSharedUnit * kSharedUnit;
  }
  static constexpr int kStaticShared = 48 * 1024;  // above this the block needs an opt-in
};

std::span<const Architecture> architectures();

// "sm_90", "90" or "9.0"; the error lists the known ones.
tl::expected<Architecture, std::string> architectureNamed(std::string_view text);

// FP32 multiply-adds that one SM of this compute capability starts per cycle. A capability that the
// table lacks has the rate of the next older one in the table.
int fmasPerCycle(int major, int minor);

// The same for tensor cores, with 16-bit factors and FP32 accumulators: `tensorPerCycle` of the
// table. 0: no tensor cores for bf16 (before 8.0).
int tensorPerCycle(int major, int minor);
// Also 0 where the chips of one capability differ: the capability then does not determine the rate.
int knownTensorPerCycle(int major, int minor);

// mma.sync of 8-bit elements; of a capability that the table lacks as of the next older one.
EightBitMma eightBitMma(int major, int minor);

// The architecture that is assumed where none is named: that of the recorded runs.
const Architecture& defaultArchitecture();

// The device of the recorded runs, and its number of SMs (as its driver reports it).
inline constexpr std::string_view kReferenceDevice = "NVIDIA H100 80GB HBM3";
inline constexpr int kReferenceSms = 132;

}  // namespace tileloom
