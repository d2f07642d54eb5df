// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/view_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/parse.h"
#include "kernels/tile/constraints.h"

namespace tileloom {

Arithmetic arithmeticOf(const Stage& stage, Arithmetic halves) {
  return stage.calculatesIn(halves) ? halves : stage.arithmetic();
}

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

}  // namespace tileloom
