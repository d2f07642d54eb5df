// SPDX-License-Identifier: GPL-3.0-or-later
// Hardware counters of a launch, read with CUPTI's range profiler (CUDA 13) if it is found and the
// driver permits it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/gpu/counters/cupti_api.h"
#include "kernels/gpu/driver/driver.h"

namespace tileloom::gpu {

class Cupti {
 public:
  // Loads the library and starts its profiler. Trouble::Missing or ::Unsupported say what to
  // install. Whether the driver permits counting is known only after the first call of count().
  static Result<std::unique_ptr<Cupti>> open();
  // The path of the library, if there is one of the needed version. Does not start the profiler.
  static Result<std::string> present();
  Cupti(const Cupti&) = delete;
  Cupti& operator=(const Cupti&) = delete;
  ~Cupti();

  // Launches exactly one kernel in the context and waits until it has ended. It is called once for
  // each pass that the hardware needs.
  using Launch = std::function<Result<void>()>;

  // One value per metric, named as in Nsight Compute ("smsp__inst_executed.sum"). std::nullopt:
  // this chip does not have the metric. Clocks are not changed, caches are not flushed. The context
  // must be current. Trouble::Unsupported: the driver does not permit counting; the sentence says
  // how an administrator can permit it. An error of `launch` ends the counting and is returned.
  Result<std::vector<std::optional<double>>> count(const Context& context,
                                                   std::span<const std::string> metrics,
                                                   const Launch& launch) const;

  // The same for a launch of up to this many kernels, one after the other: their values in the
  // order in which they ran.
  static constexpr std::size_t kMostKernels = 8;
  using Values = std::vector<std::optional<double>>;
  Result<std::vector<Values>> countKernels(const Context& context,
                                           std::span<const std::string> metrics,
                                           const Launch& launch,
                                           std::size_t most = kMostKernels) const;

 private:
  Cupti() = default;
  Error error(cupti::Result result, std::string_view doing) const;

  cupti::Table api_;
};

}  // namespace tileloom::gpu
