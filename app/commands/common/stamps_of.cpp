// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/stamps_of.h"

#include <fmt/format.h>

#include "app/commands/common/stage_text.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/recorded/stamp_files.h"

namespace tileloom::app {

tl::expected<timeline::Measured, std::string> stampsOf(const std::string& file,
                                                       const Subject& choice) {
  auto stamps = timeline::readStamps(file);
  if (!stamps) return stamps;
  const timeline::Measured& m = *stamps;
  if (m.rung() != choice.rung()) {
    return tl::unexpected(
        fmt::format("the timestamps are of {} and not of {}", m.rung()->id, choice.rung()->id));
  }
  if (!(m.tile == choice.tile)) {
    return tl::unexpected(fmt::format("the timestamps are of the tile {}: choose it with --tile",
                                      tileText(*m.rung(), m.tile)));
  }
  if (m.format != choice.format) {
    return tl::unexpected(
        fmt::format("the timestamps are of {}: choose it with --arithmetic", rowOf(m.format).name));
  }
  return stamps;
}

}  // namespace tileloom::app
