// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/chart_export.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "viz/charts/chart_style.h"
#include "viz/charts/chart_table.h"
#include "viz/charts/history_charts.h"
#include "viz/charts/history_words.h"
#include "viz/charts/ladder_chart.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ChartExport)
};

constexpr int kInset = 8;  // left of the title

struct Sheet {
  QSize size;
  double scale = 1;
  QString title;
  Theme theme;
  QFont font;
};

QFont titleFont(const Sheet& sheet) {
  QFont font = sheet.font;
  font.setWeight(QFont::DemiBold);
  return font;
}

// The title takes as many lines as it needs: it is never cut off.
int titleHeight(const Sheet& sheet) {
  const QRect space(0, 0, sheet.size.width() - 2 * kInset, QWIDGETSIZE_MAX);
  const QFontMetrics metrics(titleFont(sheet));
  return metrics.boundingRect(space, Qt::AlignLeft | Qt::TextWordWrap, sheet.title).height() +
         metrics.height() / 2;
}

template <class Chart>
void paintSheet(QCPPainter& p, const Sheet& sheet, const Chart& chart) {
  p.fillRect(QRect(QPoint(0, 0), sheet.size), sheet.theme.panel);
  const int head = titleHeight(sheet);
  p.setFont(titleFont(sheet));
  p.setPen(sheet.theme.text);
  p.drawText(QRectF(kInset, 4, sheet.size.width() - 2 * kInset, head),
             Qt::AlignLeft | Qt::TextWordWrap, sheet.title);
  p.translate(0, head);
  chart.paintTo(p, QSize(sheet.size.width(), std::max(1, sheet.size.height() - head)));
}

template <class Chart>
QByteArray png(const Sheet& sheet, const Chart& chart) {
  QImage image(sheet.size * sheet.scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(sheet.scale);
  QCPPainter p(&image);
  p.setMode(QCPPainter::pmNoCaching);  // cached labels are as coarse as the screen
  paintSheet(p, sheet, chart);
  p.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

template <class Chart>
QByteArray svg(const Sheet& sheet, const Chart& chart) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(sheet.size);
  generator.setViewBox(QRect(QPoint(0, 0), sheet.size));
  generator.setResolution(96);  // as screens: fonts in points keep their size
  generator.setTitle(sheet.title);
  QCPPainter p(&generator);
  p.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
  paintSheet(p, sheet, chart);
  p.end();
  return bytes;
}

template <class Chart>
QByteArray pdf(const Sheet& sheet, const Chart& chart) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  constexpr double kPointsPerPixel = 0.75;  // 96 pixels an inch
  writer.setPageSize(QPageSize(QSizeF(sheet.size) * kPointsPerPixel, QPageSize::Point));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  writer.setResolution(96);
  writer.setTitle(sheet.title);
  QCPPainter p(&writer);
  p.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
  paintSheet(p, sheet, chart);
  p.end();
  return bytes;
}

QByteArray csv(const HistoryCharts& c) {
  return historyCsv(c.points());
}
QByteArray csv(const LadderChart& c) {
  return ladderCsv(c.bars(), c.problem(), c.source());
}
QByteArray json(const HistoryCharts& c) {
  return historyJson(c.points());
}
QByteArray json(const LadderChart& c) {
  return ladderJson(c.bars(), c.problem(), c.source());
}

QString writeBytes(const QByteArray& bytes, const QString& file) {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit()) {
    return Words::tr("cannot write \"%1\": %2; choose another place").arg(file, out.errorString());
  }
  return {};
}

template <class Chart>
QString write(const Chart& chart, const QString& file, const ChartPicture& picture) {
  const Sheet sheet{picture.size.isEmpty() ? chart.size() : picture.size, picture.scale,
                    picture.title.isEmpty() ? chartTitle(chart) : picture.title,
                    Theme::of(chart.palette()), chart.font()};
  const QString suffix = QFileInfo(file).suffix().toLower();
  QByteArray bytes;
  if (suffix == QLatin1String("png")) {
    bytes = png(sheet, chart);
  } else if (suffix == QLatin1String("svg")) {
    bytes = svg(sheet, chart);
  } else if (suffix == QLatin1String("pdf")) {
    bytes = pdf(sheet, chart);
  } else if (suffix == QLatin1String("csv")) {
    bytes = csv(chart);
  } else if (suffix == QLatin1String("json")) {
    bytes = json(chart);
  } else {
    return Words::tr("\"%1\" does not say what to write: end it in .png, .svg, .pdf, .csv or .json")
        .arg(file);
  }
  return writeBytes(bytes, file);
}

}  // namespace

QString chartTitle(const HistoryCharts& charts) {
  const auto points = charts.points();
  // What the exported figures tell: where the knobs stand, or the latest move.
  const auto count = static_cast<int>(points.size());
  const int index =
      charts.current() >= 0 && charts.current() < count ? charts.current() : count - 1;
  if (index < 0) return Words::tr("Tileloom: no move of the knobs yet");
  const HistoryPoint& p = points[static_cast<std::size_t>(index)];
  QStringList parts{charts::stageText(p.stage)};
  if (const QString tile = charts::tileText(p.stage, p.tile); !tile.isEmpty()) parts += tile;
  parts += QString::fromStdString(toString(p.problem));
  // Registers alone come from a compiler, not from a device.
  if (!p.device.isEmpty() || !p.when.isEmpty()) parts += charts::originText(p);
  return parts.join(QStringLiteral(" · "));
}

QString chartTitle(const LadderChart& chart) {
  return Words::tr("The ladder against cuBLAS at %1 · %2")
      .arg(QString::fromStdString(toString(chart.problem())), chart.source());
}

QString writeChart(const HistoryCharts& charts, const QString& file, const ChartPicture& picture) {
  return write(charts, file, picture);
}

QString writeChart(const LadderChart& chart, const QString& file, const ChartPicture& picture) {
  return write(chart, file, picture);
}

}  // namespace tileloom
