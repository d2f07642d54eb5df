// SPDX-License-Identifier: GPL-3.0-or-later
// The table of options: what a session file keeps, a link carries, "Copy as command line" prints
// and `tileloom render` accepts, a row per option. A new option is a member of Session, a row in
// options.cpp, and its use.
//
// A new row does not change kSessionSchema: a session without the name keeps the default, and a
// reader that does not know the name ignores it. The schema gets a new version only when an older
// Tileloom would misread the file: when a name that it knows comes to mean something else, or
// takes values that it would refuse.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tileloom {

struct Session;

// Names that other code needs, too.
inline constexpr std::string_view kSizeOption = "--size", kStepOption = "--step";

struct Option {
  // Name: one of a list. Flag: off by default, and on if the command line has its words.
  enum class Kind { Name, Number, Switch, Flag, Text, Value };

  // The position of the option in what is written. Options without an order come last, in the order
  // of the table; the orders of files and command lines are older than the table.
  struct Place {
    int order = 1000;
    bool always = false;  // otherwise only if it differs from its default
  };

  std::string_view name = {};       // in a session file; "tuning.form" is a member of "tuning"
  std::string_view words = {};      // on the command line, "--form"; empty: not available there
  std::string_view valueName = {};  // what help calls the value
  std::string help = {};
  std::string_view mark = {};  // of a switch: the value of `words` that turns it off
  Place file = {}, line = {};
  bool required = false;     // in a session file
  bool showsUsual = false;   // help shows `usual`
  std::string usual = {};    // what `render` uses without the option
  std::string example = {};  // a value that is not the default, as a session file has it
  Kind kind = Kind::Value;

  std::function<bool(const Session&, const Session&)> equal = {};
  // Writes the value for a session file, and reads it; an error is one sentence without a full
  // stop.
  std::function<nlohmann::ordered_json(const Session&)> write = {};
  std::function<std::string(const nlohmann::json&, Session&)> read = {};
  // The value on the command line (std::nullopt: the option is left out), and the reverse.
  std::function<std::optional<std::string>(const Session&)> print = {};
  std::function<std::string(const std::string&, Session&)> take = {};
};

// In the order in which help lists them and readers read them: the stage is first, since tiles
// depend on it.
std::span<const Option> options();
std::vector<const Option*> inOrder(Option::Place Option::*place);

}  // namespace tileloom
