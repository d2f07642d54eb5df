// SPDX-License-Identifier: GPL-3.0-or-later
// NVML.
#include <cstdio>

#include "tests/gpu/fake/state.h"
#include "tests/gpu/fake/words.h"

using namespace tileloom::fake;

extern "C" {

int nvmlInit_v2() {
  LOCK;
  if (const int forced = s.forced("nvmlInit_v2"); forced != 0) return forced;
  ++s.nvml;
  return 0;
}

int nvmlShutdown() {
  LOCK;
  const int answer = s.forced("nvmlShutdown");
  if (s.nvml <= 0) return 1;
  --s.nvml;
  return answer;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  LOCK;
  if (const int forced = s.forced("nvmlDeviceGetHandleByPciBusId_v2"); forced != 0) return forced;
  if (s.nvml <= 0) return 1;
  for (int i = 0; i < s.b.devices; ++i) {
    if (text("0000:%02x:00.0", 0x17 + i) != bus) continue;
    *device = &s;
    return 0;
  }
  return 6;  // NOT_FOUND
}

int nvmlSystemGetDriverVersion(char* version, unsigned bytes) {
  LOCK;
  if (const int forced = s.forced("nvmlSystemGetDriverVersion"); forced != 0) return forced;
  std::snprintf(version, bytes, "0.0.fake");
  return 0;
}

int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  LOCK;
  if (const int forced = s.forced("nvmlDeviceGetClockInfo"); forced != 0) return forced;
  if (type != 1) return 2;  // the SMs' clock only
  *mhz = s.b.clock;
  return 0;
}

int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  LOCK;
  if (const int forced = s.forced("nvmlDeviceGetPowerUsage"); forced != 0) return forced;
  *milliwatts = static_cast<unsigned>(s.b.watts * 1000);
  return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  LOCK;
  if (const int forced = s.forced("nvmlDeviceGetCurrentClocksThrottleReasons"); forced != 0)
    return forced;
  *bits = s.b.throttle;
  return 0;
}

}  // extern "C"
