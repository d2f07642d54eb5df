// SPDX-License-Identifier: GPL-3.0-or-later
// What the bank view shows of a wgmma, whose operands the tensor core reads from shared memory: of
// A and of B a group of eight rows over the 32 banks, the elements of each 16-byte chunk by
// provenance, and which chunks the wgmma reads together.

// The contents are recorded. The number of wavefronts is counted and equals the hardware's counter.
// The order of the tensor core's reads is unknown, so none is shown.
#pragma once

#include <QRectF>
#include <QString>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/analysis/tensor/group_product.h"
#include "kernels/analysis/tensor/product_cost.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/base/widgets/cursor_move.h"
#include "viz/memory/access_words.h"

class QPainter;

namespace tileloom {

// The shown reads of a wgmma, by their first element in the operands.
struct ShownReads {
  std::uint32_t row = 0, depthA = 0;     // of A, multiples of 8
  std::uint32_t depthB = 0, column = 0;  // of B
  bool operator==(const ShownReads&) const = default;
};

struct OperandBanks {
  static constexpr std::uint32_t kChunks = 8;    // of 16 bytes, in a line of all banks
  static constexpr std::uint32_t kElements = 8;  // in each
  static constexpr std::uint32_t kChunkBytes = 16, kLineBytes = 128;

  // Eight rows of an operand.
  struct Panel {
    analysis::Matrix matrix = analysis::Matrix::A;
    QString name;                      // "A: rows 16–23 of the wgmma · As"
    std::uint32_t array = 0;           // in Trace::arrays
    std::vector<std::uint32_t> lines;  // of 128 bytes of shared memory, ascending
    // Line by line and chunk by chunk; empty for a zero from outside the matrix, or for nothing
    // yet.
    std::vector<std::optional<analysis::Element>> elements;
    // The reads of the wgmma in these lines, and which of them is chosen.
    std::vector<analysis::OperandRead> reads;
    std::size_t chosen = 0;
    // The chosen read's rows, 0 to 7, by wavefront and by the four banks that serve them; or none.
    std::vector<std::array<std::optional<std::uint32_t>, kChunks>> wavefronts;

    QRectF title, numbers;
    double left = 0, top = 0, stripTop = 0, wide = 0, high = 0;  // of a chunk
    std::size_t shownLines = 0;

    QRectF chunk(std::size_t line, std::uint32_t chunk) const;
    QRectF lineName(std::size_t line) const;
    QRectF strip(std::size_t wavefront, std::uint32_t chunk) const;
    QRectF stripName(std::size_t wavefront) const;
    // The read that a chunk belongs to, by its byte of shared memory.
    std::optional<std::size_t> readOf(std::uint32_t byte) const;
    std::optional<analysis::Element> first(std::size_t line, std::uint32_t chunk) const {
      return elements[(line * kChunks + chunk) * kElements];
    }
    std::uint32_t byteOf(std::size_t line, std::uint32_t chunk) const {
      return lines[line] * kLineBytes + chunk * kChunkBytes;
    }
  };

  std::shared_ptr<const analysis::GroupProduct> product;
  QString what;  // the instruction
  ShownReads shown;
  Panel a, b;
  analysis::ProductCost costA, costB;  // of the whole wgmma
  AccessVerdict verdict;

  // A chunk under a pixel, or a byte of it.
  struct Hit {
    const Panel* panel = nullptr;
    std::size_t line = 0;
    std::uint32_t chunk = 0;
    std::uint32_t element = 0;  // of the chunk's eight
  };
  std::optional<Hit> at(const QPointF& pixel) const;
  // The cell of a byte of shared memory, if it is shown.
  QRectF cellOf(std::uint32_t byte) const;
};

// The wgmma whose operands the bank view shows at this instant: the latest one, unless the warp has
// accessed shared memory since; before all of them, the first one. Empty for rungs without wgmma.
std::shared_ptr<const analysis::GroupProduct> productForBanks(const Scene& scene);

// The reads of a wgmma for a selection. `before`: the last shown ones, which stay unless the
// selection names others.
ShownReads shownReads(const Scene& scene, const analysis::GroupProduct& product,
                      const std::optional<ShownReads>& before);
OperandBanks operandBanks(const Scene& scene,
                          const std::shared_ptr<const analysis::GroupProduct>& product,
                          const QRectF& canvas, const Fonts& fonts,
                          const std::optional<ShownReads>& before);

Selection operandSelection(const analysis::Recording& recording, const OperandBanks& banks,
                           std::uint32_t byte);
// "As[1040], banks 8 to 11 hold A[16][8–15], read in one wavefront with 7 other rows"
QString describeOperandByte(const analysis::Recording& recording, const OperandBanks& banks,
                            std::uint32_t byte);
// From one chunk to its neighbour, by the byte where it begins; Next and Previous change between
// the operands. From what is not shown, the first chunk.
std::uint32_t moveInOperandBanks(const OperandBanks& banks, std::uint32_t byte, CursorMove move);

void paintOperandBanks(QPainter& painter, const OperandBanks& banks, const QRectF& header,
                       const QRectF& footer, const Scene& scene, const Theme& theme,
                       const Fonts& fonts);

}  // namespace tileloom
