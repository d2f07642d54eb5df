// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of the program counters of a launch's warps, through CUPTI (CUDA 13) if it is found and
// the driver permits it: at a fixed period in cycles each SM notes the next instruction of a warp
// and what the warp waits for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/gpu/driver/driver.h"

namespace tileloom::gpu {

class PcSampler {
 public:
  // The logarithms to base 2 of the cycles between two samples.
  static constexpr std::uint32_t kShortestPeriod = 5, kLongestPeriod = 31;

  // Loads the library and switches sampling on for the lifetime of this object. Use it for one
  // kernel per process: CUPTI 13.0 gives the samples of a second one no name, or that of another
  // kernel (seen on an H200, whether it was loaded before or after this). The context must be
  // current and outlive this. Trouble::Missing says what to install; Trouble::Unsupported says that
  // the driver does not permit it and how an administrator can permit it.
  static Result<PcSampler> enable(const Context& context);
  PcSampler(PcSampler&&) noexcept;
  PcSampler& operator=(PcSampler&&) = delete;
  ~PcSampler();

  struct Reason {
    std::string name;  // "smsp__pcsamp_warps_issue_stalled_barrier"
    std::uint32_t samples = 0;
  };
  struct Sampled {
    std::uint64_t address = 0;  // bytes from the function's first instruction
    std::vector<Reason> reasons;
  };
  struct Samples {
    std::vector<Sampled> instructions;  // by address
    std::uint64_t dropped = 0;          // for lack of room in the hardware
  };

  // Samples one launch of the function with this name, every 2^`period` cycles (5 to 31). `launch`
  // launches it and waits until it has ended; its error ends the sampling and is returned.
  Result<Samples> sample(const std::string& function, std::uint32_t period,
                         const std::function<Result<void>()>& launch);

 private:
  PcSampler();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tileloom::gpu
