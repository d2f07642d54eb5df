// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's driver: devices, contexts and errors.
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/gpu/fake/state.h"
#include "tests/gpu/fake/words.h"

using namespace tileloom::fake;

extern "C" {

int cuInit(unsigned) {
  LOCK;
  if (const int forced = s.forced("cuInit"); forced != 0) return forced;
  if (s.b.initFails != 0) return s.b.initFails;
  s.initialised = true;
  static const int registered = std::atexit([] {
    while (state().hanging) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  if (registered != 0) die("no exit handler");
  return cu::kSuccess;
}

int cuDriverGetVersion(int* version) {
  LOCK;
  if (const int forced = s.forced("cuDriverGetVersion"); forced != 0) return forced;
  *version = 13000;
  return cu::kSuccess;
}

int cuGetErrorName(int error, const char** name) {
  LOCK;
  if (const int forced = s.forced("cuGetErrorName"); forced != 0) return forced;
  static std::map<int, std::string> names;
  switch (error) {
    case cu::kOutOfMemory:
      *name = "CUDA_ERROR_OUT_OF_MEMORY";
      return cu::kSuccess;
    case cu::kNoDevice:
      *name = "CUDA_ERROR_NO_DEVICE";
      return cu::kSuccess;
    case cu::kIllegalAddress:
      *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
      return cu::kSuccess;
    default:
      break;
  }
  std::string& made = names[error];
  made = text("CUDA_ERROR_%d", error);
  *name = made.c_str();
  return cu::kSuccess;
}

int cuGetErrorString(int error, const char** words) {
  LOCK;
  if (const int forced = s.forced("cuGetErrorString"); forced != 0) return forced;
  *words = error == cu::kOutOfMemory      ? "out of memory"
           : error == cu::kNoDevice       ? "no CUDA-capable device is detected"
           : error == cu::kIllegalAddress ? "an illegal memory access was encountered"
                                          : "an error of the fake driver";
  return cu::kSuccess;
}

int cuDeviceGetCount(int* count) {
  ENTER(cuDeviceGetCount);
  *count = s.b.devices;
  return cu::kSuccess;
}

int cuDeviceGet(int* device, int index) {
  ENTER(cuDeviceGet);
  if (index < 0 || index >= s.b.devices) return 101;
  *device = index;
  return cu::kSuccess;
}

int cuDeviceGetName(char* name, int bytes, int) {
  ENTER(cuDeviceGetName);
  std::snprintf(name, static_cast<std::size_t>(bytes), "%s", s.b.name.c_str());
  return cu::kSuccess;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  ENTER(cuDeviceTotalMem_v2);
  *bytes = static_cast<std::size_t>(s.b.memory);
  return cu::kSuccess;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  ENTER(cuDeviceGetAttribute);
  const std::map<int, int> values = {{cu::kMaxThreadsPerBlock, 1024},
                                     {cu::kClockRate, 1980000},
                                     {cu::kMultiprocessorCount, s.b.sms},
                                     {cu::kMemoryClockRate, 2619000},
                                     {cu::kGlobalMemoryBusWidth, 5120},
                                     {cu::kL2CacheSize, 50 << 20},
                                     {cu::kMaxThreadsPerMultiprocessor, kThreadsPerSm},
                                     {cu::kComputeCapabilityMajor, s.b.arch / 10},
                                     {cu::kComputeCapabilityMinor, s.b.arch % 10},
                                     {cu::kMaxSharedPerMultiprocessor, kSharedPerSm},
                                     {cu::kMaxRegistersPerMultiprocessor, kRegisters},
                                     {cu::kMaxSharedPerBlockOptin, kSharedPerBlock},
                                     {cu::kMaxBlocksPerMultiprocessor, kBlocksPerSm}};
  const auto it = values.find(attribute);
  if (it == values.end()) return cu::kInvalidValue;
  *value = it->second;
  return cu::kSuccess;
}

int cuDeviceGetPCIBusId(char* id, int bytes, int device) {
  ENTER(cuDeviceGetPCIBusId);
  std::snprintf(id, static_cast<std::size_t>(bytes), "0000:%02x:00.0", 0x17 + device);
  return cu::kSuccess;
}

int cuDevicePrimaryCtxRetain(cu::Context* context, int device) {
  ENTER(cuDevicePrimaryCtxRetain);
  ++s.retained[device];
  cu::ContextTag& made = s.contexts[device];
  made.device = device;
  *context = &made;
  return cu::kSuccess;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  RELEASE(cuDevicePrimaryCtxRelease_v2);
  s.drainAll(lock);
  if (s.retained[device] <= 0) return 201;
  --s.retained[device];
  return answer;
}

int cuCtxSetCurrent(cu::Context context) {
  ENTER(cuCtxSetCurrent);
  s.current = context;
  return cu::kSuccess;
}

int cuCtxSynchronize() {
  ENTER(cuCtxSynchronize);
  if (s.current == nullptr) return 201;
  s.drainAll(lock);
  return s.sticky;
}

}  // extern "C"

SAME(cuInit);
SAME(cuDriverGetVersion);
SAME(cuGetErrorName);
SAME(cuGetErrorString);
SAME(cuDeviceGetCount);
SAME(cuDeviceGet);
SAME(cuDeviceGetName);
SAME(cuDeviceTotalMem_v2);
SAME(cuDeviceGetAttribute);
SAME(cuDeviceGetPCIBusId);
SAME(cuDevicePrimaryCtxRetain);
SAME(cuDevicePrimaryCtxRelease_v2);
SAME(cuCtxSetCurrent);
SAME(cuCtxSynchronize);
