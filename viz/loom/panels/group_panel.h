// SPDX-License-Identifier: GPL-3.0-or-later
// The loom's lowest level for wgmma rungs: the operands of one wgmma, 64 x 16 elements of A, 16 x N
// of B and 64 x N sums, as GroupLayout has them. While the loom zooms in, they move from the slabs
// and from C to this panel.
#pragma once

#include <QPainter>
#include <QStringList>

#include "viz/base/theme.h"
#include "viz/base/widgets/cursor_move.h"
#include "viz/loom/loom_contents.h"
#include "viz/loom/panels/thread_panel.h"

namespace tileloom {

// Empty while the loom is not zoomed in enough. `label` is the height of a line of text.
ThreadPanel groupPanel(const Scene& scene, const LoomGeometry& geometry,
                       const std::shared_ptr<const analysis::GroupProduct>& product, double label);

// From one element of such a panel to its neighbour; see moveInPanel() in panel_moves.h.
std::optional<analysis::Element> moveInGroupPanel(const ThreadPanel& panel,
                                                  const analysis::Element& from, CursorMove move,
                                                  int count);

// "wgmma 1 of 2 · k = 16–31 of K tile 2 · m64n256k16"
QString groupText(const analysis::GroupProduct& product, std::uint32_t stepK);

// Where the descriptor says that A or B is: "A: start at byte 98,304 (As, stage 2 of 4), leading
// offset 16, stride offset 1,024, swizzle 128 bytes".
QString descriptorText(const analysis::Recording& recording, const analysis::GroupProduct& product,
                       analysis::Matrix matrix);

// What the registers of a thread of the group hold, four per line, at most `most` lines: "d0–d3:
// C[1][2] C[1][3] C[9][2] C[9][3]".
QStringList groupRegisters(const analysis::GroupProduct& product, std::uint32_t thread, int most);

// The thread whose sums are bright: the selected one if it is in the warpgroup, else the shown one.
std::uint32_t brightThread(const Scene& scene, const analysis::GroupProduct& product);

// `panel`: of this scene and these contents.
void paintGroupPanel(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
                     const LoomContents& contents, const LoomGeometry& geometry, const Theme& theme,
                     const Fonts& fonts);

}  // namespace tileloom
