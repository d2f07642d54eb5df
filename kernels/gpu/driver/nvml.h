// SPDX-License-Identifier: GPL-3.0-or-later
// Clocks, watts and throttle reasons while measuring, read with NVIDIA's management library if it
// is found.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/error.h"

namespace tileloom::gpu {

struct Vitals {
  int smClockMHz = 0;               // 0: unknown
  double watts = 0;                 // board, averaged by the driver; 0: unknown
  unsigned long long throttle = 0;  // bits: see throttleReasons
};

// The bits in words, if they mean that the GPU is slowed down: "idle" and "application clocks" do
// not.
std::vector<std::string> throttleReasons(unsigned long long bits);

class Nvml {
 public:
  // For the device at this PCI address.
  static Result<std::unique_ptr<Nvml>> open(const std::string& bus);
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  Vitals read() const;
  const std::string& driverVersion() const { return driverVersion_; }

 private:
  Nvml() = default;
  using Device = struct DeviceTag*;

  int (*shutdown_)() = nullptr;
  int (*clock_)(Device, int, unsigned*) = nullptr;
  int (*power_)(Device, unsigned*) = nullptr;
  int (*throttle_)(Device, unsigned long long*) = nullptr;
  Device device_ = nullptr;
  bool initialised_ = false;
  std::string driverVersion_;
};

}  // namespace tileloom::gpu
