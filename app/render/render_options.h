// SPDX-License-Identifier: GPL-3.0-or-later
// The words of `tileloom render`: all options of a session, and those of pictures alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/common/command.h"

namespace tileloom::app {

// Used instead of a view's name.
inline constexpr std::string_view kAnimation = "animation";
// "loom, banks, …, window or animation"
std::string renderedNames();
// Ids of the pages that can be animated; the whole window can be animated, too.
std::vector<std::string_view> animatedNames();

// As typed.
struct RenderOptions {
  RenderOptions();
  std::string view;
  // Of the table of options, by their name on the command line.
  std::map<std::string_view, std::optional<std::string>> values;
  std::map<std::string_view, std::vector<std::string>> turnedOff;  // marks of switches
  std::map<std::string_view, bool> flags;
  std::string block = "0,0";
  std::optional<std::string> ktiles;
  std::optional<std::string> width, height;
  std::string scale = "1";
  bool grid = false;
  bool caption = false, noCaption = false;
  std::optional<std::string> measured;  // a file of timestamps
  std::optional<std::string> words;     // of an SVG: outlines or text
  std::string live = "0";
  std::vector<std::string> moves;
  std::string out;
  // Of an animation.
  std::optional<std::string> of, from, to, every, fps;
};

// Declares them; `options` must outlive the reading.
void addRenderOptions(Command command, RenderOptions& options);

}  // namespace tileloom::app
