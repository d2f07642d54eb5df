// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU as its driver describes it.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/tile/architecture.h"

namespace tileloom::gpu {

struct DeviceInfo {
  int index = 0;
  std::string name;  // "NVIDIA H100 80GB HBM3"
  std::string bus;   // PCI address, as NVML knows the device
  int major = 0;
  int minor = 0;
  int sms = 0;
  int warpsPerSm = 0;
  int blocksPerSm = 0;
  int registersPerSm = 0;
  int sharedPerSm = 0;     // bytes
  int sharedPerBlock = 0;  // bytes, with the opt-in for dynamic shared memory
  int l2Bytes = 0;
  std::uint64_t memoryBytes = 0;
  int clockMHz = 0;  // highest SM clock
  int memoryClockMHz = 0;
  int busBits = 0;

  std::string arch() const { return "sm_" + std::to_string(major * 10 + minor); }
  bool operator==(const DeviceInfo&) const = default;
};

// The device's own limits, as the constraint table and the occupancy need them.
Architecture architectureOf(const DeviceInfo& device);

// FP32 peak in GFLOP/s at `clockMHz`: 2 * FMAs per cycle and SM * SMs * clock. 0 if the clock is
// unknown.
double peakGflops(const DeviceInfo& device, int clockMHz);
// The same of its tensor cores for 16-bit factors and FP32 sums. Also 0 where one compute
// capability has chips of several rates (kernels/tile/architecture.h).
double tensorPeakGflops(const DeviceInfo& device, int clockMHz);

}  // namespace tileloom::gpu
