// SPDX-License-Identifier: GPL-3.0-or-later
// Separate from the command line, so that sessions can be read without it.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands/common/parse.h"
#include "app/commands/common/stage_options.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::app {

tl::expected<Subject, std::string> chosenStage(const StageOptions& options,
                                               std::string_view command) {
  if (options.stage.empty()) {
    return tl::unexpected(fmt::format(
        "{} needs a stage: name one, such as warptiled, or see tileloom stages", command));
  }
  const auto stage = parseStage(options.stage);
  if (!stage) return tl::unexpected(stage.error());
  Subject choice{*stage, (*stage)->standardTile(), (*stage)->usualFormat()};
  if (options.format) {
    const auto format = formatNamed(*options.format);
    if (!format) return tl::unexpected(format.error());
    const auto& known = (*stage)->formats;
    if (std::ranges::find(known, *format) == known.end()) {
      return tl::unexpected(fmt::format("{} does not support {}: choose {}", (*stage)->id,
                                        rowOf(*format).name,
                                        fmt::join(formatNames(**stage), " or ")));
    }
    choice.format = *format;
  }
  if (options.tile) {
    const auto tile = parseTile(**stage, *options.tile);
    if (!tile) return tl::unexpected(tile.error());
    choice.tile = *tile;
  }
  return choice;
}

}  // namespace tileloom::app
