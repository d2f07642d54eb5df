// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/base/plain_text.h"
#include "kernels/base/renamed_keys.h"

namespace tileloom {
namespace {

using nlohmann::json;

struct Extents {
  int depth = 0;           // the deepest place
  int open = 0;            // at the end
  std::size_t values = 0;  // at most this many
};

// Found without building any value. Strings begin and end here where the parser sees them begin and
// end, up to the first error in the text, where the parser stops.
Extents extentsOf(std::string_view text) {
  Extents e;
  e.values = 1;
  bool inText = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inText) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        inText = false;
      }
      continue;
    }
    switch (c) {
      case '"':
        inText = true;
        break;
      case '[':
      case '{':
        ++e.values;
        e.depth = std::max(e.depth, ++e.open);
        break;
      case ']':
      case '}':
        --e.open;
        break;
      case ',':
        ++e.values;
        break;
      default:
        break;
    }
  }
  return e;
}

tl::expected<json, std::string> parsed(std::string_view text, const JsonBounds& bounds,
                                       bool objectOnly) {
  const std::string none(objectOnly ? kNoJsonObject : "this is not JSON");
  if (text.size() > bounds.bytes)
    return tl::unexpected(fmt::format("this line is longer than {} KiB", bounds.bytes / 1024));
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  // The parser takes a zero byte for the end of the text.
  if (text.find('\0') != text.npos) return tl::unexpected(none);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || (objectOnly && text[first] != '{')) return tl::unexpected(none);
  const Extents extents = extentsOf(text);
  if (extents.open != 0) return tl::unexpected(none);  // cut off
  if (extents.depth > bounds.depth)
    return tl::unexpected(fmt::format("this JSON is nested deeper than {} levels", bounds.depth));
  if (extents.values > bounds.values)
    return tl::unexpected(fmt::format("this JSON has more than {} values", bounds.values));
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded() || (objectOnly && !value.is_object())) return tl::unexpected(none);
  return value;
}

}  // namespace

tl::expected<json, std::string> parseJson(std::string_view text, const JsonBounds& bounds) {
  return parsed(text, bounds, false);
}

tl::expected<json, std::string> parseJsonObject(std::string_view text, const JsonBounds& bounds) {
  return parsed(text, bounds, true);
}

JsonReader::JsonReader(const json& object, JsonWording wording, const json* common)
    : object_(object), wording_(std::move(wording)), common_(common) {
  if (!object_.is_object()) take(fmt::format("{} is not an object", wording_.whole));
}

const json* JsonReader::find(std::string_view key) const {
  const json* found = nullptr;
  for (const json* from : {&object_, common_}) {
    if (from == nullptr || !from->is_object()) continue;
    for (const std::string_view name : {key, formerKey(key)}) {
      if (found != nullptr || name.empty()) continue;
      if (const auto at = from->find(name); at != from->end()) found = &*at;
    }
  }
  return found != nullptr && wording_.nullIsAbsent && found->is_null() ? nullptr : found;
}

const json* JsonReader::need(std::string_view key) {
  const json* value = find(key);
  if (value == nullptr) say(key, wording_.absent);
  return value;
}

const json* JsonReader::member(std::string_view key, Need how) {
  return how == Need::Required ? need(key) : find(key);
}

bool JsonReader::wholeIn(const json& value, std::int64_t least, std::int64_t most,
                         std::int64_t& into) const {
  if (value.is_number_integer()) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost) return false;
    into = value.get<std::int64_t>();
  } else {
    constexpr double kExact = 9007199254740992.0;  // above it a double skips whole numbers
    const auto given = jsonNumber(value, -kExact, kExact);
    if (!wording_.floatsMayBeWhole || !given || *given != std::trunc(*given)) return false;
    into = static_cast<std::int64_t>(*given);
  }
  return into >= least && into <= most;
}

