// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/source_hash.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/fnv.h"
#include "kernels/tile/build_target.h"

namespace tileloom {
namespace {

bool includes(std::string_view text, std::string_view name) {
  return text.find(fmt::format("#include \"{}\"", name)) != std::string_view::npos;
}

// The device files that a stage includes, itself or through another: a change of the others leaves
// its recorded runs true.
std::vector<SourceFile> includedFiles(const Stage& stage) {
  std::vector<SourceFile> found;
  const auto known = [&found](const SourceFile& file) {
    return std::ranges::any_of(found, [&](const SourceFile& f) { return f.name == file.name; });
  };
  for (std::size_t before = ~std::size_t{0}; before != found.size();) {
    before = found.size();
    for (const SourceFile& file : deviceFiles()) {
      if (known(file)) continue;
      const bool wanted =
          includes(sourceText(stage), file.name) ||
          std::ranges::any_of(found, [&](const auto& f) { return includes(f.text, file.name); });
      if (wanted) found.push_back(file);
    }
  }
  return found;
}

}  // namespace

std::string sourceHash(const Stage& stage) {
  Fnv hash;
  hash.add(sourceText(stage));
  for (const SourceFile& file : includedFiles(stage)) hash.add(file.text);
  hash.add(assemblerOption(stage));
  if (stage.rewriter > 0) hash.add(fmt::format("rewriter {}", stage.rewriter));
  return hash.text();
}

}  // namespace tileloom
