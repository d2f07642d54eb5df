// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tuning_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/parse.h"

namespace tileloom {

std::string axesText(const MapAxes& axes) {
  return fmt::format("{},{}", name(axes.up), name(axes.right));
}

tl::expected<MapAxes, std::string> parseAxes(std::string_view text) {
  const std::size_t comma = text.find(',');
  const auto up = knobNamed(text.substr(0, comma));
  const auto right =
      comma == std::string_view::npos ? std::nullopt : knobNamed(text.substr(comma + 1));
  if (!up || !right || *up == *right) {
    return tl::unexpected(
        fmt::format("\"{}\" are no axes of a map: name two knobs, upwards and to the right, such "
                    "as \"BM,BN\"",
                    app::quotable(text)));
  }
  return MapAxes{*up, *right};
}

std::string optionsOf(const TuningChoice& choice) {
  const TuningChoice usual;
  std::string options;
  if (choice.form != usual.form)
    options += fmt::format(" --form {}", kTuningFormNames[static_cast<std::size_t>(choice.form)]);
  if (choice.axes) options += " --axes " + axesText(*choice.axes);
  if (choice.others != usual.others)
    options += fmt::format(" --others {}", kOthersNames[static_cast<std::size_t>(choice.others)]);
  const auto device = [&](const char* option, std::string words) {
    if (words.empty()) return;
    // What a shell would not leave as it is in double quotes.
    std::erase_if(
        words, [](char c) { return std::string_view("\"\\$`").find(c) != std::string_view::npos; });
    options += fmt::format(" {} \"{}\"", option, words);
  };
  device("--on", choice.device);
  device("--and-on", choice.beside);
  return options;
}

}  // namespace tileloom
