// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CUDA's driver API that is used, declared here so that the build needs no CUDA header.
// Names, types and numbers follow cuda.h; a test compares them with that header where it is
// installed.
#pragma once

#include <cstddef>

namespace tileloom::gpu::cu {

using Result = int;
using Device = int;
using DevicePtr = unsigned long long;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;

inline constexpr Result kSuccess = 0;
inline constexpr Result kInvalidValue = 1;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNotInitialized = 3;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kNoBinaryForGpu = 209;
inline constexpr Result kEccUncorrectable = 214;
inline constexpr Result kNotReady = 600;
inline constexpr Result kIllegalAddress = 700;
inline constexpr Result kLaunchOutOfResources = 701;
inline constexpr Result kLaunchTimeout = 702;
inline constexpr Result kContextIsDestroyed = 709;
inline constexpr Result kAssert = 710;
inline constexpr Result kHardwareStackError = 714;
inline constexpr Result kIllegalInstruction = 715;
inline constexpr Result kMisalignedAddress = 716;
inline constexpr Result kInvalidAddressSpace = 717;
inline constexpr Result kInvalidPc = 718;
inline constexpr Result kLaunchFailed = 719;

// CUdevice_attribute
inline constexpr int kMaxThreadsPerBlock = 1;
inline constexpr int kClockRate = 13;  // kHz
inline constexpr int kMultiprocessorCount = 16;
inline constexpr int kMemoryClockRate = 36;       // kHz
inline constexpr int kGlobalMemoryBusWidth = 37;  // bits
inline constexpr int kL2CacheSize = 38;
inline constexpr int kMaxThreadsPerMultiprocessor = 39;
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMaxSharedPerMultiprocessor = 81;
inline constexpr int kMaxRegistersPerMultiprocessor = 82;
inline constexpr int kMaxSharedPerBlockOptin = 97;
inline constexpr int kMaxBlocksPerMultiprocessor = 106;

// CUfunction_attribute
inline constexpr int kFuncSharedSizeBytes = 1;
inline constexpr int kFuncLocalSizeBytes = 3;
inline constexpr int kFuncNumRegs = 4;
inline constexpr int kFuncMaxDynamicSharedSizeBytes = 8;
inline constexpr int kFuncPreferredSharedCarveout = 9;

// CUtensorMapDataType, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
// CUtensorMapFloatOOBfill
inline constexpr int kTensorMapBytes = 0, kTensorMapWords16 = 1, kTensorMapWords32 = 2;
inline constexpr int kTensorMapWords64 = 4;
inline constexpr int kTensorMapFloat16 = 6;
inline constexpr int kTensorMapBfloat16 = 9;
inline constexpr int kTensorMapNotInterleaved = 0;
inline constexpr int kTensorMapSwizzleNone = 0;
inline constexpr int kTensorMapSwizzle32 = 1;
inline constexpr int kTensorMapSwizzle64 = 2;
inline constexpr int kTensorMapSwizzle128 = 3;
inline constexpr int kTensorMapPromote256 = 3;
inline constexpr int kTensorMapZeros = 0;

// CUtensorMap
struct alignas(64) TensorMap {
  unsigned long long opaque[16] = {};
};

// CUDA_MEMCPY2D_v2
struct Memcpy2D {
  std::size_t srcXInBytes = 0, srcY = 0;
  int srcMemoryType = 2;  // device
  const void* srcHost = nullptr;
  DevicePtr srcDevice = 0;
  void* srcArray = nullptr;
  std::size_t srcPitch = 0;
  std::size_t dstXInBytes = 0, dstY = 0;
  int dstMemoryType = 2;
  void* dstHost = nullptr;
  DevicePtr dstDevice = 0;
  void* dstArray = nullptr;
  std::size_t dstPitch = 0;
  std::size_t WidthInBytes = 0;
  std::size_t Height = 0;
};

// The functions by their exported names; `tableOf` in driver.cpp fills them in.
struct Table {
  Result (*cuInit)(unsigned) = nullptr;
  Result (*cuDriverGetVersion)(int*) = nullptr;
  Result (*cuGetErrorName)(Result, const char**) = nullptr;
  Result (*cuGetErrorString)(Result, const char**) = nullptr;
  Result (*cuDeviceGetCount)(int*) = nullptr;
  Result (*cuDeviceGet)(Device*, int) = nullptr;
  Result (*cuDeviceGetName)(char*, int, Device) = nullptr;
  Result (*cuDeviceTotalMem_v2)(std::size_t*, Device) = nullptr;
  Result (*cuDeviceGetAttribute)(int*, int, Device) = nullptr;
  Result (*cuDeviceGetPCIBusId)(char*, int, Device) = nullptr;
  Result (*cuDevicePrimaryCtxRetain)(Context*, Device) = nullptr;
  Result (*cuDevicePrimaryCtxRelease_v2)(Device) = nullptr;
  Result (*cuCtxSetCurrent)(Context) = nullptr;
  Result (*cuCtxSynchronize)() = nullptr;
  Result (*cuMemGetInfo_v2)(std::size_t*, std::size_t*) = nullptr;
  Result (*cuMemAlloc_v2)(DevicePtr*, std::size_t) = nullptr;
  Result (*cuMemFree_v2)(DevicePtr) = nullptr;
  Result (*cuMemcpyHtoDAsync_v2)(DevicePtr, const void*, std::size_t, Stream) = nullptr;
  Result (*cuMemcpyDtoH_v2)(void*, DevicePtr, std::size_t) = nullptr;
  Result (*cuMemcpyDtoDAsync_v2)(DevicePtr, DevicePtr, std::size_t, Stream) = nullptr;
  Result (*cuMemcpy2DAsync_v2)(const Memcpy2D*, Stream) = nullptr;
  Result (*cuMemsetD32Async)(DevicePtr, unsigned, std::size_t, Stream) = nullptr;
  Result (*cuModuleLoadData)(Module*, const void*) = nullptr;
  Result (*cuModuleUnload)(Module) = nullptr;
  Result (*cuModuleGetFunction)(Function*, Module, const char*) = nullptr;
  Result (*cuModuleGetGlobal_v2)(DevicePtr*, std::size_t*, Module, const char*) = nullptr;
  Result (*cuFuncGetAttribute)(int*, int, Function) = nullptr;
  Result (*cuFuncSetAttribute)(Function, int, int) = nullptr;
  Result (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int*, Function, int, std::size_t) = nullptr;
  Result (*cuLaunchKernel)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           unsigned, Stream, void**, void**) = nullptr;
  Result (*cuStreamCreate)(Stream*, unsigned) = nullptr;
  Result (*cuStreamDestroy_v2)(Stream) = nullptr;
  Result (*cuStreamQuery)(Stream) = nullptr;
  Result (*cuEventCreate)(Event*, unsigned) = nullptr;
  Result (*cuEventDestroy_v2)(Event) = nullptr;
  Result (*cuEventRecord)(Event, Stream) = nullptr;
  Result (*cuEventElapsedTime)(float*, Event, Event) = nullptr;
  // nullptr: the driver is older than CUDA 12.
  Result (*cuTensorMapEncodeTiled)(TensorMap*, int, unsigned, void*, const unsigned long long*,
                                   const unsigned long long*, const unsigned*, const unsigned*, int,
                                   int, int, int) = nullptr;
};

}  // namespace tileloom::gpu::cu
