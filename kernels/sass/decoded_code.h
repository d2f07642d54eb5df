// SPDX-License-Identifier: GPL-3.0-or-later
// All instructions of a kernel as values, and their text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/sass/code_word.h"
#include "kernels/sass/decode.h"
#include "kernels/sass/listing.h"

namespace tileloom::sass {

// The instructions of these words, the first at address 0. The error is one sentence without a full
// stop about the first word that is not known, with its address and its 128 bits.
tl::expected<std::vector<Decoded>, std::string> decodeAll(std::span<const CodeWord> words,
                                                          int capability);

// One instruction of the listing for each of these; the padding at the end is still there. The
// error is one sentence without a full stop.
tl::expected<Listing, std::string> textOf(std::span<const Decoded> code, std::string_view kernel);

}  // namespace tileloom::sass
