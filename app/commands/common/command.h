// SPDX-License-Identifier: GPL-3.0-or-later
// Declares commands, their options and their help. Only command.cpp includes CLI11, because its
// header takes longer to compile than any of our sources.
//
//   Command command = root.addCommand("trace", "Count what a launch costs");
//   command.addOption("--size", options->size, "Size of the problem").typeName("MxNxK");
//   command.onRun([options, &outcome] { run(*options, outcome); });
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tileloom::app {

// An option, a flag or a positional of a command. A handle that may be copied; it is valid as long
// as the RootCommand.
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(&option) {}

  Argument typeName(const std::string& name) const;  // what help calls its value
  // Its value is the name of a file, a folder or a program; help shows `called`. An empty name is
  // refused, not ignored.
  Argument file(const std::string& called = "FILE") const;
  Argument notEmpty() const;
  Argument required() const;
  Argument showDefault() const;  // help shows the value that the variable has now
  Argument showDefault(const std::string& text) const;
  Argument separatedBy(char mark) const;  // one word may hold several values
  Argument repeatable() const;            // may be given again, with one value each time
  bool given() const;                     // once the words have been read

 private:
  CLI::Option* option_;
};

// The program's own command, or one of its commands. A handle like Argument.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command addCommand(const std::string& name, const std::string& what = {}) const;
  // "--size" is an option and "FILE" a positional. The variable must live until the words are read
  // and, for a command, as long as its callback needs it.
  Argument addOption(const std::string& name, std::string& into, const std::string& what) const;
  Argument addOption(const std::string& name, std::optional<std::string>& into,
                     const std::string& what) const;
  Argument addOption(const std::string& name, std::vector<std::string>& into,
                     const std::string& what) const;
  Argument addFlag(const std::string& name, bool& into, const std::string& what) const;
  // Accepts the old form with a file name if the word after the flag looks like one: "-", or a word
  // with a dot or a slash. Help does not show it. Not for a command that takes files.
  void addOldFile(const std::string& flag, std::optional<std::string>& into) const;
  void onRun(std::function<void()> callback) const;
  void requireCommand() const;                 // it does nothing without one of its commands
  void footer(const std::string& text) const;  // below its help
  void group(const std::string& title) const;  // under which the help of its parent lists it

  std::string name() const;
  Command command(const std::string& name) const;  // the one with this name, which must exist
  std::vector<Command> commands() const;
  std::optional<Command> chosen() const;  // the one of its commands that the words name

 private:
  CLI::App* app_;
};

// Why words could not be read, in the detail that the error sentence needs.
struct Misuse {
  std::vector<std::string> path;  // names of the commands that the words led to, the program first
  std::vector<std::string> commands;   // those of the last one
  std::optional<std::string> unknown;  // the first word that no argument takes
  std::optional<std::string> after;    // the flag before it, if its old form takes a file
  bool missing = false;                // a required argument
  struct Count {
    std::string option;  // that was given too often or without a value
    std::size_t times = 0;
  };
  std::optional<Count> count;
  std::optional<std::string> empty;  // the option or positional whose value is empty
  std::string text;                  // what CLI11 says
};

// The result of reading the words: nothing is set if the named commands have run.
struct WordsRead {
  std::optional<std::string> answer;  // to --help or --version
  std::optional<Misuse> misuse;
};

// The program: it owns its commands.
class RootCommand {
 public:
  RootCommand(const std::string& name, const std::string& what, const std::string& version);
  ~RootCommand();

  Command command() const { return Command(*app_); }
  // Runs the callbacks of the commands that the words name. Before that `whyNot` may refuse, with a
  // sentence that becomes the text of the misuse. What a callback throws passes through.
  WordsRead read(int argc, const char* const* argv,
                 const std::function<std::string()>& whyNot) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace tileloom::app
