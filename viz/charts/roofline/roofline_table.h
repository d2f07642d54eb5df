// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the roofline as a table: CSV for spreadsheets, JSON for programs. Unknown values are
// empty.
#pragma once

#include <QByteArray>

#include "viz/charts/roofline/roofline_data.h"

namespace tileloom {

QByteArray rooflineCsv(const RooflineData& data);
QByteArray rooflineJson(const RooflineData& data);  // "tileloom.roofline/1"

}  // namespace tileloom
