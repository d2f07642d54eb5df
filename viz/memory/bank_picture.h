// SPDX-License-Identifier: GPL-3.0-or-later
// What the bank view shows of one access, laid out: plain values, which the painter draws.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "kernels/analysis/relayout.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/memory/access_words.h"
#include "viz/memory/bank_geometry.h"
#include "viz/memory/operand_banks.h"
#include "viz/memory/wavefront_strips.h"
#include "viz/memory/word_use.h"

namespace tileloom {

// A shared array where it lies in `layout`, or any array as it was recorded.
const emulator::Array& arrayOf(const Scene& scene, const std::optional<analysis::Relayout>& layout,
                               std::uint32_t array);

// Which access the bank view shows: the current instruction if it touches memory, else the latest
// shared access of the warp.
const analysis::Moment* bankMoment(const Scene& scene);

// What one word of the shown access stands for: the first lane that touches it, and the shared word
// or the element that it is; `part` tells which of two 16-bit elements.
Selection bankSelection(const Scene& scene, std::uint32_t word, std::uint32_t part = 0);

struct BankFrame {
  QRectF header;
  QRectF canvas;
  QRectF footer;
  QRectF
      key;  // below the footer: what the colours of global memory mean; empty where not asked for
  static BankFrame of(const QRectF& whole, const Fonts& fonts, bool keyed = false);
};

struct BankPicture {
  BankFrame frame;
  QString title;  // empty: what the memory is
  // Of a product of a warpgroup: then there is no access.
  std::optional<OperandBanks> product;
  // The access that is shown, with its words where the layout puts them; nothing to show without.
  std::optional<analysis::Moment> access;
  // Shared memory with one array in another layout than the recorded one.
  std::optional<analysis::Relayout> layout;
  BankGeometry geometry;
  WordUses uses;                       // of the access
  std::vector<WavefrontStrip> strips;  // those that are shown
  // How many elements a word of the shown memory has: 2 of 16 bits.
  std::uint32_t parts = 1;
  // Of the shared array that the access touches, element by element; empty for global memory.
  std::vector<emulator::Provenance> contents;
  // First and last word of the selected thread; for a thread of another warp, those of that warp's
  // instruction of the same number.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> reach;
  AccessVerdict verdict;  // with what there was no room to show
};

// How shared memory would lie instead, of a scene's recording; or why it cannot lie so.
struct OtherLayout {
  std::optional<analysis::Relayout> layout;
  QString whyNot;
  QString title;  // in place of what the memory is
};

// Laid out for `whole`, with room for header and footer. Without an access there is the frame
// alone. Where the other layout is none, or would split the access, the verdict says so, and there
// is nothing else. `before`: which reads of a product were shown last.
BankPicture bankPicture(const Scene& scene, const QRectF& whole, const Fonts& fonts,
                        const OtherLayout& other = {},
                        const std::optional<ShownReads>& before = {});

}  // namespace tileloom
