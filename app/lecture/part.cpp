// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/part.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/base/json_lines.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/renamed_keys.h"

namespace tileloom::lecture {

using nlohmann::json;

void Trouble::set(std::string where, std::string what) {
  if (!empty()) return;
  pointer = std::move(where);
  sentence = std::move(what);
}

Part::Part(const json& object, std::string pointer, std::string before, Trouble& trouble)
    : object_(object),
      reader_(object, {.before = std::move(before), .verb = "must be", .whole = "this"}),
      pointer_(std::move(pointer)),
      trouble_(trouble) {
  if (!object.is_object()) trouble_.set(pointer_, "this must be an object");
}

void Part::only(std::initializer_list<std::string_view> names, std::string_view what) {
  if (!object_.is_object()) return;
  for (const auto& [key, value] : object_.items()) {
    if (std::ranges::find(names, currentKey(key)) != names.end()) continue;
    trouble_.set(memberOf(pointer_, key), fmt::format("there is no \"{}\" in {}: it has {}",
                                                      quotable(key), what, fmt::join(names, ", ")));
    return;
  }
}

void Part::note(std::string_view key) {
  if (!reader_.good()) trouble_.set(memberOf(pointer_, key), reader_.complaint());
}

std::string Part::text(std::string_view key, std::size_t longest,
                       std::optional<std::string_view> usual) {
  std::string value = reader_.text(key, longest, usual);
  note(key);
  return value;
}

std::string Part::word(std::string_view key, std::span<const std::string_view> allowed) {
  std::string value = reader_.word(key, allowed);
  note(key);
  return value;
}

double Part::number(std::string_view key, double least, double most, std::optional<double> usual) {
  const double value = reader_.number(key, least, most, usual);
  note(key);
  return value;
}

std::int64_t Part::whole(std::string_view key, std::int64_t least, std::int64_t most,
                         std::optional<std::int64_t> usual) {
  const std::int64_t value = reader_.whole(key, least, most, usual);
  note(key);
  return value;
}

bool Part::flag(std::string_view key, bool usual) {
  const bool value = reader_.flag(key, usual);
  note(key);
  return value;
}

const json* Part::object(std::string_view key) {
  const json* value = reader_.object(key, JsonReader::Need::Optional);
  note(key);
  return value;
}

const json& Part::list(std::string_view key, std::size_t most, std::string_view things) {
  const json& value = reader_.list(key, most, things, JsonReader::Need::Optional);
  note(key);
  return value;
}

void Part::complain(std::string_view key, std::string_view wanted) {
  reader_.complain(key, wanted);
  note(key);
}

void Part::say(std::string_view key, std::string_view ending) {
  reader_.say(key, ending);
  note(key);
}

void Part::take(std::string_view key, std::string sentence) {
  trouble_.set(memberOf(pointer_, key), std::move(sentence));
}

}  // namespace tileloom::lecture
