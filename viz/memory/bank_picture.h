// SPDX-License-Identifier: GPL-3.0-or-later
// What the bank view shows of one access, laid out: plain values, which the painter draws.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "kernels/analysis/memory/relayout.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/memory/access_words.h"
#include "viz/memory/bank_geometry.h"
#include "viz/memory/operand_banks.h"
#include "viz/memory/wavefront_strips.h"
#include "viz/memory/word_use.h"

namespace tileloom {

// A shared array in `layout`, or any array as recorded.
const emulator::Array& arrayOf(const Scene& scene, const std::optional<analysis::Relayout>& layout,
                               std::uint32_t array);

// Which access the bank view shows: the current instruction if it accesses memory, else the latest
// shared access of the warp.
const analysis::Moment* bankMoment(const Scene& scene);

// The selection for one word of the shown access: the first lane that touches it, and the shared
// word or the element; `part`: which of two 16-bit elements.
Selection bankSelection(const Scene& scene, std::uint32_t word, std::uint32_t part = 0);

struct BankFrame {
  QRectF header;
  QRectF canvas;
  QRectF footer;
  QRectF key;  // below the footer: the legend; empty unless `keyed`
  // The footer has as many lines as the sentence needs, if the canvas keeps most of the height.
  static BankFrame of(const QRectF& whole, const Fonts& fonts, bool keyed = false,
                      const QString& sentence = {});
};

struct BankPicture {
  BankFrame frame;
  QString title;  // empty: the kind of memory
  // Of a wgmma: then there is no access.
  std::optional<OperandBanks> product;
  // The shown access, with its words where the layout puts them; without it nothing is shown.
  std::optional<analysis::Moment> access;
  // Shared memory with one array in another layout than the recorded one.
  std::optional<analysis::Relayout> layout;
  BankGeometry geometry;
  WordUses uses;                       // of the access
  std::vector<WavefrontStrip> strips;  // the shown ones
  // Elements per word of the shown memory: 2 of 16 bits.
  std::uint32_t parts = 1;
  // Of the shared array that the access touches, element by element; empty for global memory.
  std::vector<emulator::Provenance> contents;
  // First and last word of the selected thread; for a thread of another warp, those of that warp's
  // instruction of the same number.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> reach;
  AccessVerdict verdict;  // with the number of hidden rows and wavefronts
  QString grey;           // what the grey words of shared memory are; empty: there is none
};

// The width of the mark of a wavefront that a conflict adds, in heights of small text.
inline constexpr double kMarkWidth = 1.6;

// Another layout of a recording's shared memory, or why it is not possible.
struct OtherLayout {
  std::optional<analysis::Relayout> layout;
  QString whyNot;
  QString title;  // instead of the kind of memory
};

// Laid out for `whole`, with room for header and footer. Without an access there is only the frame.
// If the other layout is impossible, or would split the access, there is only the verdict that says
// so. `before`: the last shown reads of a wgmma.
BankPicture bankPicture(const Scene& scene, const QRectF& whole, const Fonts& fonts,
                        const OtherLayout& other = {},
                        const std::optional<ShownReads>& before = {});

}  // namespace tileloom
