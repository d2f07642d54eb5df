// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles that were tuned on the device at hand, for the commands that measure default tiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/common/measuring.h"
#include "kernels/tuning/best.h"

namespace tileloom::app {

class TunedDefaults {
 public:
  // Reads the user's best-known tiles; a file that cannot be read has none.
  explicit TunedDefaults(const Measuring& measuring);
  std::optional<tuning::BestTile> of(const Stage& stage, const Problem& problem,
                                     Format format) const;

 private:
  std::vector<tuning::BestTile> all_;
  std::string device_, driver_;
};

void addStandardOption(Command command, bool& standard);  // --standard

}  // namespace tileloom::app
