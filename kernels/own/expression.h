// SPDX-License-Identifier: GPL-3.0-or-later
// Whole numbers as texts: "cdiv(N, BN)", "4 * BM * BK + 1024", "lane < 16 ? lane : lane ^ 3". Names
// have values (M, N, K, and others of a launch, or lane and warp of an access). Operators are those
// of C, with its precedence: ?: || && | ^ & == != < > <= >= << >> + - * / % - ~ !. A comparison is
// 1 or 0, and / rounds towards zero. Numbers are decimal or begin with 0x. Functions are cdiv
// (division rounded up), min and max.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom::own {

using Names = std::map<std::string, std::int64_t, std::less<>>;

// The error is one sentence without a full stop: what is wrong, and where in the text.
tl::expected<std::int64_t, std::string> evaluate(std::string_view text, const Names& names);

// Whether it is a letter or underscore, and then letters, digits and underscores.
bool isName(std::string_view text);

}  // namespace tileloom::own
