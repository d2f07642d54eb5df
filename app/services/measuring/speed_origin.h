// SPDX-License-Identifier: GPL-3.0-or-later
// The origin of the present tile's speed, in words for captions.
#pragma once

#include <QString>

namespace tileloom {

class Lab;

// "live on NVIDIA H100 80GB HBM3, 2026-11-21"; empty: no speed is known.
QString originOfSpeed(const Lab& lab);

}  // namespace tileloom
