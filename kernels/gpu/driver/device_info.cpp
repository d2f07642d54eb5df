// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/driver/device_info.h"

namespace tileloom::gpu {

Architecture architectureOf(const DeviceInfo& device) {
  Architecture arch = defaultArchitecture();
  if (const auto known = architectureNamed(device.arch()))
    arch = *known;
  else
    arch.name = "this device";
  arch.major = device.major;
  arch.minor = device.minor;
  arch.fmasPerCycle = fmasPerCycle(device.major, device.minor);
  arch.tensorPerCycle = tensorPerCycle(device.major, device.minor);
  arch.tensorPerCycleLeast = knownTensorPerCycle(device.major, device.minor);
  arch.eightBitMma = eightBitMma(device.major, device.minor);
  arch.warpsPerSm = device.warpsPerSm;
  arch.blocksPerSm = device.blocksPerSm;
  arch.sharedPerSm = device.sharedPerSm;
  arch.sharedPerBlock = device.sharedPerBlock;
  return arch;
}

double peakGflops(const DeviceInfo& device, int clockMHz) {
  return 2.0 * fmasPerCycle(device.major, device.minor) * device.sms * clockMHz * 1e-3;
}

double tensorPeakGflops(const DeviceInfo& device, int clockMHz) {
  const int perCycle = knownTensorPerCycle(device.major, device.minor);
  return 2.0 * perCycle * device.sms * clockMHz * 1e-3;
}

}  // namespace tileloom::gpu
