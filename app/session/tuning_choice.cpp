// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/tuning_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/common/parse.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"

namespace tileloom {

std::string axesText(const MapAxes& axes) {
  return fmt::format("{},{}", name(axes.up), name(axes.right));
}

tl::expected<MapAxes, std::string> parseAxes(std::string_view text) {
  const std::size_t comma = text.find(',');
  const auto up = parameterNamed(text.substr(0, comma));
  const auto right =
      comma == std::string_view::npos ? std::nullopt : parameterNamed(text.substr(comma + 1));
  if (!up || !right || *up == *right) {
    return tl::unexpected(
        fmt::format("\"{}\" does not name the axes of a map: name two tile parameters, for rows "
                    "and columns, such as \"BM,BN\"",
                    app::quotable(text)));
  }
  return MapAxes{*up, *right};
}

TuningChoice ofRecordings(TuningChoice choice, const Stage& stage, const Problem& problem,
                          Format format) {
  if (choice.axes &&
      (stage.spec(choice.axes->up) == nullptr || stage.spec(choice.axes->right) == nullptr))
    choice.axes.reset();
  std::vector<const runs::RunRecord*> runs;
  for (const runs::RunRecord& run : runs::recordings()) runs.push_back(&run);
  const auto devices = tuning::devicesOf(runs, stage, problem, format);
  for (std::string* device : {&choice.device, &choice.beside}) {
    if (std::ranges::find(devices, *device) == devices.end()) device->clear();
  }
  // Otherwise the device would be beside itself.
  if (!devices.empty() &&
      choice.beside == (choice.device.empty() ? devices.front() : choice.device))
    choice.beside.clear();
  return choice;
}

}  // namespace tileloom
