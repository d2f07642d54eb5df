// SPDX-License-Identifier: GPL-3.0-or-later
// One thread close up: its accumulators as a grid, the fragments of A beside it and those of B
// above it. While the loom zooms in, the thread's subtiles move from C to this grid.
#pragma once

#include <QRectF>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/analysis/tensor/fragments.h"
#include "kernels/tile/placement.h"
#include "viz/base/scene.h"
#include "viz/loom/loom_geometry.h"
#include "viz/loom/panels/group_layout.h"

namespace tileloom {

struct ThreadPanel {
  struct Cell {
    analysis::Element element;  // of C
    QRectF rect;
    std::uint32_t subtile = 0;
    bool done = false;       // its product of this k has been added
    bool now = false;        // is being added
    std::uint32_t lane = 0;  // that holds it, in an mma
  };
  struct Value {
    analysis::Element element;  // of A or B
    QRectF rect;
    bool loaded = false;
    bool now = false;        // is being multiplied
    std::uint32_t lane = 0;  // that holds it, in an mma
  };
  struct Subtile {
    QRectF rect;
    std::uint32_t number = 0;  // from 1
  };

  // The operands of one mma of the warp (see instruction_panel.h) instead of a thread's fragments
  // and sums.
  bool ofWarp = false;
  std::uint32_t thread = 0;  // the shown one
  double gathered = 0;       // 0: every cell in its place in C; 1: all in the grid
  double edge = 0;           // of a cell, in pixels, when gathered
  QRectF area;               // that the grid may use
  std::vector<Cell> cells;
  std::vector<Value> a, b;  // empty while a K tile is filled
  std::vector<Subtile> subtiles;
  std::int64_t before = 0;        // products in every cell before this k
  std::size_t done = 0, all = 0;  // multiply-adds of this k
  bool worded = false;            // there is room for a line of words above the grid
  bool hasProduct = false;        // false: no k is being multiplied

  // The operands of a wgmma (see group_panel.h) instead of cells and values: they are too many to
  // be named one by one.
  struct Group {
    std::shared_ptr<const analysis::GroupProduct> product;
    GroupLayout layout;
  };
  std::optional<Group> group;

  // Cells and values are in the panel, no longer at their places in the matrices.
  bool shown() const { return gathered >= 0.5 && (!cells.empty() || group); }
  // Its first element, of C where it has any; the panel must not be empty.
  analysis::Element front() const;
  // The element under a pixel, once gathered.
  std::optional<analysis::Element> elementAt(const QPointF& pixel) const;
  // Its place in the panel; std::nullopt: not a cell or value of this thread.
  std::optional<QRectF> placeOf(const analysis::Element& element) const;
  // The thread that has this element of the panel: the shown one, or any of the warp.
  std::uint32_t holderOf(const analysis::Element& element) const;
};

// A cell that moves from its place in the matrices to the panel; `t` is from 0 to 1.
QRectF onItsWay(const QRectF& from, const QRectF& to, double t);

// Empty while the loom is not zoomed in enough. `label` is the height of a line of text. `product`
// is the shown thread's at this instant, empty outside of multiply-adds.
ThreadPanel threadPanel(const Scene& scene, const LoomGeometry& geometry,
                        const std::optional<analysis::OuterProduct>& product, double label);

}  // namespace tileloom
