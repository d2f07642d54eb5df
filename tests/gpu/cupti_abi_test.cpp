// SPDX-License-Identifier: GPL-3.0-or-later
// Compares what kernels/gpu/counters/cupti_api.h declares with NVIDIA's headers.
#include <cuda.h>
// In this order: the host interface uses what the others declare.
#include <cupti_target.h>
//
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>

#include <QtTest>
#include <cstddef>

#include "tests/support/test_class.h"

#include "kernels/gpu/counters/cupti_sampling_api.h"

namespace tileloom::gpu {
namespace {

#define SAME_NUMBER(ours, theirs) static_assert(cupti::ours == static_cast<int>(theirs))
SAME_NUMBER(kSuccess, CUPTI_SUCCESS);
SAME_NUMBER(kOutOfMemory, CUPTI_ERROR_OUT_OF_MEMORY);
SAME_NUMBER(kInvalidMetricName, CUPTI_ERROR_INVALID_METRIC_NAME);
SAME_NUMBER(kHardwareBusy, CUPTI_ERROR_HARDWARE_BUSY);
SAME_NUMBER(kNotSupported, CUPTI_ERROR_NOT_SUPPORTED);
SAME_NUMBER(kVirtualizedDeviceNotSupported, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
SAME_NUMBER(kInsufficientPrivileges, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
SAME_NUMBER(kLegacyProfilerNotSupported, CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
SAME_NUMBER(kMultipleSubscribers, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
SAME_NUMBER(kVirtualizedDevicePrivileges, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
SAME_NUMBER(kConfidentialComputing, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
SAME_NUMBER(kCmpDevice, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
SAME_NUMBER(kMigDevice, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
SAME_NUMBER(kSliDevice, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
SAME_NUMBER(kWslDevice, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
SAME_NUMBER(kInvalidChipName, CUPTI_ERROR_INVALID_CHIP_NAME);
SAME_NUMBER(kRangeProfiler, CUPTI_PROFILER_TYPE_RANGE_PROFILER);
SAME_NUMBER(kAutoRange, CUPTI_AutoRange);
SAME_NUMBER(kUserReplay, CUPTI_UserReplay);

// The size in each structure is what CUPTI expects; `last` is at the right offset, so that
// everything before it is, too.
#define SAME_STRUCT(ours, theirs, last)                                 \
  static_assert(sizeof(cupti::ours) == sizeof(theirs));                 \
  static_assert(offsetof(cupti::ours, last) == offsetof(theirs, last)); \
  static_assert(cupti::ours().structSize == theirs##_STRUCT_SIZE)
SAME_STRUCT(Initialize, CUpti_Profiler_Initialize_Params, pPriv);
SAME_STRUCT(Initialize, CUpti_Profiler_DeInitialize_Params, pPriv);
SAME_STRUCT(GetChipName, CUpti_Device_GetChipName_Params, pChipName);
SAME_STRUCT(GetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params,
            pCounterAvailabilityImage);
SAME_STRUCT(HostInitialize, CUpti_Profiler_Host_Initialize_Params, pHostObject);
SAME_STRUCT(HostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params, pHostObject);
SAME_STRUCT(GetMetricProperties, CUpti_Profiler_Host_GetMetricProperties_Params, metricType);
SAME_STRUCT(ConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics);
SAME_STRUCT(GetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params, configImageSize);
SAME_STRUCT(GetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage);
SAME_STRUCT(EvaluateToGpuValues, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues);
SAME_STRUCT(Enable, CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject);
SAME_STRUCT(OfRangeProfiler, CUpti_RangeProfiler_Disable_Params, pRangeProfilerObject);
SAME_STRUCT(OfRangeProfiler, CUpti_RangeProfiler_Start_Params, pRangeProfilerObject);
SAME_STRUCT(Stop, CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted);
SAME_STRUCT(SetConfig, CUpti_RangeProfiler_SetConfig_Params, targetNestingLevel);
SAME_STRUCT(DecodeData, CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped);
SAME_STRUCT(GetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params, counterDataSize);
SAME_STRUCT(InitializeCounterData, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
            pCounterData);
SAME_STRUCT(GetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params, numTotalRanges);
static_assert(offsetof(cupti::SetConfig, range) ==
              offsetof(CUpti_RangeProfiler_SetConfig_Params, range));
static_assert(offsetof(cupti::SetConfig, maxRangesPerPass) ==
              offsetof(CUpti_RangeProfiler_SetConfig_Params, maxRangesPerPass));

// The same for sampling, whose sizes have other names.
#define SAME_RECORD(ours, theirs, last)                 \
  static_assert(sizeof(cupti::ours) == sizeof(theirs)); \
  static_assert(offsetof(cupti::ours, last) == offsetof(theirs, last))
#define SAME_PARAMS(ours, theirs, last) \
  SAME_RECORD(ours, theirs, last);      \
  static_assert(cupti::ours().size == theirs##Size)
SAME_RECORD(StallReason, CUpti_PCSamplingStallReason, samples);
SAME_RECORD(PcData, CUpti_PCSamplingPCData, correlationId);
SAME_RECORD(SamplingData, CUpti_PCSamplingData, hardwareBufferFull);
SAME_RECORD(SamplingSetting, CUpti_PCSamplingConfigurationInfo, attributeData);
SAME_PARAMS(SamplingSettings, CUpti_PCSamplingConfigurationInfoParams,
            pPCSamplingConfigurationInfo);
SAME_PARAMS(OfSampling, CUpti_PCSamplingEnableParams, ctx);
SAME_PARAMS(OfSampling, CUpti_PCSamplingDisableParams, ctx);
SAME_PARAMS(OfSampling, CUpti_PCSamplingStartParams, ctx);
SAME_PARAMS(OfSampling, CUpti_PCSamplingStopParams, ctx);
SAME_PARAMS(GetSamplingData, CUpti_PCSamplingGetDataParams, pcSamplingData);
SAME_PARAMS(GetNumStallReasons, CUpti_PCSamplingGetNumStallReasonsParams, numStallReasons);
SAME_PARAMS(GetStallReasons, CUpti_PCSamplingGetStallReasonsParams, stallReasons);
static_assert(offsetof(cupti::PcData, stallReason) ==
              offsetof(CUpti_PCSamplingPCData, stallReason));
static_assert(offsetof(cupti::SamplingData, pPcData) == offsetof(CUpti_PCSamplingData, pPcData));
static_assert(cupti::kReasonName == CUPTI_STALL_REASON_STRING_SIZE);
#define SAME_ATTRIBUTE(ours, theirs)                                \
  static_assert(static_cast<int>(cupti::SamplingAttribute::ours) == \
                CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_##theirs)
SAME_ATTRIBUTE(Period, SAMPLING_PERIOD);
SAME_ATTRIBUTE(Reasons, STALL_REASON);
SAME_ATTRIBUTE(StartStop, ENABLE_START_STOP_CONTROL);
SAME_ATTRIBUTE(DataBuffer, SAMPLING_DATA_BUFFER);

}  // namespace

class CuptiAbiTest : public QObject {
  Q_OBJECT
 private slots:
  // The compiler does the comparison above: it passes if this compiles.
  void declarationsAreNvidias() { QVERIFY(CUDA_VERSION >= 13000); }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::CuptiAbiTest, Nothing)
#include "cupti_abi_test.moc"
