// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and paths as SVG writes them, in hundredths of a pixel and with as few letters as needed.
#pragma once

#include <QByteArray>
#include <QPainterPath>

namespace tileloom {

QByteArray svgNumber(double value);
QByteArray svgPath(const QPainterPath& path);

}  // namespace tileloom
