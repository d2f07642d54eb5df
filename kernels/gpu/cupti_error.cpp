// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/cupti_error.h"

#include <fmt/format.h>

namespace tileloom::gpu {
namespace {

// Each of CUPTI's answers that says what stands in the way (cupti_result.h), with what to do.
std::string_view obstacle(cupti::Result result) {
  switch (result) {
    case cupti::kInsufficientPrivileges:
      return "the driver lets only administrators read the GPU's counters: an administrator allows "
             "it to all with the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel module "
             "nvidia (a file in /etc/modprobe.d, then a restart), or to a container with "
             "--cap-add=SYS_ADMIN";
    case cupti::kVirtualizedDevicePrivileges:
      return "this virtual GPU does not let its counters be read: an administrator of the host "
             "allows it by enabling profiling for the virtual machine";
    case cupti::kVirtualizedDeviceNotSupported:
      return "a virtual GPU of this kind has no counters: use a GPU that is passed through whole";
    case cupti::kMigDevice:
      return "a part of a GPU (MIG) does not let its counters be read here: use a whole GPU";
    case cupti::kConfidentialComputing:
      return "confidential computing hides the GPU's counters: an administrator can switch it off";
    case cupti::kCmpDevice:
    case cupti::kLegacyProfilerNotSupported:
      return "CUPTI reads no counters of this GPU: use one of compute capability 7.5 or above";
    case cupti::kSliDevice:
      return "GPUs joined by SLI do not let their counters be read: an administrator can part them";
    case cupti::kWslDevice:
      return "the counters cannot be read in this Windows Subsystem for Linux: allow access to the "
             "GPU's counters in NVIDIA's control panel of Windows, or use Linux itself";
    case cupti::kInvalidChipName:
      return "this CUPTI does not know the GPU: install one of a newer CUDA Toolkit";
    case cupti::kHardwareBusy:
    case cupti::kMultipleSubscribers:
      return "another profiler uses the GPU's counters: end it and try again";
    default:
      return "";
  }
}

}  // namespace

Error cuptiError(cupti::Result result, const char* words, std::string_view doing) {
  if (const auto sentence = obstacle(result); !sentence.empty())
    return {Trouble::Unsupported, std::string(sentence)};
  return {result == cupti::kOutOfMemory ? Trouble::OutOfMemory : Trouble::Failed,
          fmt::format("CUPTI said {} ({}) {}: counters stay unknown",
                      words != nullptr ? words : "an unknown error", result, doing)};
}

}  // namespace tileloom::gpu
