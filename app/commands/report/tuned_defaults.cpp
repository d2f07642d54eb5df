// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/tuned_defaults.h"

namespace tileloom::app {

TunedDefaults::TunedDefaults(const Measuring& measuring)
    : all_(tuning::readBest(tuning::defaultBestFile()).value_or(std::vector<tuning::BestTile>())),
      device_(measuring.device().name),
      driver_(all_.empty() ? "" : measuring.driverVersion()) {}

std::optional<tuning::BestTile> TunedDefaults::of(const Stage& stage, const Problem& problem,
                                                  Format format) const {
  return tuning::bestTile(all_, stage, problem, {device_, driver_}, format);
}

void addStandardOption(Command command, bool& standard) {
  command.addFlag("--standard", standard,
                  "Use the literature's tile, not one that was tuned on this device");
}

}  // namespace tileloom::app
