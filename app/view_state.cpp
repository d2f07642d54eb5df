// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view_state.h"

#include <fmt/format.h>

#include "app/commands/parse.h"

namespace tileloom {

std::string commandLineOf(const ViewState& state, const Extent& block, std::string_view tab,
                          std::string_view theme, int text) {
  std::string line = fmt::format(
      "tileloom render window --stage {} --tile {} --size {} --block {},{} --warp {} --step {}",
      state.stage->id, app::tileText(*state.stage, state.tile), toString(state.problem), block.x,
      block.y, state.warp, state.index);
  if (state.held.thread && *state.held.thread / emulator::kWarpSize == state.warp)
    line += fmt::format(" --lane {}", *state.held.thread % emulator::kWarpSize);
  line += fmt::format(" --tab {} --theme {}", tab, theme);
  if (text != 100) line += fmt::format(" --text {}", text);
  line += " --out view.png";
  return line;
}

}  // namespace tileloom