std::int64_t JsonReader::whole(std::string_view key, std::int64_t least, std::int64_t most,
                               std::optional<std::int64_t> usual) {
  const json* value = member(key, usual ? Need::Optional : Need::Required);
  std::int64_t number = 0;
  if (value != nullptr && wholeIn(*value, least, most, number)) return number;
  if (value != nullptr) complain(key, fmt::format("a whole number from {} to {}", least, most));
  return usual.value_or(least);
}

int JsonReader::integer(std::string_view key, int least, int most, std::optional<int> usual) {
  return static_cast<int>(
      whole(key, least, most, usual ? std::optional<std::int64_t>(*usual) : std::nullopt));
}

double JsonReader::number(std::string_view key, double least, double most,
                          std::optional<double> usual) {
  const json* value = member(key, usual ? Need::Optional : Need::Required);
  if (value != nullptr) {
    if (const auto number = jsonNumber(*value, least, most)) return *number;
    complain(key, fmt::format("a number from {:g} to {:g}", least, most));
  }
  return usual.value_or(least);
}

double JsonReader::clamped(std::string_view key, double least, double most, double usual) {
  const json* value = find(key);
  if (value == nullptr) return usual;
  constexpr double kAny = std::numeric_limits<double>::max();
  const auto number = jsonNumber(*value, -kAny, kAny);
  if (!number) complain(key, "a number");
  return std::clamp(number.value_or(usual), least, most);
}

std::string JsonReader::text(std::string_view key, std::size_t longest,
                             std::optional<std::string_view> usual) {
  const json* value = member(key, usual ? Need::Optional : Need::Required);
  if (value != nullptr) {
    const auto* const text = value->get_ptr<const std::string*>();
    if (text == nullptr) {
      complain(key, "a string");
    } else if (text->size() > longest) {
      say(key, fmt::format("is longer than {} bytes", longest));
    } else if (hasControlCharacters(*text)) {
      say(key, "contains control characters");
    } else {
      return *text;
    }
  }
  return std::string(usual.value_or(""));
}

bool JsonReader::flag(std::string_view key, std::optional<bool> usual) {
  const json* value = member(key, usual ? Need::Optional : Need::Required);
  if (value != nullptr && value->is_boolean()) return value->get<bool>();
  if (value != nullptr) complain(key, "true or false");
  return usual.value_or(false);
}

std::string JsonReader::word(std::string_view key, std::span<const std::string_view> allowed,
                             std::optional<std::string_view> usual) {
  const json* value = member(key, usual ? Need::Optional : Need::Required);
  if (value != nullptr) {
    const auto* const text = value->get_ptr<const std::string*>();
    if (text != nullptr && std::ranges::find(allowed, *text) != allowed.end()) return *text;
    complain(key, fmt::format("one of {}", fmt::join(allowed, ", ")));
  }
  return std::string(usual.value_or(""));
}

const json* JsonReader::object(std::string_view key, Need how) {
  const json* value = member(key, how);
  if (value == nullptr || value->is_object()) return value;
  complain(key, "an object");
  return nullptr;
}

const json& JsonReader::list(std::string_view key, std::size_t most, std::string_view things,
                             Need how) {
  static const json none = json::array();
  const json* value = member(key, how);
  if (value == nullptr) return none;
  if (value->is_array() && value->size() <= most) return *value;
  complain(key, fmt::format("a list of at most {} {}", most, things));
  return none;
}

void JsonReader::complain(std::string_view key, std::string_view wanted) {
  say(key, fmt::format("{} {}", wording_.verb, wanted));
}

void JsonReader::say(std::string_view key, std::string_view ending) {
  take(fmt::format("{}{}{} {}", wording_.before, key, wording_.after, ending));
}

void JsonReader::take(std::string sentence) {
  if (complaint_.empty()) complaint_ = std::move(sentence);
}

std::optional<double> jsonNumber(const json& value, double least, double most) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  // False for NaN, too.
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

}  // namespace tileloom
