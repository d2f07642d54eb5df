// SPDX-License-Identifier: GPL-3.0-or-later
// Hardware counters of a launch, through CUPTI's range profiler (CUDA 13) where it is found and the
// driver permits it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/gpu/cupti_api.h"
#include "kernels/gpu/driver.h"

namespace tileloom::gpu {

class Cupti {
 public:
  // Loads the library and starts its profiler. Trouble::Missing or ::Unsupported with what to
  // install; whether the driver permits counting shows at the first `count`.
  static Result<std::unique_ptr<Cupti>> open();
  // Where the library is, if there is one of the needed version; nothing is started.
  static Result<std::string> present();
  Cupti(const Cupti&) = delete;
  Cupti& operator=(const Cupti&) = delete;
  ~Cupti();

  // Launches exactly one kernel in the context and waits until it has ended; called once for each
  // pass that the hardware needs.
  using Launch = std::function<Result<void>()>;

  // One value for each metric, by the names of Nsight Compute ("smsp__inst_executed.sum"); nothing
  // for a metric that this chip does not have. Clocks are left as they are, caches are not flushed.
  // Trouble::Unsupported where the driver does not permit it, with how an administrator allows it;
  // an error of `launch` ends the counting and is returned. The context must be current.
  Result<std::vector<std::optional<double>>> count(const Context& context,
                                                   std::span<const std::string> metrics,
                                                   const Launch& launch) const;

 private:
  Cupti() = default;
  Error error(cupti::Result result, std::string_view doing) const;

  cupti::Table api_;
};

}  // namespace tileloom::gpu
