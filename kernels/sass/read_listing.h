// SPDX-License-Identifier: GPL-3.0-or-later
// The listing of a kernel, read by this program from its cubin.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "kernels/sass/cubin/module.h"
#include "kernels/sass/listing.h"

namespace tileloom::sass {

// The first kernel of the file, with live registers, and with source lines if the file has a table
// of them. The text equals nvdisasm's. An instruction of an inlined function has the line that
// listing.h says; nvdisasm names a line only where the innermost one differs from that of the
// instruction above (docs/hardware.md, rule 92). A kernel with a branch to an address that the code
// does not say has no live registers. The error is one sentence without a full stop: what the file
// is not, or which word is not known, with its address and its bits.
tl::expected<Listing, std::string> readListing(std::span<const char> cubin);
// The same of one of its kernels.
tl::expected<Listing, std::string> readListing(const Module& module, const KernelImage& kernel);

}  // namespace tileloom::sass
