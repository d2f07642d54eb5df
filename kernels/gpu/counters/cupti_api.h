// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CUPTI's range profiler that is used, declared here so that the build needs no CUDA
// header. Names, members and numbers follow cupti_range_profiler.h, cupti_profiler_host.h,
// cupti_profiler_target.h and cupti_target.h; a test compares them with these where they are
// installed. Each structure holds its own size, by which CUPTI recognises the version.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gpu/driver/driver_api.h"

namespace tileloom::gpu::cupti {

using Result = int;

inline constexpr Result kSuccess = 0;
inline constexpr Result kOutOfMemory = 8;
inline constexpr Result kInvalidMetricName = 17;
inline constexpr Result kHardwareBusy = 26;
inline constexpr Result kNotSupported = 27;
inline constexpr Result kVirtualizedDeviceNotSupported = 33;
inline constexpr Result kInsufficientPrivileges = 35;
inline constexpr Result kLegacyProfilerNotSupported = 38;
inline constexpr Result kMultipleSubscribers = 39;
inline constexpr Result kVirtualizedDevicePrivileges = 40;
inline constexpr Result kConfidentialComputing = 41;
inline constexpr Result kCmpDevice = 42;
inline constexpr Result kMigDevice = 43;
inline constexpr Result kSliDevice = 44;
inline constexpr Result kWslDevice = 45;
inline constexpr Result kInvalidChipName = 46;

inline constexpr int kRangeProfiler = 0;  // CUpti_ProfilerType
inline constexpr int kAutoRange = 1;      // CUpti_ProfilerRange: a range is one kernel
inline constexpr int kUserReplay = 3;     // CUpti_ProfilerReplayMode: one launch of ours per pass

using HostObject = struct HostObjectTag*;
using RangeObject = struct RangeObjectTag*;

// CUpti_Profiler_Initialize_Params and CUpti_Profiler_DeInitialize_Params
struct Initialize {
  std::size_t structSize = sizeof(Initialize);
  void* pPriv = nullptr;
};

struct GetChipName {
  std::size_t structSize = sizeof(GetChipName);
  void* pPriv = nullptr;
  std::size_t deviceIndex = 0;
  const char* pChipName = nullptr;  // out
};

struct GetCounterAvailability {
  std::size_t structSize = sizeof(GetCounterAvailability);
  void* pPriv = nullptr;
  cu::Context ctx = nullptr;
  std::size_t counterAvailabilityImageSize = 0;  // in and out
  std::uint8_t* pCounterAvailabilityImage = nullptr;
};

struct HostInitialize {
  std::size_t structSize = sizeof(HostInitialize);
  void* pPriv = nullptr;
  int profilerType = kRangeProfiler;
  const char* pChipName = nullptr;
  const std::uint8_t* pCounterAvailabilityImage = nullptr;
  HostObject pHostObject = nullptr;  // out
};

struct HostDeinitialize {
  std::size_t structSize = sizeof(HostDeinitialize);
  void* pPriv = nullptr;
  HostObject pHostObject = nullptr;
};

struct GetMetricProperties {
  std::size_t structSize = 7 * sizeof(std::size_t) + sizeof(int);  // see Stop
  void* pPriv = nullptr;
  HostObject pHostObject = nullptr;
  const char* pMetricName = nullptr;
  const char* pDescription = nullptr;  // out, like the members below
  const char* pHwUnit = nullptr;
  const char* pDimUnit = nullptr;
  int metricType = 0;
};

struct ConfigAddMetrics {
  std::size_t structSize = sizeof(ConfigAddMetrics);
  void* pPriv = nullptr;
  HostObject pHostObject = nullptr;
  const char** ppMetricNames = nullptr;
  std::size_t numMetrics = 0;
};

struct GetConfigImageSize {
  std::size_t structSize = sizeof(GetConfigImageSize);
  void* pPriv = nullptr;
  HostObject pHostObject = nullptr;
  std::size_t configImageSize = 0;  // out
};

struct GetConfigImage {
  std::size_t structSize = sizeof(GetConfigImage);
  void* pPriv = nullptr;
  HostObject pHostObject = nullptr;
  std::size_t configImageSize = 0;
  std::uint8_t* pConfigImage = nullptr;
};

struct EvaluateToGpuValues {
  std::size_t structSize = sizeof(EvaluateToGpuValues);
  void* pPriv = nullptr;
  HostObject pHostObject = nullptr;
  const std::uint8_t* pCounterDataImage = nullptr;
  std::size_t counterDataImageSize = 0;
  std::size_t rangeIndex = 0;
  const char** ppMetricNames = nullptr;
  std::size_t numMetrics = 0;
  double* pMetricValues = nullptr;
};

struct Enable {
  std::size_t structSize = sizeof(Enable);
  void* pPriv = nullptr;
  cu::Context ctx = nullptr;
  RangeObject pRangeProfilerObject = nullptr;  // out
};

// CUpti_RangeProfiler_Disable_Params and CUpti_RangeProfiler_Start_Params
struct OfRangeProfiler {
  std::size_t structSize = sizeof(OfRangeProfiler);
  void* pPriv = nullptr;
  RangeObject pRangeProfilerObject = nullptr;
};

struct Stop {
  // Up to the last member, without the padding after it.
  std::size_t structSize = 5 * sizeof(std::size_t) + 1;
  void* pPriv = nullptr;
  RangeObject pRangeProfilerObject = nullptr;
  std::size_t passIndex = 0;  // out, like the members below
  std::size_t targetNestingLevel = 0;
  std::uint8_t isAllPassSubmitted = 0;
};

struct SetConfig {
  std::size_t structSize = 11 * sizeof(std::size_t) + sizeof(std::uint16_t);
  void* pPriv = nullptr;
  RangeObject pRangeProfilerObject = nullptr;
  std::size_t configSize = 0;
  const std::uint8_t* pConfig = nullptr;
  std::size_t counterDataImageSize = 0;
  std::uint8_t* pCounterDataImage = nullptr;
  int range = kAutoRange;
  int replayMode = kUserReplay;
  std::size_t maxRangesPerPass = 1;
  std::uint16_t numNestingLevels = 1;
  std::uint16_t minNestingLevel = 1;
  std::size_t passIndex = 0;
  std::uint16_t targetNestingLevel = 1;
};

struct DecodeData {
  std::size_t structSize = sizeof(DecodeData);
  void* pPriv = nullptr;
  RangeObject pRangeProfilerObject = nullptr;
  std::size_t numOfRangeDropped = 0;  // out
};

struct GetCounterDataSize {
  std::size_t structSize = sizeof(GetCounterDataSize);
  void* pPriv = nullptr;
  RangeObject pRangeProfilerObject = nullptr;
  const char** pMetricNames = nullptr;
  std::size_t numMetrics = 0;
  std::size_t maxNumOfRanges = 1;
  std::uint32_t maxNumRangeTreeNodes = 1;
  std::size_t counterDataSize = 0;  // out
};

struct InitializeCounterData {
  std::size_t structSize = sizeof(InitializeCounterData);
  void* pPriv = nullptr;
  RangeObject pRangeProfilerObject = nullptr;
  std::size_t counterDataSize = 0;
  std::uint8_t* pCounterData = nullptr;
};

struct GetCounterDataInfo {
  std::size_t structSize = sizeof(GetCounterDataInfo);
  void* pPriv = nullptr;
  const std::uint8_t* pCounterDataImage = nullptr;
  std::size_t counterDataImageSize = 0;
  std::size_t numTotalRanges = 0;  // out
};

// The functions by their exported names; `tableOf` in cupti.cpp fills them in.
struct Table {
  Result (*cuptiGetResultString)(Result, const char**) = nullptr;
  Result (*cuptiProfilerInitialize)(Initialize*) = nullptr;
  Result (*cuptiProfilerDeInitialize)(Initialize*) = nullptr;
  Result (*cuptiProfilerGetCounterAvailability)(GetCounterAvailability*) = nullptr;
  Result (*cuptiDeviceGetChipName)(GetChipName*) = nullptr;
  Result (*cuptiProfilerHostInitialize)(HostInitialize*) = nullptr;
  Result (*cuptiProfilerHostDeinitialize)(HostDeinitialize*) = nullptr;
  Result (*cuptiProfilerHostGetMetricProperties)(GetMetricProperties*) = nullptr;
  Result (*cuptiProfilerHostConfigAddMetrics)(ConfigAddMetrics*) = nullptr;
  Result (*cuptiProfilerHostGetConfigImageSize)(GetConfigImageSize*) = nullptr;
  Result (*cuptiProfilerHostGetConfigImage)(GetConfigImage*) = nullptr;
  Result (*cuptiProfilerHostEvaluateToGpuValues)(EvaluateToGpuValues*) = nullptr;
  Result (*cuptiRangeProfilerEnable)(Enable*) = nullptr;
  Result (*cuptiRangeProfilerDisable)(OfRangeProfiler*) = nullptr;
  Result (*cuptiRangeProfilerStart)(OfRangeProfiler*) = nullptr;
  Result (*cuptiRangeProfilerStop)(Stop*) = nullptr;
  Result (*cuptiRangeProfilerSetConfig)(SetConfig*) = nullptr;
  Result (*cuptiRangeProfilerDecodeData)(DecodeData*) = nullptr;
  Result (*cuptiRangeProfilerGetCounterDataSize)(GetCounterDataSize*) = nullptr;
  Result (*cuptiRangeProfilerCounterDataImageInitialize)(InitializeCounterData*) = nullptr;
  Result (*cuptiRangeProfilerGetCounterDataInfo)(GetCounterDataInfo*) = nullptr;
};

}  // namespace tileloom::gpu::cupti
