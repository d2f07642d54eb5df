// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/glossary/glossary.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "kernels/base/json_reader.h"
#include "kernels/tile/stage.h"

namespace tileloom {
namespace {

std::string lower(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

// The file ships with the program: an error in it is a bug.
Term termOf(std::string_view line) {
  const auto json = parseJsonObject(line, kRecordBounds);
  if (!json) throw std::logic_error("glossary: " + json.error());
  JsonReader reader(*json);
  Term term;
  term.term = reader.text("term", 80);
  term.means = reader.text("means", 400);
  term.page = reader.text("page", 40, "");
  const std::string rung = reader.text("rung", 40, "");
  if (!reader.good()) throw std::logic_error("glossary: " + reader.complaint());
  for (const auto& word : json->at("also")) term.also.push_back(word.get<std::string>());
  if (rung.empty()) return term;
  const auto all = everyStage();
  const auto found = std::ranges::find_if(all, [&](const Stage* s) { return s->id == rung; });
  if (found == all.end()) throw std::logic_error("glossary: no rung is called " + rung);
  term.rung = *found;
  return term;
}

std::vector<Term> readAll() {
  std::vector<Term> all;
  for (const EmbeddedFile& file : terms::glossaryFiles()) {
    std::string_view rest = file.text;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (!line.empty()) all.push_back(termOf(line));
    }
  }
  std::ranges::sort(all, {}, [](const Term& t) { return lower(t.term); });
  return all;
}

// 0: the whole name; 1: a whole synonym; 2: a part of the name; 3: of a synonym; 4: nothing.
int rank(const Term& term, const std::string& word) {
  int best = 4;
  const auto look = [&](std::string_view name, int whole, int part) {
    const std::string small = lower(name);
    if (small == word) best = std::min(best, whole);
    if (small.find(word) != std::string::npos) best = std::min(best, part);
  };
  look(term.term, 0, 2);
  for (const std::string& name : term.also) look(name, 1, 3);
  return best;
}

}  // namespace

std::span<const Term> glossary() {
  static const std::vector<Term> all = readAll();
  return all;
}

std::vector<const Term*> termsLike(std::string_view word) {
  const std::string small = lower(word);
  std::vector<std::pair<int, const Term*>> found;
  for (const Term& term : glossary()) {
    if (const int r = rank(term, small); r < 4) found.emplace_back(r, &term);
  }
  std::ranges::stable_sort(found, {}, [](const auto& f) { return f.first; });
  std::vector<const Term*> best;
  for (const auto& [r, term] : found) best.push_back(term);
  return best;
}

}  // namespace tileloom
