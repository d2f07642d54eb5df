// SPDX-License-Identifier: GPL-3.0-or-later
// The one scale of colour for quantities: from dark blue over green to light yellow.
//
// A cubic Bézier curve in CIE L*a*b* (CIE 15:2004; D65) whose control points are evenly spaced in
// L*, so that lightness rises evenly along it. As in viridis (S. van der Walt and N. Smith, 2015)
// and cividis (J. Nuñez, C. Anderton, R. Renslow, 2018) lightness and the way from blue to yellow
// say the same, so that it can be read without one kind of cone, and in grey. The control points
// were searched for the greatest chroma within sRGB with nearly even steps.
#pragma once

#include <QColor>

#include "viz/base/theme.h"

namespace tileloom {

// `share` from 0 to 1; beyond it the ends. On a light ground the scale is turned round, so that 1
// stands out most against every ground.
QColor scaleColour(double share, const Theme& theme);

}  // namespace tileloom
