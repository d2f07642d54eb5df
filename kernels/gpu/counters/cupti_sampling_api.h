// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CUPTI's PC sampling that is used, declared here so that the build needs no CUDA
// header. Names, members and numbers follow cupti_pcsampling.h; a test compares them with it where
// it is installed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gpu/counters/cupti_api.h"

namespace tileloom::gpu::cupti {

inline constexpr std::size_t kReasonName = 128;  // bytes, CUPTI_STALL_REASON_STRING_SIZE

struct StallReason {
  std::uint32_t pcSamplingStallReasonIndex = 0;
  std::uint32_t samples = 0;
};

struct PcData {
  std::size_t size = sizeof(PcData);
  std::uint64_t cubinCrc = 0;
  std::uint64_t pcOffset = 0;
  std::uint32_t functionIndex = 0;
  std::uint32_t pad = 0;
  char* functionName = nullptr;
  std::size_t stallReasonCount = 0;
  StallReason* stallReason = nullptr;
  std::uint32_t correlationId = 0;
};

struct SamplingData {
  std::size_t size = sizeof(SamplingData);
  std::size_t collectNumPcs = 0;
  std::uint64_t totalSamples = 0;  // out, like the members below
  std::uint64_t droppedSamples = 0;
  std::size_t totalNumPcs = 0;
  std::size_t remainingNumPcs = 0;
  std::uint64_t rangeId = 0;
  PcData* pPcData = nullptr;  // room for collectNumPcs
  std::uint64_t nonUsrKernelsTotalSamples = 0;
  std::uint8_t hardwareBufferFull = 0;
};

// CUpti_PCSamplingConfigurationAttributeType
enum class SamplingAttribute : int { Period = 1, Reasons = 2, StartStop = 6, DataBuffer = 8 };

// CUpti_PCSamplingConfigurationInfo: one attribute with its value.
struct SamplingSetting {
  SamplingAttribute attributeType{};
  Result attributeStatus = kSuccess;
  union {
    std::uint64_t data[3] = {};
    std::uint32_t number;
    void* buffer;
    struct {
      std::size_t stallReasonCount;
      std::uint32_t* pStallReasonIndex;
    } reasons;
  } attributeData;
};

struct SamplingSettings {
  std::size_t size = sizeof(SamplingSettings);
  void* pPriv = nullptr;
  cu::Context ctx = nullptr;
  std::size_t numAttributes = 0;
  SamplingSetting* pPCSamplingConfigurationInfo = nullptr;
};

// The parameters of Enable, Disable, Start and Stop.
struct OfSampling {
  std::size_t size = sizeof(OfSampling);
  void* pPriv = nullptr;
  cu::Context ctx = nullptr;
};

struct GetSamplingData {
  std::size_t size = sizeof(GetSamplingData);
  void* pPriv = nullptr;
  cu::Context ctx = nullptr;
  void* pcSamplingData = nullptr;
};

struct GetNumStallReasons {
  std::size_t size = sizeof(GetNumStallReasons);
  void* pPriv = nullptr;
  cu::Context ctx = nullptr;
  std::size_t* numStallReasons = nullptr;  // out
};

struct GetStallReasons {
  std::size_t size = sizeof(GetStallReasons);
  void* pPriv = nullptr;
  cu::Context ctx = nullptr;
  std::size_t numStallReasons = 0;
  std::uint32_t* stallReasonIndex = nullptr;  // out
  char** stallReasons = nullptr;              // out; room for kReasonName bytes each
};

// The functions by their exported names.
struct SamplingTable {
  Result (*cuptiGetResultString)(Result, const char**) = nullptr;
  Result (*cuptiPCSamplingEnable)(OfSampling*) = nullptr;
  Result (*cuptiPCSamplingDisable)(OfSampling*) = nullptr;
  Result (*cuptiPCSamplingStart)(OfSampling*) = nullptr;
  Result (*cuptiPCSamplingStop)(OfSampling*) = nullptr;
  Result (*cuptiPCSamplingGetNumStallReasons)(GetNumStallReasons*) = nullptr;
  Result (*cuptiPCSamplingGetStallReasons)(GetStallReasons*) = nullptr;
  Result (*cuptiPCSamplingSetConfigurationAttribute)(SamplingSettings*) = nullptr;
  Result (*cuptiPCSamplingGetData)(GetSamplingData*) = nullptr;
};

}  // namespace tileloom::gpu::cupti
