// SPDX-License-Identifier: GPL-3.0-or-later
// Describes one cell of a picture as a sentence, for screen readers.
#pragma once

#include <QString>
#include <QStringList>

#include "viz/base/scene.h"

namespace tileloom {

// "A[12][7], row 12 and column 7 of A, held in As word 345, bank 25, read by lanes 0 to 3"
QString describeCell(const Scene& scene, const analysis::Element& element);

// "lane 5", "lanes 0 to 3", "lanes 0, 4 and 8", from the bits of a mask; empty: none.
QString describeLanes(std::uint32_t lanes);

// "read by lanes 0 to 3 of warp 2": what this instruction does to a cell in these lanes. `sum`: the
// cell is an element of C. Empty: no lanes.
QString describeUse(const analysis::Moment& moment, bool sum, std::uint32_t lanes);

// "A[12][7], row 12 and column 7 of A"
QString describePlace(const analysis::Element& element);

// Joined by commas; empty parts are left out.
QString joinParts(QStringList parts);

}  // namespace tileloom
