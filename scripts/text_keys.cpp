// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the rows of resources/fingerprints/ for the kernels of this build, or of another tree: the
// fingerprint of each hash of a text, and the number of tokens that begin on each of its lines.
//
//   text_keys [FOLDER]     FOLDER holds kernels/stages/ and kernels/device/
//
// A rung that the tree lacks has no row. The assembler's options are those of this build.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <string>
#include <vector>

#include "kernels/tile/identity/text_keys.h"

namespace {

std::string textOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tileloom;
  std::list<std::string> texts;  // whose addresses do not change
  std::vector<SourceFile> files;
  const std::filesystem::path tree = argc > 1 ? argv[1] : "";
  const auto read = [&](std::string_view file) -> std::string_view {
    return texts.emplace_back(textOf(tree / file));
  };
  if (!tree.empty()) {
    for (const SourceFile& file : deviceFiles()) {
      if (const auto text = read(file.name); !text.empty()) files.push_back({file.name, text});
    }
  }
  for (const Stage* stage : everyStage()) {
    CodeText code = codeTextOf(*stage);
    if (!tree.empty()) {
      code.source = read(stage->file);
      // In an older tree both ladders are in one folder.
      if (code.source.empty()) code.source = read(fmt::format("kernels/stages/{}.cuh", stage->id));
      code.files = files;
    }
    if (code.source.empty()) continue;
    fmt::print("{{\"stage\":\"{}\",\"text\":\"{}\",\"fingerprint\":\"{}\",\"tokens\":[{}]}}\n",
               stage->id, textKeyOf(code), fingerprintOf(code),
               fmt::join(CodePlaces(code.source).tokensPerLine(), ","));
  }
}
