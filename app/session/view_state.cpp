// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/view_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/common/parse.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/subject.h"

namespace tileloom {

Format formatOf(const Stage& stage, Format halves) {
  return stage.calculatesIn(halves) ? halves : stage.usualFormat();
}

std::optional<Subject> inFormat(std::optional<Subject> pinned, Format halves) {
  if (pinned) pinned->format = formatOf(*pinned->rung(), halves);
  return pinned;
}

std::string pinnedText(const Subject& pinned) {
  return fmt::format("{}:{}", pinned.rung()->id, app::tileText(*pinned.rung(), pinned.tile));
}

tl::expected<Subject, std::string> parsePinned(std::string_view text) {
  const auto colon = text.find(':');
  const auto stage = app::parseStage(std::string(text.substr(0, colon)));
  if (!stage) return tl::unexpected(stage.error());
  Subject pinned = standardSubject(**stage);
  if (colon != std::string_view::npos && colon + 1 < text.size()) {
    const auto tile = app::parseTile(**stage, std::string(text.substr(colon + 1)));
    if (!tile) return tl::unexpected(tile.error());
    pinned.tile = *tile;
  }
  if (auto why = explainTile(*pinned.rung(), pinned.tile); !why.empty()) return tl::unexpected(why);
  return pinned;
}

}  // namespace tileloom
