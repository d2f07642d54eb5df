// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the bank view: shared memory for shared accesses, 128-byte lines and sectors for global
// ones.
#pragma once

#include <QPainter>

#include "viz/memory/bank_picture.h"

namespace tileloom {

// `picture` must be of this scene.
void paintBanks(QPainter& painter, const BankPicture& picture, const Scene& scene,
                const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
