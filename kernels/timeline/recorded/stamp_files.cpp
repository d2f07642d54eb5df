// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/recorded/stamp_files.h"

#include <fmt/format.h>

#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"

namespace tileloom::timeline {
namespace {

constexpr std::size_t kMostBytes = 16 << 20;

}  // namespace

tl::expected<Measured, std::string> readStamps(const std::string& file) {
  const auto text = readText(file, kMostBytes, Absent::IsAnError);
  if (!text) return tl::unexpected(text.error());
  auto stamps = measuredFrom(*text);
  if (!stamps) {
    return tl::unexpected(
        fmt::format("\"{}\" has no readable timestamps: {}", quotable(file), stamps.error()));
  }
  return stamps;
}

}  // namespace tileloom::timeline
