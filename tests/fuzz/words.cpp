// SPDX-License-Identifier: GPL-3.0-or-later
// Words on a command line: an accepted one is printed as a text that is read as the same. The first
// byte chooses the stage.
#include <fmt/format.h>

#include "app/commands/common/parse.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

template <class Parse, class Print>
void take(std::string_view text, Parse parse, Print print) {
  const auto value = parse(text);
  if (!value) return requireSentence(value.error());
  const auto again = parse(print(*value));
  require(again && *again == *value, "a word is taken as it is printed");
}

}  // namespace

void attack(std::string_view bytes) {
  if (bytes.empty()) return;
  const Stage& stage = stages()[static_cast<unsigned char>(bytes[0]) % stages().size()];
  const std::string_view text = bytes.substr(1);
  take(
      text, [&](std::string_view t) { return app::parseTile(stage, t); },
      [&](const TileShape& tile) { return tileText(stage, tile); });
  take(text, app::parseSize, [](const Problem& size) { return toString(size); });
  take(text, app::parseBlock,
       [](const Extent& block) { return fmt::format("{},{}", block.x, block.y); });
  take(
      text, [](std::string_view t) { return app::parseNumber("--threads", t, -5, 1024); },
      [](int number) { return fmt::format("{}", number); });
  take(
      text, [](std::string_view t) { return app::parseStage(t); },
      [](const Stage* named) { return std::string(named->id); });
}

}  // namespace tileloom::fuzz
