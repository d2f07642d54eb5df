// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view_state.h"

#include <fmt/format.h>

#include "app/commands/parse.h"
#include "kernels/tile/constraints.h"

namespace tileloom {

std::string pinnedText(const Pinned& pinned) {
  return fmt::format("{}:{}", pinned.stage->id, app::tileText(*pinned.stage, pinned.tile));
}

tl::expected<Pinned, std::string> parsePinned(std::string_view text) {
  const auto colon = text.find(':');
  const auto stage = app::parseStage(std::string(text.substr(0, colon)));
  if (!stage) return tl::unexpected(stage.error());
  Pinned pinned{*stage, (*stage)->standardTile()};
  if (colon != std::string_view::npos && colon + 1 < text.size()) {
    const auto tile = app::parseTile(**stage, std::string(text.substr(colon + 1)));
    if (!tile) return tl::unexpected(tile.error());
    pinned.tile = *tile;
  }
  if (auto why = explainTile(*pinned.stage, pinned.tile); !why.empty()) return tl::unexpected(why);
  return pinned;
}

std::string commandLineOf(const ViewState& state, const Extent& block, std::string_view tab,
                          std::string_view zoom, std::string_view theme, int text,
                          const std::vector<std::string_view>& without) {
  std::string line = fmt::format(
      "tileloom render window --stage {} --tile {} --size {} --block {},{} --warp {} --step {}",
      state.stage->id, app::tileText(*state.stage, state.tile), toString(state.problem), block.x,
      block.y, state.warp, state.index);
  if (state.held.thread && *state.held.thread / emulator::kWarpSize == state.warp)
    line += fmt::format(" --lane {}", *state.held.thread % emulator::kWarpSize);
  if (state.pinned) line += " --beside " + pinnedText(*state.pinned);
  line += fmt::format(" --zoom {} --tab {} --theme {}", zoom, tab, theme);
  if (text != kUsualText) line += fmt::format(" --text {}", text);
  for (const std::string_view panel : without) line += fmt::format(" --without {}", panel);
  line += " --out view.png";
  return line;
}

}  // namespace tileloom
