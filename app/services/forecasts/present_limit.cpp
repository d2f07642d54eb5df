// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/present_limit.h"

#include "app/services/forecasts/launch_limit.h"
#include "app/services/services.h"

namespace tileloom {

std::optional<model::Limit> launchLimit(Services& services) {
  const analysis::Recording* const recording = presentRecording(services);
  if (recording == nullptr) return std::nullopt;
  const auto& kernel = services.lab.kernel();
  const auto arch =
      kernel && !kernel->arch.isEmpty()
          ? architectureNamed(kernel->arch.toStdString()).value_or(services.lab.arch())
          : services.lab.arch();
  return launchLimit(*recording, kernel ? &*kernel : nullptr, arch, &services.ceilings.get());
}

}  // namespace tileloom
