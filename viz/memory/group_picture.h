// SPDX-License-Identifier: GPL-3.0-or-later
// The page Fragments for a wgmma, as values: the operands as a map, a close-up of 16 rows of a warp
// by 8 columns, and the registers of these. Neither the 64 x 256 sums nor the 128 registers of a
// thread would be legible all at once.
#pragma once

#include <QStringList>
#include <array>
#include <optional>
#include <vector>

#include "kernels/analysis/tensor/group_product.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/panels/group_layout.h"

class QPainter;

namespace tileloom {

struct GroupPicture {
  using Place = analysis::GroupProduct::Place;
  // The sums of the close-up: the 16 rows of a warp of the group, and 8 columns.
  struct Patch {
    std::uint32_t warp = 0;   // of the group, 0 to 3
    std::uint32_t eight = 0;  // which eight columns
    bool operator==(const Patch&) const = default;
  };
  static constexpr std::uint32_t kPatchRows = analysis::GroupProduct::kWarpRows, kPatchColumns = 8;
  // Registers of a thread that hold its sums of a patch.
  static constexpr std::uint32_t kPatchValues = 4;

  analysis::GroupProduct product;
  Patch patch;
  QString formula;          // "C[0–63][0–255] += A[0–63][64–79] · B[64–79][0–255]"
  QString shortFormula;     // "C += A · B, k = 64–79"
  QString shortestFormula;  // "C += A · B"
  QRectF formulaRoom;       // over the map
  GroupLayout map;          // all three operands
  // The descriptors of A and B: one line below everything, or two.
  std::array<QString, 2> descriptors;
  std::array<QRectF, 2> descriptorRooms;
  QStringList words;  // shown if they fit
  QRectF wordsRoom;

  QRectF detail, detailTitle;  // the patch
  bool halved = false;         // its lower eight rows are beside the upper ones, in a low picture
  // The table; empty: no room. As many lanes as are legible, and the registers of as many patches
  // of the warp as fit.
  QRectF table, tableTitle;
  double tableScale = 1, tableRow = 0, laneColumn = 0, valueColumn = 0;
  std::uint32_t tableLanes = 0;    // rows: 32, or the 16 or 8 around the selected lane
  std::uint32_t tablePatches = 0;  // four registers each

  QRectF detailCell(std::uint32_t row, std::uint32_t column) const;
  // The cell of a row and register, counted from the table's first; see firstLane() and
  // firstValue().
  QRectF tableCell(std::uint32_t row, std::uint32_t column) const;
  std::uint32_t tableColumns() const { return tablePatches * kPatchValues; }
  std::uint32_t firstValue() const;

  // The place of the patch's row and column among the operands.
  Place placeInPatch(std::uint32_t row, std::uint32_t column) const;
  // The place of a register of a lane of the patch's warp; empty: it is never stored.
  std::optional<Place> placeOfValue(std::uint32_t lane, std::uint32_t value) const;
  std::uint32_t warpOfPatch() const { return product.firstWarp + patch.warp; }  // of the block

 private:
  friend GroupPicture groupPicture(const Scene&, const analysis::GroupProduct&, const QRectF&,
                                   const Fonts&);
  // By thread of the group and register: the place of the sum, or none.
  std::vector<std::optional<Place>> places_;
};

// The selection in a wgmma.
struct ChosenOfGroup {
  std::optional<std::uint32_t> thread;  // of the four warps
  std::optional<GroupPicture::Place> place;
  bool any() const { return thread.has_value() || place.has_value(); }
};
ChosenOfGroup chosenOfGroup(const GroupPicture& picture, const Selection& selection);
// The patch of a selection: that of its sum, of its column of B, or of its rows of A or its thread
// with the columns that are shown now.
GroupPicture::Patch patchOf(const GroupPicture& picture, const Selection& selection);
// The first lane of the table.
std::uint32_t firstLane(const GroupPicture& picture, const ChosenOfGroup& chosen);

// `canvas`: without header and footer.
GroupPicture groupPicture(const Scene& scene, const analysis::GroupProduct& product,
                          const QRectF& canvas, const Fonts& fonts);

// One place as a sentence: "C[16][72], summed by lane 5 of warp 1 in its register d20".
QString describePlace(const analysis::Recording& recording, const GroupPicture& picture,
                      const GroupPicture::Place& place);
// The line below: the selection, or what the cells show.
QString groupNote(const analysis::Recording& recording, const GroupPicture& picture,
                  const ChosenOfGroup& chosen);

// The selection for a place or a pixel: the element, and the thread of a sum.
Selection groupSelection(const GroupPicture& picture, const GroupPicture::Place& place);
Selection groupUnder(const GroupPicture& picture, const Selection& now, const QPointF& pixel);
// From one place to the next; Next and Previous go to the same register of the next lane.
GroupPicture::Place moveInGroup(const GroupPicture& picture, const GroupPicture::Place& from,
                                CursorMove move);

void paintGroup(QPainter& painter, const GroupPicture& picture, const Scene& scene,
                const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
