// SPDX-License-Identifier: GPL-3.0-or-later
// The description inside an exported drawing, for authors of papers: what each colour means, where
// to change it, and which parts are raster images.
#pragma once

#include <QString>

#include "viz/base/text/colour_names.h"

namespace tileloom {

// The colours that were used, by name.
QString colourNote(const ColourNames& names);
// All colours that the theme names.
QString colourNote(const Theme& theme);
// Where an SVG defines its colours, and what the names of their shades mean.
QString styleNote();
// How many raster images the file has.
QString pixelNote(int images);

}  // namespace tileloom
