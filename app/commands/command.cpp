// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"

#include <CLI/CLI.hpp>
#include <sstream>

namespace tileloom::app {
namespace {

std::vector<std::string> namesOf(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name());
  return names;
}

Misuse misuseOf(CLI::App& root, const CLI::ParseError& error) {
  Misuse misuse;
  CLI::App* reached = &root;
  misuse.path.push_back(root.get_name());
  while (!reached->get_subcommands().empty()) {
    reached = reached->get_subcommands().front();
    misuse.path.push_back(reached->get_name());
  }
  misuse.commands = namesOf(Command(*reached).commands());
  if (const auto unknown = root.remaining(true); !unknown.empty()) misuse.unknown = unknown.front();
  misuse.text = error.what();
  misuse.missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string label = misuse.text.substr(0, misuse.text.find(':'));
    if (const CLI::Option* option = reached->get_option_no_throw(label); option != nullptr)
      misuse.count = {label, option->count()};
  }
  return misuse;
}

}  // namespace

Argument Argument::typeName(const std::string& name) const {
  option_->type_name(name);
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
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream text;
    app_->exit(asked, text, text);
    done.answer = text.str();
  } catch (const CLI::ParseError& error) {
    done.misuse = misuseOf(*app_, error);
  }
  return done;
}

}  // namespace tileloom::app
