// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline as a table: CSV for spreadsheets, JSON for programs. Unknown values stay empty.
#pragma once

#include <QByteArray>

#include "viz/charts/roofline_data.h"

namespace tileloom {

QByteArray rooflineCsv(const RooflineData& data);
QByteArray rooflineJson(const RooflineData& data);  // "tileloom.roofline/1"

}  // namespace tileloom
