// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes as text that fits into a line of JSON (RFC 4648, with padding).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tileloom {

std::string toBase64(std::span<const char> bytes);
// std::nullopt: it is not such a text.
std::optional<std::vector<char>> fromBase64(std::string_view text);

}  // namespace tileloom
