// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/usage_error.h"

#include <fmt/format.h>

#include "app/commands/common/parse.h"

namespace tileloom::app {
namespace {

// Characters of the parser's message, which quotes a word of any length.
constexpr std::size_t kMostOfParser = 200;

// The innermost command that the words led to: its name in a sentence ("trace", or the program's
// own), and how to ask for its help.
struct Reached {
  std::string name;
  std::string help;
};

Reached reachedBy(const std::vector<std::string>& path) {
  const auto inner = path.begin() + (path.size() > 1 ? 1 : 0);
  return {fmt::format("{}", fmt::join(inner, path.end(), " ")),
          fmt::format("{} --help", fmt::join(path, " "))};
}

std::string notExpected(const Misuse& misuse, const std::string& word) {
  const auto [name, help] = reachedBy(misuse.path);
  if (misuse.after) {
    return fmt::format(
        "{} takes no value, and {} has no use for \"{}\": for a file write {} --out {}",
        *misuse.after, name, quotable(word), *misuse.after, quotable(word));
  }
  const bool isOption = word.size() > 1 && word.front() == '-';
  if (isOption) return fmt::format("{} has no option \"{}\": see {}", name, quotable(word), help);
  if (!misuse.commands.empty()) {
    return fmt::format("{} has no command \"{}\": choose one of {}", name, quotable(word),
                       fmt::join(misuse.commands, ", "));
  }
  return fmt::format("{} has no use for \"{}\": leave it out, or see {}", name, quotable(word),
                     help);
}

}  // namespace

std::string unknownWord(const Command& root, const std::string& word) {
  Misuse misuse;
  misuse.path.push_back(root.name());
  for (const Command& command : root.commands()) misuse.commands.push_back(command.name());
  return notExpected(misuse, word);
}

std::string usageSentence(const Misuse& misuse) {
  // An unknown word explains more than a missing one.
  if (misuse.unknown) return notExpected(misuse, *misuse.unknown);
  const auto [name, help] = reachedBy(misuse.path);
  if (misuse.missing && !misuse.commands.empty()) {
    return fmt::format("{} needs a command: choose one of {}", name,
                       fmt::join(misuse.commands, ", "));
  }
  if (misuse.empty) {
    return fmt::format("{} of {} is empty: give it a value, or see {}", *misuse.empty, name, help);
  }
  if (misuse.count && misuse.count->times > 1) {
    return fmt::format("{} is given {} times to {}: give it once", misuse.count->option,
                       misuse.count->times, name);
  }
  if (misuse.count)
    return fmt::format("{} of {} needs a value: see {}", misuse.count->option, name, help);
  return fmt::format("{} cannot read its arguments ({}): see {}", name,
                     quotable(misuse.text, kMostOfParser), help);
}

}  // namespace tileloom::app
