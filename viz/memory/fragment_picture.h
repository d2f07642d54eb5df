// SPDX-License-Identifier: GPL-3.0-or-later
// The page Fragments as values: the lane and the register of each operand element of a tensor
// instruction. The painter only draws it.
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/memory/fragment_geometry.h"
#include "viz/memory/group_picture.h"

class QPainter;

namespace tileloom {

struct FragmentPicture {
  QRectF header, canvas, footer;
  QString whyNone;  // there is nothing to show: nothing below is known
  QString title;    // the kind of instruction
  QString what;     // the instruction
  // For a wgmma: then nothing below is known.
  std::optional<GroupPicture> group;
  analysis::WarpOperands operands;
  FragmentGeometry geometry;

  // A register of all lanes.
  struct Column {
    analysis::Operand operand = analysis::Operand::A;
    QString name;  // "a0"; empty: the row of shared memory that the lane addresses
    // By lane: its elements, as numbers of the operands' values; a sum has only the first.
    std::array<std::array<std::optional<std::size_t>, 4>, 32> held;
    std::array<QString, 32> texts;  // "A[3][18–19]"
  };
  std::vector<Column> columns;
  QStringList words;  // for the room above A
};

// Whether two pictures would differ only in the selection.
bool sameFragments(const Scene& one, const Scene& other);

FragmentPicture fragmentPicture(const Scene& scene, const QRectF& whole, const Fonts& fonts);

// "a0.lo", "b1.hi", "c3"; for ldmatrix "r2.hi"; of 8-bit elements "a0.b3".
QString registerText(const analysis::WarpOperands::Value& value);
// "31 a3.lo"
QString cellText(const analysis::WarpOperands::Value& value);
// One value as a sentence: "A[3][18], held by lane 13 in the lower half of its register a0".
QString describeValue(const FragmentPicture& picture, std::size_t value);

// The selection in the operands.
struct ChosenFragment {
  std::optional<std::uint32_t> lane;         // of the shown warp
  std::optional<analysis::Element> element;  // one of the operands'
  bool any() const { return lane.has_value() || element.has_value(); }
};
ChosenFragment chosenFragment(const FragmentPicture& picture, const Selection& selection);
// The line below the operands: the selection, or what the cells show.
QString fragmentNote(const FragmentPicture& picture, const ChosenFragment& chosen);

// `picture` must be of this scene.
void paintFragments(QPainter& painter, const FragmentPicture& picture, const Scene& scene,
                    const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
