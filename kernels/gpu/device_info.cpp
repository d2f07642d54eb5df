// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/device_info.h"

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
  const int perCycle = device.major == 9 && device.minor == 0   ? 2048
                       : device.major == 8 && device.minor == 0 ? 1024
                                                                : 0;
  return 2.0 * perCycle * device.sms * clockMHz * 1e-3;
}

}  // namespace tileloom::gpu
