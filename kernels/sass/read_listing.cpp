// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/read_listing.h"

#include <algorithm>

#include "kernels/base/plain_text.h"
#include "kernels/sass/cubin/module.h"
#include "kernels/sass/decoded_code.h"
#include "kernels/sass/live_registers.h"

namespace tileloom::sass {
namespace {

// The innermost line of the kernel's own file, which the last place is in.
int ownLine(const std::vector<SourcePlace>& places) {
  if (places.empty()) return 0;
  const auto own = std::ranges::find(places, places.back().file, &SourcePlace::file);
  return own->line <= static_cast<std::uint32_t>(kMostLines) ? static_cast<int>(own->line) : 0;
}

}  // namespace

tl::expected<Listing, std::string> readListing(std::span<const char> cubin) {
  const auto module = readModule(cubin);
  if (!module) return tl::unexpected(module.error());
  return readListing(*module, module->kernels.front());  // codesOf() finds at least one
}

tl::expected<Listing, std::string> readListing(const Module& module, const KernelImage& kernel) {
  const auto code = decodeAll(kernel.words, module.capability);
  if (!code) return tl::unexpected(code.error());
  constexpr std::size_t kMostShown = 200;
  auto listing = textOf(*code, quotable(kernel.name, kMostShown));
  if (!listing) return listing;
  const auto live = liveRegisters(*code);
  for (std::size_t i = 0; i < code->size(); ++i) {
    Instruction& instruction = listing->instructions[i];
    if (live) instruction.live = (*live)[i];
    instruction.line = ownLine(kernel.lines.at(instruction.address));
  }
  dropPadding(*listing);
  if (listing->instructions.empty())
    return tl::unexpected(std::string("the kernel has no instruction"));
  return listing;
}

}  // namespace tileloom::sass
