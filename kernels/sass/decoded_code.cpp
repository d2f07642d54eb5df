// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/decoded_code.h"

#include <fmt/format.h>

namespace tileloom::sass {

tl::expected<std::vector<Decoded>, std::string> decodeAll(std::span<const CodeWord> words,
                                                          int capability) {
  std::vector<Decoded> code;
  code.reserve(words.size());
  std::uint32_t address = 0;
  for (const CodeWord& word : words) {
    auto decoded = decode(word, address, capability);
    if (!decoded)
      return tl::unexpected(
          fmt::format("{} (0x{:016x}{:016x})", decoded.error(), word.high, word.low));
    code.push_back(std::move(*decoded));
    address += kCodeWordBytes;
  }
  return code;
}

tl::expected<Listing, std::string> textOf(std::span<const Decoded> code, std::string_view kernel) {
  Listing listing;
  listing.kernel = kernel;
  listing.instructions.reserve(code.size());
  for (const Decoded& each : code) {
    auto instruction = parseInstruction(each.text());
    if (!instruction)
      return tl::unexpected(fmt::format("the instruction at {:#06x} has no text", each.address));
    instruction->address = each.address;
    listing.instructions.push_back(std::move(*instruction));
  }
  return listing;
}

tl::expected<Listing, std::string> listingOf(const Cubin& cubin) {
  const auto code = decodeAll(cubin.words, cubin.capability);
  if (!code) return tl::unexpected(code.error());
  auto listing = textOf(*code, cubin.kernel);
  if (listing) dropPadding(*listing);
  return listing;
}

}  // namespace tileloom::sass
