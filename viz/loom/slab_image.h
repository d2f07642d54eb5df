// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements of the shown K tile have come to shared memory by now.
#pragma once

#include <QColor>
#include <QImage>

#include "viz/base/scene.h"

namespace tileloom {

// One pixel an element of the K tile of A or B: `colour` where the element is not in shared memory
// yet, transparent elsewhere. Null where all is there, and for kernels without shared tiles.
QImage missingImage(const Scene& scene, analysis::Matrix matrix, const QColor& colour);

}  // namespace tileloom
