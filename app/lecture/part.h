// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one object of a lecture file, like JsonReader, and keeps the place of the first complaint.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/base/json_reader.h"

namespace tileloom::lecture {

// The first complaint of a file.
struct Trouble {
  std::string pointer;   // to the value, as RFC 6901 has it
  std::string sentence;  // without a full stop
  bool empty() const { return sentence.empty(); }
  void set(std::string where, std::string what);  // only the first one counts
};

class Part {
 public:
  // `before`: how a complaint names a member: "the step's \"".
  Part(const nlohmann::json& object, std::string pointer, std::string before, Trouble& trouble);

  // Any other member is a complaint. `what`: "a step".
  void only(std::initializer_list<std::string_view> names, std::string_view what);

  // As in JsonReader.
  std::string text(std::string_view key, std::size_t longest,
                   std::optional<std::string_view> usual = std::nullopt);
  std::string word(std::string_view key, std::span<const std::string_view> allowed);
  double number(std::string_view key, double least, double most,
                std::optional<double> usual = std::nullopt);
  std::int64_t whole(std::string_view key, std::int64_t least, std::int64_t most,
                     std::optional<std::int64_t> usual = std::nullopt);
  bool flag(std::string_view key, bool usual);
  // These two are optional.
  const nlohmann::json* object(std::string_view key);
  const nlohmann::json& list(std::string_view key, std::size_t most, std::string_view things);
  bool has(std::string_view key) const { return reader_.find(key) != nullptr; }

  void complain(std::string_view key, std::string_view wanted);
  void say(std::string_view key, std::string_view ending);
  // A complete sentence about this member.
  void take(std::string_view key, std::string sentence);

 private:
  void note(std::string_view key);

  const nlohmann::json& object_;
  JsonReader reader_;
  std::string pointer_;
  Trouble& trouble_;
};

}  // namespace tileloom::lecture
