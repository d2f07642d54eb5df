// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a chart as a picture or as data, by the file's suffix: .png, .svg, .pdf, .csv, .json.
#pragma once

#include <QSize>
#include <QString>
#include <optional>

#include "viz/base/paint/sheet.h"

namespace tileloom {

class EnergyChart;
class HistoryCharts;
class LadderChart;
class RooflineChart;
class SizeChart;

struct ChartPicture {
  QSize size;  // pixels at scale 1, with the title, without the caption; empty: the widget's size
  double scale = 2;                               // pixels of the PNG per pixel of `size`
  QString title;                                  // empty: chartTitle()
  std::optional<Caption> caption = std::nullopt;  // below the chart, instead of the title above it
  bool text = false;                              // text of an SVG is text, see SvgSetup
};

// The known ones of device, rung, tile, size and date of what the chart shows.
QString chartTitle(const HistoryCharts& charts);
QString chartTitle(const LadderChart& chart);
QString chartTitle(const RooflineChart& chart);
QString chartTitle(const SizeChart& chart);
QString chartTitle(const EnergyChart& chart);

// Empty, or one sentence on why the file could not be written.
QString writeChart(const HistoryCharts& charts, const QString& file,
                   const ChartPicture& picture = {});
QString writeChart(const LadderChart& chart, const QString& file, const ChartPicture& picture = {});
QString writeChart(const RooflineChart& chart, const QString& file,
                   const ChartPicture& picture = {});
QString writeChart(const SizeChart& chart, const QString& file, const ChartPicture& picture = {});
QString writeChart(const EnergyChart& chart, const QString& file, const ChartPicture& picture = {});

}  // namespace tileloom
