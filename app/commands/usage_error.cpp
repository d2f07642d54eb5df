// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/usage_error.h"

#include <fmt/format.h>

#include "app/commands/parse.h"

namespace tileloom::app {
namespace {

std::string choices(const CLI::App& app) {
  std::string list;
  for (const CLI::App* sub : app.get_subcommands({})) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", sub->get_name());
  }
  return list;
}

// The innermost command that the words led to: its name in a sentence ("trace", or the program's
// own), and how to ask for its help.
struct Reached {
  const CLI::App* app;
  std::string name;
  std::string help;
};

Reached reachedBy(const CLI::App& root) {
  Reached reached{&root, root.get_name(), root.get_name()};
  while (!reached.app->get_subcommands().empty()) {
    reached.app = reached.app->get_subcommands().front();
    const std::string& word = reached.app->get_name();
    reached.name = reached.app->get_parent() == &root ? word : reached.name + " " + word;
    reached.help += " " + word;
  }
  reached.help += " --help";
  return reached;
}

std::string notExpected(const Reached& reached, const std::string& word) {
  const bool isOption = word.size() > 1 && word.front() == '-';
  if (isOption) {
    return fmt::format("{} has no option \"{}\": see {}", reached.name, quotable(word),
                       reached.help);
  }
  if (const std::string commands = choices(*reached.app); !commands.empty()) {
    return fmt::format("{} has no command \"{}\": choose one of {}", reached.name, quotable(word),
                       commands);
  }
  return fmt::format("{} has no use for \"{}\": leave it out, or see {}", reached.name,
                     quotable(word), reached.help);
}

}  // namespace

std::string unknownWord(const CLI::App& root, const std::string& word) {
  return notExpected({&root, root.get_name(), root.get_name() + " --help"}, word);
}

std::string usageSentence(const CLI::App& root, const CLI::ParseError& error) {
  const Reached reached = reachedBy(root);
  // Whatever else is missing, a word that nobody knows is the better explanation.
  if (const auto unknown = root.remaining(true); !unknown.empty()) {
    return notExpected(reached, unknown.front());
  }
  const std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    if (const std::string commands = choices(*reached.app); !commands.empty()) {
      return fmt::format("{} needs a command: choose one of {}", reached.name, commands);
    }
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string label = text.substr(0, text.find(':'));
    const CLI::Option* option = reached.app->get_option_no_throw(label);
    if (option != nullptr && option->count() > 1) {
      return fmt::format("{} is given {} times to {}: give it once", label, option->count(),
                         reached.name);
    }
    if (option != nullptr) {
      return fmt::format("{} of {} needs a value: see {}", label, reached.name, reached.help);
    }
  }
  return fmt::format("{} cannot read its arguments ({}): see {}", reached.name, text, reached.help);
}

}  // namespace tileloom::app
