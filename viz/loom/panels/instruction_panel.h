// SPDX-License-Identifier: GPL-3.0-or-later
// The loom's lowest level for mma rungs: the operands of one instruction of the warp, 16 x 16
// elements of A, 16 x 8 of B and 16 x 8 sums of C, laid out like the matrices, so that a row of A
// meets a column of B. While the loom zooms in, they move from the slabs and from C to this panel.
#pragma once

#include "viz/base/widgets/cursor_move.h"
#include "viz/loom/loom_contents.h"
#include "viz/loom/panels/thread_panel.h"

namespace tileloom {

// Empty while the loom is not zoomed in enough. `label` is the height of a line of text.
ThreadPanel instructionPanel(const Scene& scene, const LoomGeometry& geometry,
                             const analysis::WarpProduct& product, double label);

// The panel of the loom's lowest level: of the warp's mma, or of the shown thread.
ThreadPanel loomPanel(const Scene& scene, const LoomGeometry& geometry,
                      const LoomContents& contents, double label);

// From one cell or value of such a panel to its neighbour; see moveInPanel() in panel_moves.h.
std::optional<analysis::Element> moveInOperands(const ThreadPanel& panel,
                                                const analysis::Element& from, CursorMove move,
                                                int count);

}  // namespace tileloom
