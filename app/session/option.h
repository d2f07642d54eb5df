// SPDX-License-Identifier: GPL-3.0-or-later
// One option of a session: how a file and a command line name it, and how its value is written and
// read. options.h has the table.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tileloom {

struct Session;

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

}  // namespace tileloom
