// SPDX-License-Identifier: GPL-3.0-or-later
// Writes numbers and paths for SVG, in hundredths of a pixel and with as few characters as
// possible.
#pragma once

#include <QByteArray>
#include <QPainterPath>

namespace tileloom {

QByteArray svgNumber(double value);
QByteArray svgPath(const QPainterPath& path);

}  // namespace tileloom
