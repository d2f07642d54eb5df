// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/stamped_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/tile/stage.h"
#include "kernels/timeline/stamp_words.h"

namespace tileloom::gpu {
namespace {

constexpr std::string_view kFile = "kernels/device/stamps.cuh";

}  // namespace

Result<std::string> stampedSource(std::string_view text) {
  const auto none = [](std::string_view what) {
    return fail(Trouble::Failed,
                fmt::format("this kernel's source has no {}, so that no stamp has a place in it: "
                            "choose another rung",
                            what));
  };
  const std::size_t include = text.rfind("\n#include ");
  if (include == std::string_view::npos) return none("#include of a device file");
  const std::size_t behind = std::min(text.find('\n', include + 1), text.size() - 1) + 1;
  // "KERNEL(id, threads)\n(parameters) {"
  std::size_t kernel = text.find("KERNEL", behind);
  while (kernel != std::string_view::npos) {
    const std::size_t line = text.rfind('\n', kernel) + 1;
    const std::string_view before = text.substr(line, kernel - line);
    if (std::ranges::all_of(before, [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); }))
      break;
    kernel = text.find("KERNEL", kernel + 1);
  }
  if (kernel == std::string_view::npos) return none("line that begins with KERNEL");
  const std::size_t brace = text.find(") {", kernel);
  if (brace == std::string_view::npos) return none("\") {\" behind its parameters");
  const std::size_t body = brace + 3;
  const auto next = 1 + std::ranges::count(text.substr(0, behind), '\n');
  return fmt::format("{}#include \"{}\"\n#line {}\n{} TILELOOM_STAMPING;{}", text.substr(0, behind),
                     kFile, next, text.substr(behind, body - behind), text.substr(body));
}

std::vector<std::string> stampOptions() {
  std::vector<std::string> options = timeline::stampWordOptions();
  options.push_back(fmt::format("-DTILELOOM_STAMPS={}u", kStampsPerWarp));
  return options;
}

std::string_view stampsFile() {
  for (const SourceFile& file : deviceFiles()) {
    if (file.name == kFile) return file.text;
  }
  return {};
}

}  // namespace tileloom::gpu
