// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/glossary.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/common/json.h"
#include "app/commands/common/shared_options.h"
#include "app/glossary/glossary.h"
#include "kernels/base/plain_text.h"
#include "kernels/tile/stage.h"

namespace tileloom::app {
namespace {

struct Options {
  std::optional<std::string> word;
  bool json = false;
  bool markdown = false;
};

using Terms = std::vector<const Term*>;

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

// Where it is shown: "page banks, first used by rung 9 (padded)".
std::string seenText(const Term& term) {
  std::vector<std::string> places;
  if (!term.page.empty()) places.push_back(fmt::format("page {}", term.page));
  if (term.rung != nullptr)
    places.push_back(fmt::format("rung {} ({})", rungLabel(*term.rung), term.rung->id));
  return joined(places);
}

std::string glossaryText(const Terms& terms) {
  std::string text;
  for (const Term* term : terms) {
    text += fmt::format("{}{}\n  {}\n", text.empty() ? "" : "\n", term->term, term->means);
    if (!term->also.empty()) text += fmt::format("  also: {}\n", joined(term->also));
    if (const std::string seen = seenText(*term); !seen.empty())
      text += fmt::format("  shown by: {}\n", seen);
  }
  return text;
}

// A vertical bar must not end the cell.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

std::string glossaryMarkdown(const Terms& terms) {
  std::string text =
      "# Glossary\n\n"
      "This file is written by `tileloom glossary --markdown`. The window finds these words with "
      "Ctrl+K, and shows them under Help › Glossary. A page is named by its id, as `tileloom "
      "render "
      "window --tab ID` takes it; a rung is the first one that uses what the word means.\n\n"
      "| word | meaning | also called | page | rung |\n|---|---|---|---|---|\n";
  for (const Term* term : terms) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", cell(term->term), cell(term->means),
                        cell(joined(term->also)), term->page,
                        term->rung != nullptr ? rungLabel(*term->rung) : std::string());
  }
  return text;
}

Json glossaryJson(const Terms& terms) {
  Json list = Json::array();
  for (const Term* term : terms) {
    Json entry = {{"term", term->term}, {"also", term->also}, {"means", term->means}};
    if (!term->page.empty()) entry["page"] = term->page;
    if (term->rung != nullptr) entry["rung"] = term->rung->id;
    list.push_back(std::move(entry));
  }
  return {{"schema", "tileloom.glossary/1"}, {"terms", std::move(list)}};
}

void run(const Options& options, Outcome& outcome) {
  const Terms terms = termsLike(options.word.value_or(""));
  if (terms.empty()) {
    return outcome.fail(fmt::format(
        "the glossary has no word \"{}\": try a part of it, or tileloom glossary for all words",
        quotable(*options.word)));
  }
  outcome.output = options.json       ? jsonText(glossaryJson(terms))
                   : options.markdown ? glossaryMarkdown(terms)
                                      : glossaryText(terms);
}

}  // namespace

void addGlossaryCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("glossary", "Say what a word means, and where the window shows it");
  const auto options = std::make_shared<Options>();
  command.addOption("WORD", options->word, "A word or a part of one; without it, all words");
  command.addFlag("--markdown", options->markdown, "Print a table for docs/glossary.md");
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
