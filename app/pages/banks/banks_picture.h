// SPDX-License-Identifier: GPL-3.0-or-later
// Sectors or banks of the latest access, as a picture of a scene.
#pragma once

#include "app/export/export.h"

namespace tileloom {

void paintBanksPicture(QPainter& painter, const Picture& picture, const Scene& scene);

}  // namespace tileloom
