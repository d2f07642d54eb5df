// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/chart_export.h"

#include <qcustomplot.h>

#include <QCoreApplication>
#include <QFileInfo>

#include "viz/base/paint/sheet.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/charts/chart_table.h"
#include "viz/charts/energy/energy_chart.h"
#include "viz/charts/energy/energy_words.h"
#include "viz/charts/history/history_charts.h"
#include "viz/charts/history/history_words.h"
#include "viz/charts/ladder/ladder_chart.h"
#include "viz/charts/roofline/roofline_chart.h"
#include "viz/charts/roofline/roofline_table.h"
#include "viz/charts/sizes/size_chart.h"
#include "viz/charts/sizes/size_words.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ChartExport)
};

constexpr int kInset = 8;  // left of the title

QFont titleFont(const Sheet& sheet) {
  QFont font = sheet.font;
  font.setWeight(QFont::DemiBold);
  return font;
}

// The title wraps: it is never cut off.
int titleHeight(const Sheet& sheet) {
  const QRect space(0, 0, static_cast<int>(sheet.size.width()) - 2 * kInset, QWIDGETSIZE_MAX);
  const QFontMetrics metrics(titleFont(sheet));
  return metrics.boundingRect(space, Qt::AlignLeft | Qt::TextWordWrap, sheet.title).height() +
         metrics.height() / 2;
}

// The title is above the chart, unless a caption below it says the same.
template <class Chart>
void paintChart(QCPPainter& p, const Sheet& sheet, const Chart& chart) {
  p.fillRect(QRectF(QPointF(0, 0), sheet.size), sheet.theme.panel);
  int head = 0;
  if (!sheet.caption) {
    head = titleHeight(sheet);
    p.setFont(titleFont(sheet));
    p.setPen(sheet.theme.text);
    drawWrapped(p, QRectF(kInset, 4, sheet.size.width() - 2 * kInset, head), Qt::AlignLeft,
                sheet.title);
    p.translate(0, head);
  }
  const QSize size = sheet.size.toSize();
  chart.paintTo(p, QSize(size.width(), std::max(1, size.height() - head)));
}

QByteArray csv(const HistoryCharts& c) {
  return historyCsv(c.points());
}
QByteArray csv(const LadderChart& c) {
  return ladderCsv(c.bars(), c.problem(), c.source(), c.figures());
}
QByteArray csv(const RooflineChart& c) {
  return rooflineCsv(c.data());
}
QByteArray csv(const SizeChart& c) {
  return charts::sizeCsv(c.data());
}
QByteArray csv(const EnergyChart& c) {
  return charts::energyCsv(c.data());
}
QByteArray json(const EnergyChart& c) {
  return charts::energyJson(c.data());
}
QByteArray json(const SizeChart& c) {
  return charts::sizeJson(c.data());
}
QByteArray json(const RooflineChart& c) {
  return rooflineJson(c.data());
}
QByteArray json(const HistoryCharts& c) {
  return historyJson(c.points());
}
QByteArray json(const LadderChart& c) {
  return ladderJson(c.bars(), c.problem(), c.source(), c.figures());
}

template <class Chart>
QString write(const Chart& chart, const QString& file, const ChartPicture& picture) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (suffix == QLatin1String("csv")) return writeBytes(csv(chart), file);
  if (suffix == QLatin1String("json")) return writeBytes(json(chart), file);
  if (!isPictureName(file)) {
    return Words::tr("\"%1\" has no known file type: end it in .png, .svg, .pdf, .csv or .json")
        .arg(shownFile(file));
  }
  Sheet sheet{QSizeF(picture.size.isEmpty() ? chart.size() : picture.size),
              picture.scale,
              Theme::of(chart.palette()),
              chart.font(),
              picture.caption,
              picture.title.isEmpty() ? chartTitle(chart) : picture.title};
  sheet.text = picture.text;
  return writeSheet(
      sheet, [&](QCPPainter& p) { paintChart(p, sheet, chart); }, file);
}

}  // namespace

QString chartTitle(const HistoryCharts& charts) {
  const auto points = charts.points();
  // The title of the exported figures: the present tile, or the latest move.
  const auto count = static_cast<int>(points.size());
  const int index =
      charts.current() >= 0 && charts.current() < count ? charts.current() : count - 1;
  if (index < 0) return Words::tr("Tileloom: no tile parameter changed yet");
  const HistoryPoint& p = points[static_cast<std::size_t>(index)];
  QStringList parts{figures::stageText(p.rung())};
  if (const QString tile = figures::tileText(p.rung(), p.tile); !tile.isEmpty()) parts += tile;
  parts += QString::fromStdString(toString(p.problem));
  // A point with registers alone comes from a compiler, not from a device.
  if (!p.device.isEmpty() || !p.when.isEmpty()) parts += charts::originText(p);
  return parts.join(QStringLiteral(" · "));
}

QString chartTitle(const LadderChart& chart) {
  const QString size = QString::fromStdString(toString(chart.problem()));
  // Nothing was measured at this size: no source.
  if (chart.source().isEmpty()) return Words::tr("The ladder against cuBLAS at %1").arg(size);
  return Words::tr("The ladder against cuBLAS at %1 · %2").arg(size, chart.source());
}

QString writeChart(const HistoryCharts& charts, const QString& file, const ChartPicture& picture) {
  return write(charts, file, picture);
}

QString writeChart(const LadderChart& chart, const QString& file, const ChartPicture& picture) {
  return write(chart, file, picture);
}

QString chartTitle(const RooflineChart& chart) {
  return Words::tr("Roofline at %1 · %2")
      .arg(QString::fromStdString(toString(chart.data().problem)),
           QString::fromStdString(chart.data().ceilings.device));
}

QString writeChart(const RooflineChart& chart, const QString& file, const ChartPicture& picture) {
  return write(chart, file, picture);
}

QString chartTitle(const SizeChart& chart) {
  const SizeData& d = chart.data();
  QStringList parts{Words::tr("Speed over size, %1").arg(figures::stageText(d.rung()))};
  if (const QString tile = figures::tileText(d.rung(), d.tile); !tile.isEmpty()) parts += tile;
  if (const QString source = charts::sizeSource(d); !source.isEmpty()) parts += source;
  return parts.join(QStringLiteral(" · "));
}

QString writeChart(const SizeChart& chart, const QString& file, const ChartPicture& picture) {
  return write(chart, file, picture);
}

// Device and day are in the picture.
QString chartTitle(const EnergyChart& chart) {
  const model::EnergyCall* call = chart.data().whatIfs();
  if (call == nullptr) return Words::tr("Energy of a multiplication at the power limit");
  return Words::tr("Energy of a multiplication at the power limit · %1")
      .arg(QString::fromStdString(call->kernel));
}

QString writeChart(const EnergyChart& chart, const QString& file, const ChartPicture& picture) {
  return write(chart, file, picture);
}

}  // namespace tileloom
