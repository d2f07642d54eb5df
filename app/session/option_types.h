// SPDX-License-Identifier: GPL-3.0-or-later
// How values of an option are written and read, in a session file and on the command line:
//
//   json(value)               for a file
//   read(json, name, value)   from there; empty, or a sentence that names the option
//   words(value)              for a command line; std::nullopt: the option is left out
//   take(text, value)         from there; empty, or a sentence
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "app/commands/common/parse.h"
#include "app/session/option.h"
#include "app/session/session_reader.h"

namespace tileloom {

// An enumeration with a list of names in its order, or a text that is one of the names.
struct Names {
  static constexpr Option::Kind kKind = Option::Kind::Name;
  std::span<const std::string_view> list;
  const char* refusal;  // on the command line, about a word {0} that is not in the list {1}

  template <class T>
  std::string_view nameOf(const T& value) const {
    if constexpr (std::is_enum_v<T>) {
      return list[static_cast<std::size_t>(value)];
    } else {
      return value;
    }
  }
  template <class T>
  bool set(std::optional<std::size_t> place, T& value) const {
    if (!place) return false;
    if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(*place);
    } else {
      value = T(list[*place]);
    }
    return true;
  }
  template <class T>
  nlohmann::ordered_json json(const T& value) const {
    return nameOf(value);
  }
  template <class T>
  std::string read(const nlohmann::json& from, std::string_view name, T& value) const {
    if (set(placeIn(list, from), value)) return {};
    return mustBe(name, fmt::format("one of {}", fmt::join(list, ", ")));
  }
  template <class T>
  std::optional<std::string> words(const T& value) const {
    return std::string(nameOf(value));
  }
  template <class T>
  std::string take(const std::string& text, T& value) const {
    if (set(placeIn(list, std::string_view(text)), value)) return {};
    return fmt::format(fmt::runtime(refusal), app::quotable(text), fmt::join(list, ", "));
  }
};

struct Numbers {
  static constexpr Option::Kind kKind = Option::Kind::Number;
  std::string_view option;  // as an error on the command line calls it
  Range file = {};
  std::pair<int, int> line = {};

  template <class T>
  nlohmann::ordered_json json(const T& value) const {
    return value;
  }
  template <class T>
  std::string read(const nlohmann::json& from, std::string_view name, T& value) const {
    const auto n = file.in(from);
    if (!n) return mustBe(name, file.wanted());
    value = static_cast<T>(*n);
    return {};
  }
  template <class T>
  std::optional<std::string> words(const T& value) const {
    return fmt::format("{}", value);
  }
  template <class T>
  std::string take(const std::string& text, T& value) const {
    const auto n = app::parseNumber(option, text, line.first, line.second);
    if (!n) return n.error();
    value = static_cast<T>(*n);
    return {};
  }
};

// A number that need not be chosen; no choice means `usual`.
struct ChosenNumber {
  static constexpr Option::Kind kKind = Option::Kind::Number;
  Numbers numbers;
  int usual;

  nlohmann::ordered_json json(const std::optional<int>& value) const {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  }
  std::string read(const nlohmann::json& from, std::string_view name,
                   std::optional<int>& value) const {
    return numbers.read(from, name, value.emplace());
  }
  std::optional<std::string> words(const std::optional<int>& value) const {
    return value == usual ? std::nullopt : numbers.words(value.value_or(usual));
  }
  std::string take(const std::string& text, std::optional<int>& value) const {
    return numbers.take(text, value.emplace());
  }
};

// On by default; the command line names what is off.
struct Switch {
  static constexpr Option::Kind kKind = Option::Kind::Switch;
  std::string_view mark;

  nlohmann::ordered_json json(bool value) const { return value; }
  std::string read(const nlohmann::json& from, std::string_view name, bool& value) const {
    if (!from.is_boolean()) return mustBe(name, "true or false");
    value = from.get<bool>();
    return {};
  }
  std::optional<std::string> words(bool value) const {
    return value ? std::nullopt : std::optional(std::string(mark));
  }
  std::string take(const std::string&, bool& value) const {
    value = false;
    return {};
  }
};

