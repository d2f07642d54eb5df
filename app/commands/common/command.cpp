// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <span>
#include <sstream>
#include <string_view>

#include "kernels/base/renamed_keys.h"

namespace tileloom::app {
namespace {

constexpr const char* kEmpty = "is empty";

std::vector<std::string> namesOf(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name());
  return names;
}

constexpr std::string_view kOfOld = "-file-of-old";

// The hidden option that takes the file of the old form "--flag FILE".
std::string oldFormOf(std::string_view flag) {
  return std::string(flag) + std::string(kOfOld);
}

bool looksLikeAFile(std::string_view word) {
  return word.empty() || word == "-" ||
         (!word.starts_with('-') && word.find_first_of("./") != std::string_view::npos);
}

// The command that the first words lead to.
CLI::App& commandOf(CLI::App& root, std::span<const std::string> words) {
  CLI::App* at = &root;
  for (const std::string& word : words) {
    const auto all = at->get_subcommands({});
    const auto next =
        std::ranges::find_if(all, [&](CLI::App* app) { return app->get_name() == word; });
    if (next == all.end()) break;
    at = *next;
  }
  return *at;
}

// The words with the old form "--flag FILE" taken apart into the flag and the hidden option.
std::vector<std::string> withoutOldForms(CLI::App& root, std::span<const std::string> words) {
  CLI::App& reached = commandOf(root, words);
  std::vector<std::string> apart;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::size_t equals = word.find('=');
    const std::string flag = word.substr(0, equals);
    const bool takes =
        flag.starts_with("--") && reached.get_option_no_throw(oldFormOf(flag)) != nullptr;
    const bool joined = equals != std::string::npos;
    const std::string file = joined                 ? word.substr(equals + 1)
                             : i + 1 < words.size() ? words[i + 1]
                                                    : std::string("--");
    if (!takes || !looksLikeAFile(file)) {
      apart.push_back(word);
      continue;
    }
    apart.insert(apart.end(), {flag, oldFormOf(flag), file});
    if (!joined) ++i;
  }
  return apart;
}

// The flag before this word, if its old form takes a file.
std::optional<std::string> flagBefore(CLI::App& reached, std::span<const std::string> words,
                                      const std::string& word) {
  const auto at = std::ranges::find(words, word);
  if (at == words.begin() || at == words.end()) return std::nullopt;
  const std::string& flag = *std::prev(at);
  if (!flag.starts_with("--") || reached.get_option_no_throw(oldFormOf(flag)) == nullptr)
    return std::nullopt;
  return flag;
}

Misuse misuseOf(CLI::App& root, const CLI::ParseError& error, std::span<const std::string> words) {
  Misuse misuse;
  CLI::App* reached = &root;
  misuse.path.push_back(root.get_name());
  while (!reached->get_subcommands().empty()) {
    reached = reached->get_subcommands().front();
    misuse.path.push_back(reached->get_name());
  }
  misuse.commands = namesOf(Command(*reached).commands());
  if (const auto unknown = root.remaining(true); !unknown.empty()) {
    misuse.unknown = unknown.front();
    misuse.after = flagBefore(*reached, words, unknown.front());
  }
  misuse.text = error.what();
  // "--runs: is empty"
  if (const std::string end = std::string(": ") + kEmpty; misuse.text.ends_with(end))
    misuse.empty = misuse.text.substr(0, misuse.text.size() - end.size());
  misuse.missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string label = misuse.text.substr(0, misuse.text.find(':'));
    if (const CLI::Option* option = reached->get_option_no_throw(label); option != nullptr)
      misuse.count = {label, option->count()};
    // CLI11 does not name a hidden option.
    for (const CLI::Option* option : reached->get_options()) {
      if (!option->get_group().empty() || option->count() < 2) continue;
      const std::string name = "--" + option->get_lnames().front();
      misuse.count = {name.substr(0, name.size() - kOfOld.size()), option->count()};
    }
  }
  return misuse;
}

