// SPDX-License-Identifier: GPL-3.0-or-later
// One object of a lecture file while it is read: as JsonReader, and it knows where in the file the
// first complaint belongs.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "kernels/base/json_reader.h"
#include "kernels/base/plain_text.h"

namespace tileloom::lecture {

// The first complaint of a file.
struct Trouble {
  std::string pointer;   // to the value, as RFC 6901 has it
  std::string sentence;  // without a full stop
  bool empty() const { return sentence.empty(); }
  void set(std::string where, std::string what) {
    if (!empty()) return;
    pointer = std::move(where);
    sentence = std::move(what);
  }
};

class Part {
 public:
  // `before`: how a complaint names a member: "the step's \"".
  Part(const nlohmann::json& object, std::string pointer, std::string before, Trouble& trouble)
      : object_(object),
        reader_(object, {.before = std::move(before), .verb = "must be", .whole = "this"}),
        pointer_(std::move(pointer)),
        trouble_(trouble) {
    if (!object.is_object()) trouble_.set(pointer_, "this must be an object");
  }

  // Any other member is a complaint. `what`: "a step".
  void only(std::initializer_list<std::string_view> names, std::string_view what) {
    if (!object_.is_object()) return;
    for (const auto& [key, value] : object_.items()) {
      if (std::ranges::find(names, key) != names.end()) continue;
      trouble_.set(pointer_ + "/" + key, fmt::format("there is no \"{}\" in {}: it has {}",
                                                     quotable(key), what, fmt::join(names, ", ")));
      return;
    }
  }

  std::string text(std::string_view key, std::size_t longest,
                   std::optional<std::string_view> usual = std::nullopt) {
    return noted(key, reader_.text(key, longest, usual));
  }
  std::string word(std::string_view key, std::span<const std::string_view> allowed) {
    return noted(key, reader_.word(key, allowed));
  }
  double number(std::string_view key, double least, double most,
                std::optional<double> usual = std::nullopt) {
    return noted(key, reader_.number(key, least, most, usual));
  }
  std::int64_t whole(std::string_view key, std::int64_t least, std::int64_t most,
                     std::optional<std::int64_t> usual = std::nullopt) {
    return noted(key, reader_.whole(key, least, most, usual));
  }
  bool flag(std::string_view key, bool usual) { return noted(key, reader_.flag(key, usual)); }
  // These two may be left out.
  const nlohmann::json* object(std::string_view key) {
    return noted(key, reader_.object(key, JsonReader::Need::Optional));
  }
  const nlohmann::json& list(std::string_view key, std::size_t most, std::string_view things) {
    const auto& value = reader_.list(key, most, things, JsonReader::Need::Optional);
    noted(key, 0);
    return value;
  }
  bool has(std::string_view key) const { return reader_.find(key) != nullptr; }

  void complain(std::string_view key, std::string_view wanted) {
    reader_.complain(key, wanted);
    noted(key, 0);
  }
  void say(std::string_view key, std::string_view ending) {
    reader_.say(key, ending);
    noted(key, 0);
  }
  // A sentence of its own about this member.
  void take(std::string_view key, std::string sentence) {
    trouble_.set(pointer_ + "/" + std::string(key), std::move(sentence));
  }

 private:
  template <class T>
  T noted(std::string_view key, T value) {
    if (!reader_.good()) trouble_.set(pointer_ + "/" + std::string(key), reader_.complaint());
    return value;
  }

  const nlohmann::json& object_;
  JsonReader reader_;
  std::string pointer_;
  Trouble& trouble_;
};

}  // namespace tileloom::lecture
