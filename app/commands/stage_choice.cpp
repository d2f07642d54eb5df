// SPDX-License-Identifier: GPL-3.0-or-later
// Separate from the command line, so that sessions can be read without it.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands/parse.h"
#include "app/commands/stage_options.h"
#include "kernels/tile/words.h"

namespace tileloom::app {

tl::expected<StageChoice, std::string> chosenStage(const StageOptions& options,
                                                   std::string_view command) {
  if (options.stage.empty()) {
    return tl::unexpected(fmt::format(
        "{} needs a stage: name one, such as warptiled, or see tileloom stages", command));
  }
  const auto stage = parseStage(options.stage);
  if (!stage) return tl::unexpected(stage.error());
  StageChoice choice{*stage, (*stage)->standardTile(), (*stage)->arithmetic()};
  if (options.arithmetic) {
    const auto arithmetic = arithmeticNamed(*options.arithmetic);
    if (!arithmetic) return tl::unexpected(arithmetic.error());
    const auto& known = (*stage)->arithmetics;
    if (std::ranges::find(known, *arithmetic) == known.end()) {
      return tl::unexpected(fmt::format("{} does not support {}: choose {}", (*stage)->id,
                                        rowOf(*arithmetic).name,
                                        fmt::join(arithmeticNames(**stage), " or ")));
    }
    choice.arithmetic = *arithmetic;
  }
  if (options.tile) {
    const auto tile = parseTile(**stage, *options.tile);
    if (!tile) return tl::unexpected(tile.error());
    choice.tile = *tile;
  }
  return choice;
}

}  // namespace tileloom::app
