// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/access_request.h"

#include <fmt/format.h>

#include <charconv>

#include "kernels/base/plain_text.h"

namespace tileloom::own {

tl::expected<PatternPadding, std::string> parsePadding(std::string_view text) {
  PatternPadding made;
  const char* const last = text.data() + text.size();
  const auto row = std::from_chars(text.data(), last, made.row);
  if (row.ec == std::errc() && row.ptr != last && *row.ptr == ',') {
    const char* next = row.ptr + 1;
    while (next != last && *next == ' ') ++next;
    const auto pad = std::from_chars(next, last, made.pad);
    if (pad.ec == std::errc() && pad.ptr == last && made.row >= 1 && made.row <= kMostPadding &&
        made.pad >= 0 && made.pad <= kMostPadding)
      return made;
  }
  return tl::unexpected(
      fmt::format("the padding \"{}\" is not ROW,PAD: write 32,1 for one element after each 32",
                  quotable(text)));
}

}  // namespace tileloom::own
