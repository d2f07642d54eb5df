// SPDX-License-Identifier: GPL-3.0-or-later
// The loom as a picture of a scene. A picture without a camera shows the whole of its level.
#pragma once

#include "app/export/export.h"

namespace tileloom {

void paintLoomPicture(QPainter& painter, const Picture& picture, const Scene& scene);

}  // namespace tileloom
