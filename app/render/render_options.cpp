// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/render_options.h"

#include <fmt/format.h>

#include "app/pages/page.h"
#include "app/session/options.h"
#include "app/session/page_ids.h"

namespace tileloom::app {
namespace {

// The option of a row; does nothing if the command line has none, or the row before has added it.
void addRow(const Command& command, const Option& row, RenderOptions& options) {
  if (row.help.empty()) return;
  const std::string words(row.words);
  if (row.kind == Option::Kind::Flag) {
    command.addFlag(words, options.flags[row.words], row.help);
    return;
  }
  const Argument argument = row.kind == Option::Kind::Switch
                                ? command.addOption(words, options.turnedOff[row.words], row.help)
                                : command.addOption(words, options.values[row.words], row.help);
  argument.typeName(std::string(row.valueName));
  if (row.showsUsual) argument.showDefault(row.usual);
}

void addPlace(const Command& command, RenderOptions& options) {
  command.addOption("--block", options.block, "blockIdx of the shown block")
      .typeName("X,Y")
      .showDefault();
  command
      .addOption("--ktiles", options.ktiles,
                 "how many K tiles to trace (default: as many as the window)")
      .typeName("N");
}

void addMoves(const Command& command, RenderOptions& options) {
  command
      .addOption("--live", options.live,
                 "for the window and its charts: start the worker, and stay this many seconds at "
                 "each tile")
      .typeName("SECONDS")
      .showDefault();
  command
      .addOption("--move", options.moves,
                 "for the window and its charts: tile parameters to set before the picture, one "
                 "after the other (BK=8)")
      .typeName("PARAMETER=N,...");
}

}  // namespace

std::vector<std::string_view> animatedNames() {
  std::vector<std::string_view> names;
  for (const PageRow* row : pageRows()) {
    if (row->moves) names.push_back(row->id);
  }
  return names;
}

std::string renderedNames() {
  return fmt::format("{}, {} or {}", fmt::join(kPageIds, ", "), kWindowId, kAnimation);
}

RenderOptions::RenderOptions() {
  for (const Option& option : options()) {
    if (option.words.empty() || option.kind == Option::Kind::Switch) continue;
    if (option.kind == Option::Kind::Flag) {
      flags[option.words] = false;
      continue;
    }
    auto& value = values[option.words];
    if (!option.usual.empty()) value = option.usual;
  }
}

void addRenderOptions(Command command, RenderOptions& options) {
  command.addOption("VIEW", options.view, renderedNames()).typeName("").required();
  for (const Option& row : tileloom::options()) {
    // Help lists related options together.
    if (row.words == "--theme") addMoves(command, options);
    addRow(command, row, options);
    if (row.words == kSizeOption) addPlace(command, options);
    if (row.words == "--lane")
      command.addFlag("--grid", options.grid, "zoom the loom out to the whole grid");
  }
  command
      .addOption("--width", options.width,
                 "of the picture (default: 1200, the window 1600, source and tables as needed)")
      .typeName("PIXELS");
  command
      .addOption("--height", options.height,
                 "with the caption (default: 1000, the banks 420, the table as needed)")
      .typeName("PIXELS");
  command
      .addOption("--scale", options.scale,
                 "pixels of the file for each of these (4K: 1920x1080 at 2)")
      .typeName("N")
      .showDefault();
  command
      .addOption("--measured", options.measured,
                 "of the timeline: timestamps to show below it, as \"tileloom timeline STAGE "
                 "--measure FILE\" writes them (default: those that ship)")
      .file();
  command.addFlag("--caption", options.caption,
                  "below the picture, words on what it shows (menus of the window do so)");
  command
      .addOption(
          "--words", options.words,
          "of an SVG: outlines (default), which look the same everywhere, or text, which can "
          "be searched and edited")
      .typeName("HOW");
  command.addFlag("--no-caption", options.noCaption, "without them (default)");
  command
      .addOption("--view", options.of,
                 fmt::format("for an animation: {} or {} (default: loom)",
                             fmt::join(animatedNames(), ", "), kWindowId))
      .typeName("VIEW");
  command
      .addOption("--from", options.from,
                 "for an animation: its first one (default: of the first K tile)")
      .typeName("INSTRUCTION");
  command
      .addOption("--to", options.to,
                 "for an animation: its last one (default: of the first K tile)")
      .typeName("INSTRUCTION");
  command
      .addOption(
          "--every", options.every,
          "for an animation, a frame for each instruction, dot or ktile, or even: 120 at even "
          "distances (default: instruction where that makes 240 at most, else even)")
      .typeName("WHAT");
  command
      .addOption("--fps", options.fps,
                 "for an animation: frames per second (default: as many as make it last some 10 "
                 "seconds)")
      .typeName("N");
  command
      .addOption("--out", options.out,
                 "file to write: .png, .svg or .pdf; of an animation .mp4, .gif or a folder for "
                 "PNGs")
      .file()
      .required();
}

}  // namespace tileloom::app
