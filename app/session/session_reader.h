// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the members of an object in a session file.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/commands/common/parse.h"
#include "kernels/base/json_reader.h"

namespace tileloom {

inline constexpr int kMostInSession = std::numeric_limits<int>::max();

// "the session's "tile.BM" must be …"
inline std::string mustBe(std::string_view path, std::string_view wanted) {
  return fmt::format("the session's \"{}\" must be {}", app::quotable(path), wanted);
}

struct Range {
  long long least = 0, most = kMostInSession;
  std::string wanted() const { return fmt::format("a whole number from {} to {}", least, most); }
  // std::nullopt if the value is not such a number.
  std::optional<long long> in(const nlohmann::json& value) const {
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned() &&
        value.get<unsigned long long>() > static_cast<unsigned long long>(kMostInSession))
      return std::nullopt;
    const auto n = value.get<long long>();
    return n >= least && n <= most ? std::optional(n) : std::nullopt;
  }
};

// The place of a word in a list; std::nullopt if the value is not a word of it.
inline std::optional<std::size_t> placeIn(std::span<const std::string_view> list,
                                          std::string_view word) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == word) return i;
  }
  return std::nullopt;
}
inline std::optional<std::size_t> placeIn(std::span<const std::string_view> list,
                                          const nlohmann::json& value) {
  if (!value.is_string()) return std::nullopt;
  return placeIn(list, std::string_view(value.get_ref<const std::string&>()));
}

// The one reader of kernels/base with the words of a session file. A missing member keeps its
// default. The first complaint stays.
class SessionReader : public JsonReader {
 public:
  // `path`: of the object in the file, "tuning".
  SessionReader(const nlohmann::json& object, const std::string& path)
      : JsonReader(object, {.before = fmt::format("the session's \"{}.", app::quotable(path)),
                            .verb = "must be"}) {}

  long long number(const std::string& key, Range range, long long usual) {
    return whole(key, range.least, range.most, usual);
  }
  // The place of the word in the list; 0 if it is missing.
  std::size_t place(const std::string& key, std::span<const std::string_view> list) {
    return placeIn(list, std::string_view(word(key, list, list.front()))).value_or(0);
  }
  // The member as an object; nullptr if it is missing.
  const nlohmann::json* object(const std::string& key) {
    return JsonReader::object(key, Need::Optional);
  }
};

}  // namespace tileloom
