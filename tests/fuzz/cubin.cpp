// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled kernel and its instructions: all data that are read are within the file and are
// written back as the same bytes, and no bit of an instruction is lost. The input is tried as a
// file, and as the code of one.
#include "kernels/sass/cubin/cubin.h"

#include <algorithm>

#include "kernels/sass/cubin/module.h"
#include "kernels/sass/decode.h"
#include "kernels/sass/read_listing.h"
#include "tests/fuzz/support.h"
#include "tests/support/cubin_file.h"

namespace tileloom::fuzz {
namespace {

void readInstruction(const sass::CodeWord& word, std::uint32_t address, int capability) {
  const auto decoded = sass::decode(word, address, capability);
  if (!decoded) return requireSentence(decoded.error());
  const auto back = sass::encode(*decoded);
  require(back && *back == word, "an instruction is written back as the same bits");
  const std::string text = decoded->text();
  requirePlain(text);
  require(sass::parseInstruction(text).has_value(), "its text is that of an instruction");
  (void)decoded->reads();
  (void)decoded->writes();
}

void readAll(std::span<const char> file) {
  const auto module = sass::readModule(file);
  if (!module) return requireSentence(module.error());
  require(!module->kernels.empty(), "a module has a kernel");
  for (const sass::KernelImage& kernel : module->kernels) {
    for (const sass::KernelParameter& each : kernel.info.parameters)
      require(each.at + each.bytes <= kernel.info.parameterBytes,
              "a parameter is among the others");
    for (const std::uint32_t address : {0u, 16u, 0xffffffffu}) (void)kernel.lines.at(address);
  }
}

void read(std::span<const char> file) {
  readAll(file);
  const auto cubin = sass::readCubin(file);
  if (!cubin) return requireSentence(cubin.error());
  requirePlain(cubin->kernel);
  require(cubin->words.size() <= file.size() / sass::kCodeWordBytes, "code lies within the file");
  require(cubin->registers >= 0 && cubin->registers <= 255, "a thread has its registers");
  std::uint32_t address = 0;
  for (const sass::CodeWord& word : cubin->words) {
    readInstruction(word, address, cubin->capability);
    address += sass::kCodeWordBytes;
  }
  const auto same = sass::withCode(file, cubin->words, 0);
  if (same)
    require(std::ranges::equal(*same, file), "the file with its own code is the same");
  else
    requireSentence(same.error());
  if (const auto listing = sass::listingOf(*cubin))
    require(!listing->instructions.empty(), "a listing has instructions");
  else
    requireSentence(listing.error());
  if (const auto whole = sass::readListing(file)) {
    require(!whole->instructions.empty(), "a listing has instructions");
    require(whole->mostLive() <= 256, "a thread has 255 registers");
  } else {
    requireSentence(whole.error());
  }
}

}  // namespace

void attack(std::string_view bytes) {
  read(bytes);
  const std::string_view code =
      bytes.substr(0, bytes.size() / sass::kCodeWordBytes * sass::kCodeWordBytes);
  for (const int capability : {80, 90, 120})
    read(test::CubinFile{.capability = capability}.with(code));
}

}  // namespace tileloom::fuzz
