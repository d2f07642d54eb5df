// SPDX-License-Identifier: GPL-3.0-or-later
// A cursor over the words of the bank view. Plain values: views show them.
#pragma once

#include <optional>

#include "kernels/analysis/moment.h"
#include "viz/base/widgets/cursor_move.h"
#include "viz/memory/bank_geometry.h"

namespace tileloom {

// A word of the rows in the bank view; std::nullopt: it shows none. Next and Previous go to the
// words that the access touches.
std::optional<std::uint32_t> moveInBanks(const BankGeometry& geometry,
                                         const analysis::Moment& moment,
                                         std::optional<std::uint32_t> from, CursorMove move,
                                         int count = 1);

// The lanes that touch a word of memory in this access, as a mask.
std::uint32_t lanesAt(const analysis::Moment& moment, std::uint32_t word);

}  // namespace tileloom