// "--knob=BM=64" is "--parameter=BM=64": options that were renamed work under both names.
std::string underPresentName(const std::string& word) {
  if (!word.starts_with("--")) return word;
  const std::size_t end = std::min(word.find('='), word.size());
  return std::string(currentWord(std::string_view(word).substr(0, end))) + word.substr(end);
}

}  // namespace

Argument Argument::typeName(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

Argument Argument::file(const std::string& called) const {
  return typeName(called).notEmpty();
}

Argument Argument::notEmpty() const {
  option_->check([](const std::string& value) { return value.empty() ? kEmpty : std::string(); });
  return *this;
}

Argument Argument::required() const {
  option_->required();
  return *this;
}

Argument Argument::showDefault() const {
  option_->capture_default_str();
  return *this;
}

Argument Argument::showDefault(const std::string& text) const {
  option_->default_str(text);
  return *this;
}

Argument Argument::separatedBy(char mark) const {
  option_->delimiter(mark);
  return *this;
}

Argument Argument::repeatable() const {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

bool Argument::given() const {
  return option_->count() > 0;
}

Command Command::addCommand(const std::string& name, const std::string& what) const {
  return Command(*app_->add_subcommand(name, what));
}

Argument Command::addOption(const std::string& name, std::string& into,
                            const std::string& what) const {
  return Argument(*app_->add_option(name, into, what));
}

Argument Command::addOption(const std::string& name, std::optional<std::string>& into,
                            const std::string& what) const {
  return Argument(*app_->add_option(name, into, what));
}

Argument Command::addOption(const std::string& name, std::vector<std::string>& into,
                            const std::string& what) const {
  return Argument(*app_->add_option(name, into, what));
}

Argument Command::addFlag(const std::string& name, bool& into, const std::string& what) const {
  return Argument(*app_->add_flag(name, into, what));
}

void Command::addOldFile(const std::string& flag, std::optional<std::string>& into) const {
  app_->add_option(oldFormOf(flag), into)->group("");
}

void Command::onRun(std::function<void()> callback) const {
  app_->callback(std::move(callback));
}

void Command::requireCommand() const {
  app_->require_subcommand(1);
}

void Command::footer(const std::string& text) const {
  app_->footer(text);
}

void Command::group(const std::string& title) const {
  app_->group(title);
}

std::string Command::name() const {
  return app_->get_name();
}

Command Command::command(const std::string& name) const {
  return Command(*app_->get_subcommand(name));
}

std::vector<Command> Command::commands() const {
  std::vector<Command> list;
  for (CLI::App* app : app_->get_subcommands({})) list.emplace_back(*app);
  return list;
}

std::optional<Command> Command::chosen() const {
  const auto chosen = app_->get_subcommands();
  if (chosen.empty()) return std::nullopt;
  return Command(*chosen.front());
}

RootCommand::RootCommand(const std::string& name, const std::string& what,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(what, name)) {
  app_->set_version_flag("--version", name + " " + version, "Print the version and exit");
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->require_subcommand(0, 1);
  app_->get_formatter()->column_width(30);
  app_->get_formatter()->label("OPTIONS", "options");
  app_->get_formatter()->label("SUBCOMMAND", "command");
}

RootCommand::~RootCommand() = default;

WordsRead RootCommand::read(int argc, const char* const* argv,
                            const std::function<std::string()>& whyNot) const {
  app_->parse_complete_callback([&whyNot] {
    if (const std::string why = whyNot(); !why.empty()) throw CLI::ValidationError(why);
  });
  WordsRead done;
  const std::vector<std::string> given(argv + 1, argv + std::max(1, argc));
  std::vector<std::string> words = withoutOldForms(*app_, given);
  for (std::string& word : words) word = underPresentName(word);
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app_->parse(std::move(words));
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream text;
    app_->exit(asked, text, text);
    done.answer = text.str();
  } catch (const CLI::ParseError& error) {
    done.misuse = misuseOf(*app_, error, given);
  }
  return done;
}

}  // namespace tileloom::app
