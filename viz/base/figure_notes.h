// SPDX-License-Identifier: GPL-3.0-or-later
// The description in a file with a drawing, for the author of a paper: which colour is what and
// where to change it, and which parts are pixels.
#pragma once

#include <QString>

#include "viz/base/colour_names.h"

namespace tileloom {

// The colours that were asked for, by name.
QString colourNote(const ColourNames& names);
// All that the theme names.
QString colourNote(const Theme& theme);
// Where an SVG has its colours, and what the names of their shades mean.
QString styleNote();
// How many pictures of pixels are in it.
QString pixelNote(int images);

}  // namespace tileloom
