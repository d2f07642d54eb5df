// SPDX-License-Identifier: GPL-3.0-or-later
// Names the target of a mark.
#pragma once

#include <QString>

#include "viz/lecture/mark.h"

namespace tileloom {

// "element C[12,40]", "the tile of warp 1", "bank 7"
QString targetName(const MarkTarget& target);
// The name of all targets of its kind: "element", "thread tile of a lane"
QString kindName(const MarkTarget& target);

}  // namespace tileloom