// Off by default; the command line turns it on by its words alone.
struct Flag {
  static constexpr Option::Kind kKind = Option::Kind::Flag;

  nlohmann::ordered_json json(bool value) const { return value; }
  std::string read(const nlohmann::json& from, std::string_view name, bool& value) const {
    if (!from.is_boolean()) return mustBe(name, "true or false");
    value = from.get<bool>();
    return {};
  }
  std::optional<std::string> words(bool value) const {
    return value ? std::optional(std::string()) : std::nullopt;
  }
  std::string take(const std::string&, bool& value) const {
    value = true;
    return {};
  }
};

// Any printable words; on the command line in double quotes.
struct Text {
  static constexpr Option::Kind kKind = Option::Kind::Text;
  std::size_t longest;  // in bytes

  nlohmann::ordered_json json(const std::string& value) const { return value; }
  std::string read(const nlohmann::json& from, std::string_view name, std::string& value) const {
    if (!from.is_string() || !fits(from.get_ref<const std::string&>()))
      return mustBe(name, wanted());
    value = from.get<std::string>();
    return {};
  }
  std::optional<std::string> words(std::string_view value) const {
    // Up to what a shell would change in double quotes.
    value = value.substr(0, value.find_first_of("\"\\$`"));
    return value.empty() ? std::nullopt : std::optional(fmt::format("\"{}\"", value));
  }
  std::string take(const std::string& text, std::string& value) const {
    if (!fits(text)) return fmt::format("\"{}\" is not {}", app::quotable(text), wanted());
    value = text;
    return {};
  }

 private:
  bool fits(std::string_view text) const { return text.size() <= longest && isPlain(text); }
  std::string wanted() const {
    return fmt::format("a text of at most {} bytes without control characters", longest);
  }
};

// A text in the file and on the command line, by two functions: `print`, and `parse`, which says
// what is wrong. The member is a T, or a std::optional<T> that an empty word resets.
template <class T>
struct Parsed {
  static constexpr Option::Kind kKind = Option::Kind::Value;
  std::string (*print)(const T&);
  tl::expected<T, std::string> (*parse)(std::string_view);
  std::string_view wanted;  // "a text such as …"

  static const T& value(const T& v) { return v; }
  static const T& value(const std::optional<T>& v) { return *v; }

  template <class Member>
  nlohmann::ordered_json json(const Member& member) const {
    if constexpr (!std::is_same_v<Member, T>) {
      if (!member) return nullptr;  // nothing is chosen
    }
    return print(value(member));
  }
  template <class Member>
  std::string read(const nlohmann::json& from, std::string_view name, Member& member) const {
    if (!from.is_string()) return mustBe(name, wanted);
    auto parsed = parse(from.get_ref<const std::string&>());
    if (!parsed) return mustBe(name, wanted);
    member = std::move(*parsed);
    return {};
  }
  template <class Member>
  std::optional<std::string> words(const Member& member) const {
    return print(value(member));
  }
  template <class Member>
  std::string take(const std::string& text, Member& member) const {
    if constexpr (!std::is_same_v<Member, T>) {
      member.reset();
      if (text.empty()) return {};
    }
    auto parsed = parse(text);
    if (!parsed) return parsed.error();
    member = std::move(*parsed);
    return {};
  }
};

// `member` returns the member of a session, to read or to change: [](auto& s) -> auto& { … }.
template <class Member, class Type>
Option row(Option made, Member member, Type type) {
  made.kind = Type::kKind;
  made.equal = [member](const Session& a, const Session& b) { return member(a) == member(b); };
  made.write = [member, type](const Session& s) { return type.json(member(s)); };
  made.read = [member, type, name = made.name](const nlohmann::json& value, Session& s) {
    return type.read(value, name, member(s));
  };
  if (made.words.empty()) return made;
  made.print = [member, type](const Session& s) { return type.words(member(s)); };
  made.take = [member, type](const std::string& text, Session& s) {
    return type.take(text, member(s));
  };
  return made;
}

}  // namespace tileloom
