// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the loom. The world is measured in elements of C: x along its columns, y along its
// rows. A is to the left of C so that its rows meet those of C, B above it. Zoomed out, the whole
// matrices show; zoomed in, the current K tiles of A and of B slide up to the block tile and stay
// in sight at any zoom: next to it, large, the one that is multiplied, and beyond it, narrower, the
// prefetched ones.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/loom/loom_level.h"

namespace tileloom {

struct LoomCamera {
  QPointF centre;      // world point in the middle of the viewport
  double scale = 1.0;  // pixels an element
  bool operator==(const LoomCamera&) const = default;
};

struct LoomInput {
  Problem problem;
  analysis::Region block;  // of C
  // The part of C, and beyond, that boxes fill for the block, with zeros outside the matrices.
  // Empty: only the block's.
  analysis::Region filled;
  analysis::Region tileA;  // of A, the K tile that is multiplied
  analysis::Region tileB;  // of B
  int slabs = 1;           // K tiles that are shown: that one, and the prefetched ones
  analysis::Region warp;   // of C, the rectangle of the watched warp
  analysis::Region near;   // of C, the shown thread's first tile with its surroundings
  QRectF viewport;         // pixels; the header and caption are outside
  double label = 16;       // pixels that a label needs
};

class LoomGeometry {
 public:
  LoomGeometry() = default;
  LoomGeometry(const LoomInput& input, const LoomCamera& camera);

  // Cameras that show the whole problem, the block tile with its slabs, or a part of C.
  static LoomCamera fitGrid(const LoomInput& input);
  static LoomCamera fitBlock(const LoomInput& input);
  static LoomCamera fitRegion(const LoomInput& input, const analysis::Region& c);
  // The camera that shows a level; the block where the input has no warp or thread.
  static LoomCamera fit(const LoomInput& input, LoomLevel level);

  // 0: whole matrices; 1: block tile and slabs.
  double detail() const { return detail_; }
  // 0: the warp tile fills the view, or less; 1: the shown thread's surroundings do.
  double nearness() const { return nearness_; }
  // The level that the camera has reached.
  LoomLevel level() const { return level_; }
  QRectF viewport() const { return input_.viewport; }

  QRectF a() const { return a_; }  // whole matrices, in pixels
  QRectF b() const { return b_; }
  QRectF c() const { return c_; }
  // A K tile of A, `ahead` of the one that is multiplied; from 0 to slabs() - 1.
  QRectF slabA(int ahead = 0) const { return slabsA_[static_cast<std::size_t>(ahead)]; }
  QRectF slabB(int ahead = 0) const { return slabsB_[static_cast<std::size_t>(ahead)]; }
  int slabs() const { return static_cast<int>(slabsA_.size()); }
  // All slabs of A, and all of B.
  QRectF allSlabsA() const { return slabsA_.front() | slabsA_.back(); }
  QRectF allSlabsB() const { return slabsB_.front() | slabsB_.back(); }
  QRectF block() const { return ofC(input_.block); }

  QRectF ofC(const analysis::Region& region) const;
  // Parts of one K tile's slab; regions in elements of A or B. Empty: that K tile has no slab.
  QRectF inSlabA(const analysis::Region& region) const;
  QRectF inSlabB(const analysis::Region& region) const;
  QRectF of(const analysis::Element& element) const;
  // A part of the slab of a K tile of A or B, `ahead` of the one that is multiplied; the part may
  // reach beyond the slab.
  QRectF around(analysis::Matrix matrix, int ahead, const analysis::Region& part) const;

  // How far ahead of the K tile that is multiplied the slab of an element of A or B is, if it has
  // one.
  std::optional<int> slabOf(const analysis::Element& element) const;
  // The element under a pixel: of the slabs, else of C.
  std::optional<analysis::Element> elementAt(const QPointF& pixel) const;

  QPointF toWorld(const QPointF& pixel) const;
  QPointF toPixel(const QPointF& world) const;
  double cell() const { return camera_.scale; }  // pixels an element of C

 private:
  LoomInput input_;
  LoomCamera camera_;
  double detail_ = 1.0;
  double nearness_ = 0.0;
  LoomLevel level_ = LoomLevel::Block;
  analysis::Region tileOf(analysis::Matrix matrix, int ahead) const;

  QRectF a_, b_, c_;
  std::vector<QRectF> slabsA_{QRectF()}, slabsB_{QRectF()};  // by how far they are ahead
};

}  // namespace tileloom
