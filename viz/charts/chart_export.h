// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a picture or as its data, by the file's suffix: .png, .svg, .pdf, .csv, .json.
#pragma once

#include <QSize>
#include <QString>
#include <optional>

#include "viz/base/sheet.h"

namespace tileloom {

class HistoryCharts;
class LadderChart;
class RooflineChart;

struct ChartPicture {
  QSize size;  // in pixels at scale 1, the title included but not the caption; empty: the widget's
  double scale = 2;                               // pixels of the PNG for each of these
  QString title;                                  // empty: what chartTitle() says
  std::optional<Caption> caption = std::nullopt;  // below, in place of the title above
};

// Device, rung, tile, size and date of what the chart shows, as far as they are known.
QString chartTitle(const HistoryCharts& charts);
QString chartTitle(const LadderChart& chart);
QString chartTitle(const RooflineChart& chart);

// Empty, or one sentence on why the file could not be written.
QString writeChart(const HistoryCharts& charts, const QString& file,
                   const ChartPicture& picture = {});
QString writeChart(const LadderChart& chart, const QString& file, const ChartPicture& picture = {});
QString writeChart(const RooflineChart& chart, const QString& file,
                   const ChartPicture& picture = {});

}  // namespace tileloom
