// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/counters/cupti_error.h"

#include <fmt/format.h>

namespace tileloom::gpu {
namespace {

// Each of CUPTI's results that says what prevents counting (cupti_result.h), with what to do.
std::string_view obstacle(cupti::Result result) {
  switch (result) {
    case cupti::kInsufficientPrivileges:
      return "the driver lets only administrators read the GPU's counters: an administrator can "
             "allow all users with the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel "
             "module nvidia (a file in /etc/modprobe.d, then a restart), or a container with "
             "--cap-add=SYS_ADMIN";
    case cupti::kVirtualizedDevicePrivileges:
      return "the counters of this virtual GPU cannot be read: an administrator of the host can "
             "enable profiling for the virtual machine";
    case cupti::kVirtualizedDeviceNotSupported:
      return "this type of virtual GPU has no counters: use a GPU in passthrough mode";
    case cupti::kMigDevice:
      return "the counters of a MIG instance cannot be read here: use a whole GPU";
    case cupti::kConfidentialComputing:
      return "confidential computing hides the GPU's counters: an administrator can switch it off";
    case cupti::kCmpDevice:
    case cupti::kLegacyProfilerNotSupported:
      return "CUPTI cannot read the counters of this GPU: use one of compute capability 7.5 or "
             "above";
    case cupti::kSliDevice:
      return "the counters of GPUs joined by SLI cannot be read: an administrator can disable SLI";
    case cupti::kWslDevice:
      return "the counters cannot be read in this Windows Subsystem for Linux: allow access to the "
             "GPU's counters in the NVIDIA Control Panel of Windows, or use native Linux";
    case cupti::kInvalidChipName:
      return "this version of CUPTI does not know the GPU: install that of a newer CUDA Toolkit";
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
