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

#include "app/commands/parse.h"

namespace tileloom {

inline constexpr int kMostInSession = std::numeric_limits<int>::max();

// "the session's "tile.BM" must be …"
inline std::string mustBe(std::string_view path, std::string_view wanted) {
  return fmt::format("the session's \"{}\" must be {}", app::quotable(path), wanted);
}

struct Range {
  long long least = 0, most = kMostInSession;
  std::string wanted() const { return fmt::format("a whole number from {} to {}", least, most); }
  // Nothing if the value is no such number.
  std::optional<long long> in(const nlohmann::json& value) const {
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned() &&
        value.get<unsigned long long>() > static_cast<unsigned long long>(kMostInSession))
      return std::nullopt;
    const auto n = value.get<long long>();
    return n >= least && n <= most ? std::optional(n) : std::nullopt;
  }
};

// The place of a word in a list; nothing if the value is no word of it.
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

// What is missing keeps its default. The first complaint stays.
class JsonReader {
 public:
  JsonReader(const nlohmann::json& object, std::string path)
      : object_(object), path_(std::move(path)) {}

  long long number(const std::string& key, Range range, long long usual) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return usual;
    const auto n = range.in(*value);
    if (!n) complain(key, range.wanted());
    return n.value_or(usual);
  }

  std::size_t place(const std::string& key, std::span<const std::string_view> list) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return 0;
    const auto found = placeIn(list, *value);
    if (!found) complain(key, fmt::format("one of {}", fmt::join(list, ", ")));
    return found.value_or(0);
  }

  // The member as an object; nothing if it is not there.
  const nlohmann::json* object(const std::string& key) {
    const nlohmann::json* value = find(key);
    if (value == nullptr || value->is_object()) return value;
    complain(key, "an object");
    return nullptr;
  }

  const nlohmann::json* find(const std::string& key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  void complain(const std::string& key, std::string_view wanted) {
    accept(mustBe(path_ + "." + key, wanted));
  }
  void accept(const std::string& sentence) {
    if (complaint_.empty()) complaint_ = sentence;
  }
  const std::string& complaint() const { return complaint_; }

 private:
  const nlohmann::json& object_;
  std::string path_;
  std::string complaint_;
};

}  // namespace tileloom
