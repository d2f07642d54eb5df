// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/listing_reader.h"

#include <fmt/format.h>

#include "kernels/sass/machine_code.h"
#include "kernels/sass/read_listing.h"

namespace tileloom::sass {
namespace {

Result<ReadListing> readBy(const Disassembler& tool, std::span<const char> cubin) {
  auto listing = tool.disassemble(cubin);
  if (!listing) return tl::unexpected(listing.error());
  return ReadListing{std::move(*listing), tool.tool()};
}

}  // namespace

Result<ListingReader> ListingReader::find() {
  ListingReader reader;
  if (!Disassembler::isNamed()) return reader;
  auto tool = Disassembler::find();
  if (!tool) return tl::unexpected(tool.error());
  reader.tool_ = std::move(*tool);
  return reader;
}

Result<ReadListing> ListingReader::read(std::span<const char> cubin) const {
  if (tool_) return readBy(*tool_, cubin);
  auto listing = readListing(cubin);
  if (listing) return ReadListing{std::move(*listing), std::string(kThisProgram)};
  const auto tool = Disassembler::find();
  if (tool) return readBy(*tool, cubin);
  return fail(Trouble::Unsupported,
              fmt::format("Tileloom cannot read this machine code ({}), and {}", listing.error(),
                          tool.error().text));
}

}  // namespace tileloom::sass
