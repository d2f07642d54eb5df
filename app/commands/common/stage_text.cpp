// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/stage_text.h"

#include <fmt/format.h>

#include "kernels/base/trimmed.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/whole_tiles.h"

namespace tileloom::app {
std::string stageHeading(const Stage& stage) {
  const std::string title = stage.title == stage.id ? "" : fmt::format(": {}", stage.title);
  const std::string other =
      stage.literature > 0 ? fmt::format(" (Boehm's kernel {})", stage.literature) : "";
  return fmt::format("{}, rung {}{}{}", stage.id, rungLabel(stage), other, title);
}

std::string_view sourceLine(const Stage& stage, int line) {
  std::string_view rest = sourceText(stage);
  for (int at = 1; at < line; ++at) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  return line < 1 ? std::string_view{} : trimmed(rest.substr(0, rest.find('\n')));
}

std::string shortSourceLine(const Stage& stage, int line) {
  constexpr std::size_t kColumn = 52;
  const std::string_view whole = sourceLine(stage, line);
  const std::string_view code = trimmed(whole.substr(0, whole.find("  //")));
  if (code.size() <= kColumn) return std::string(code);
  return std::string(code.substr(0, kColumn - 3)) + "...";
}

std::string usualSmsText(const Architecture& arch) {
  return arch.name == defaultArchitecture().name
             ? fmt::format("the {} SMs of an H100 or H200", kUsualSms)
             : fmt::format("{} SMs, as an H100 has; GPUs of {} may have others", kUsualSms,
                           arch.name);
}

std::string paddedNote(const Stage& stage, const TileShape& tile, const Problem& problem) {
  const Padding padding = paddingOf(stage, tile, problem);
  return padding.any() ? "\n" + paddingText(padding) : std::string();
}

}  // namespace tileloom::app
