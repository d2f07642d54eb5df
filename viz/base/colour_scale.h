// SPDX-License-Identifier: GPL-3.0-or-later
// The colour scale for quantities: from dark blue over green to light yellow.
//
// A cubic Bézier curve in CIE L*a*b* (CIE 15:2004; D65) whose control points are evenly spaced in
// L*, so that lightness rises evenly along it. As in viridis (S. van der Walt and N. Smith, 2015)
// and cividis (J. Nuñez, C. Anderton, R. Renslow, 2018) lightness and the path from blue to yellow
// carry the same information, so that it can be read with colour blindness and in grey. The control
// points were searched for the greatest chroma within sRGB with nearly even steps.
#pragma once

#include <QColor>

#include "viz/base/theme.h"

namespace tileloom {

// `share` is clamped to 0 to 1. On a light ground the scale is reversed, so that 1 has the
// strongest contrast on every ground.
QColor scaleColour(double share, const Theme& theme);

}  // namespace tileloom
