// SPDX-License-Identifier: GPL-3.0-or-later
// The ids of the pages, as session files, links, the command line and file names use them. The row
// of a page has the rest: app/pages/page.h.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace tileloom {

inline constexpr std::array kPageIds = {
#define PAGE(name) std::string_view(#name),
#include "app/session/pages.def"
#undef PAGE
};

// Those below the loom, from left to right.
inline constexpr std::span<const std::string_view> kTabIds = std::span(kPageIds).subspan(1);

// The whole window is a picture, too, but not a page.
inline constexpr std::string_view kWindowId = "window";

}  // namespace tileloom
