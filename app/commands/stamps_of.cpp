// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/stamps_of.h"

#include <fmt/format.h>

#include "app/commands/stage_text.h"
#include "kernels/timeline/stamp_files.h"

namespace tileloom::app {

tl::expected<timeline::Measured, std::string> stampsOf(const std::string& file,
                                                       const StageChoice& choice) {
  auto stamps = timeline::readStamps(file);
  if (!stamps) return stamps;
  const timeline::Measured& m = *stamps;
  if (m.stage != choice.stage) {
    return tl::unexpected(
        fmt::format("the timestamps are of {} and not of {}", m.stage->id, choice.stage->id));
  }
  if (!(m.tile == choice.tile)) {
    return tl::unexpected(fmt::format("the timestamps are of the tile {}: choose it with --tile",
                                      tileText(*m.stage, m.tile)));
  }
  if (m.arithmetic != choice.arithmetic) {
    return tl::unexpected(fmt::format("the timestamps are of {}: choose it with --arithmetic",
                                      rowOf(m.arithmetic).name));
  }
  return stamps;
}

}  // namespace tileloom::app
