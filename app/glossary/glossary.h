// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of GEMM kernels and of Tileloom, each explained in one or two sentences, with its
// synonyms. The command palette and `tileloom glossary` find them by either; docs/glossary.md is
// written from them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/embedded_file.h"

namespace tileloom {

struct Stage;

struct Term {
  std::string term;               // NVIDIA's term, or Tileloom's own if there is none
  std::vector<std::string> also;  // synonyms, and words of former versions
  std::string means;              // one or two sentences
  std::string page;               // id of the page that shows it; empty: none does
  const Stage* rung = nullptr;    // the first rung that uses it; nullptr: none or all
};

namespace terms {
// Of resources/glossary.
std::span<const EmbeddedFile> glossaryFiles();
}  // namespace terms

// In alphabetical order.
std::span<const Term> glossary();

// Those whose name or synonym contains the word, ignoring case: whole names first.
std::vector<const Term*> termsLike(std::string_view word);

}  // namespace tileloom
