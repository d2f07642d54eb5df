// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "viz/base/colour_scale.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TileMapLegend)
};

constexpr double kBar = 18;  // pixels, the width of the bar
constexpr double kGap = 8;   // between columns
constexpr double kTick = 3;
constexpr double kSample = 26;       // width of a sample
constexpr double kMostShare = 0.4;   // of the width, for the legend with its samples
constexpr double kHatchShare = 0.3;  // of ink in the lines over a predicted cell

QString wordsOf(CellLook look, bool othersBest) {
  switch (look) {
    case CellLook::Live:
      return Words::tr("measured, live");
    case CellLook::Recorded:
      return Words::tr("measured, recorded");
    case CellLook::Predicted:
      return Words::tr("≈ predicted");
    case CellLook::Unknown:
      return Words::tr("not measured");
    case CellLook::Present:
      return othersBest ? Words::tr("best in the cell of the window's tile")
                        : Words::tr("tile in the window");
    case CellLook::Fastest:
      return Words::tr("fastest measured in this map");
    case CellLook::Illegal:
      break;
  }
  return Words::tr("illegal");
}

}  // namespace

void paintCellLook(QPainter& p, const QRectF& rect, CellLook look, const QColor& fill,
                   const Theme& theme) {
  p.setBrush(Qt::NoBrush);
  switch (look) {
    case CellLook::Illegal: {
      // Faint: most of a map is illegal.
      const double arm = std::min({3.0, rect.width() / 4, rect.height() / 4});
      p.setPen(hairline(theme.line, 1.4));
      p.drawLine(rect.center() - QPointF(arm, arm), rect.center() + QPointF(arm, arm));
      p.drawLine(rect.center() - QPointF(arm, -arm), rect.center() + QPointF(arm, -arm));
      return;
    }
    case CellLook::Unknown:
      p.setPen(hairline(theme.line));
      p.drawRect(rect);
      return;
    case CellLook::Present:
      // Dark and light, so that it is visible on every colour of the scale.
      p.setPen(hairline(theme.panel, 1.2));
      p.drawRect(rect.adjusted(2, 2, -2, -2));
      p.setPen(hairline(theme.accent, 2.5));
      break;
    case CellLook::Fastest: {
      const double side = std::min({12.0, rect.height() * 0.6, rect.width() * 0.6});
      p.setPen(Qt::NoPen);
      p.setBrush(fill.isValid() ? Theme::ink(fill) : theme.text);
      p.drawPolygon(QPolygonF{rect.topLeft(), rect.topLeft() + QPointF(side, 0),
                              rect.topLeft() + QPointF(0, side)});
      p.setBrush(Qt::NoBrush);
      return;
    }
    case CellLook::Predicted:
      p.fillRect(rect, fill);
      figures::drawHatch(p, rect, Theme::mix(fill, Theme::ink(fill), kHatchShare));
      p.setPen(hairline(theme.soft, 1.0, Qt::DotLine));
      break;
    case CellLook::Recorded:
      p.fillRect(rect, fill);
      p.setPen(hairline(theme.text, 1.0, Qt::DashLine));
      break;
    case CellLook::Live:
      p.fillRect(rect, fill);
      p.setPen(hairline(theme.text, 1.0));
      break;
  }
  p.drawRect(rect);
}

QString unitText(SpeedUnit unit) {
  return unit == SpeedUnit::Giga ? Words::tr("GFLOP/s") : Words::tr("TFLOP/s");
}

QString inUnit(double gflops, SpeedUnit unit) {
  if (unit == SpeedUnit::Giga) return figures::speedText(gflops);
  const double tera = gflops / 1000;
  return QString::number(tera, 'f', tera < 10 ? 2 : 1);
}

LegendGeometry legendGeometry(const QRectF& available, const LegendData& data, const Fonts& fonts) {
  LegendGeometry g;
  g.room = QRectF(available.right(), available.top(), 0, available.height());
  if (!data.scale.known()) return g;
  const QFontMetricsF small(fonts.small);
  const double line = std::ceil(small.height());
  const auto wide = [&](const QString& text) { return small.horizontalAdvance(text) + 1; };

  const bool several = data.cublas.size() > 1;
  const double head = (several ? 2.5 : 1.5) * line;
  const double height = available.height() - head - line / 2;
  if (height < 2 * line) return g;
  const auto rows = std::clamp(static_cast<int>(height / (1.6 * line)), 2, 8);
  std::vector<double> ticks = data.scale.ticks(rows);
  if (data.scale.more) {  // slower tiles have the colour of the lower end
    std::erase_if(ticks, [&](double tick) {
      return data.scale.shareOf(tick) * (height - line) < 1.2 * line;
    });
    ticks.insert(ticks.begin(), data.scale.low);
  }
  const auto speedOf = [&](double gflops) {
    const QString text = inUnit(gflops, data.unit);
    return data.scale.more && gflops <= data.scale.low ? Words::tr("≤ %1").arg(text) : text;
  };

  // "H100" for "H100 80GB HBM3" if that is unambiguous.
  QStringList devices, firsts;
  for (const auto& each : data.cublas) {
    devices += each.device;
    firsts += each.device.section(u' ', 0, 0);
  }
  if (QSet<QString>(firsts.begin(), firsts.end()).size() == firsts.size()) devices = firsts;

  // The columns: speeds, and shares of cuBLAS for each device.
  double speeds = wide(unitText(data.unit));
  for (const double tick : ticks) speeds = std::max(speeds, wide(speedOf(tick)));
  std::vector<double> shares;
  const QString ofCublas = Words::tr("% of cuBLAS");
  for (const QString& device : devices)
    shares.push_back(std::max(wide(several ? device : ofCublas), wide(QStringLiteral("100"))));
  double bars = kBar + kGap + speeds;
  for (const double share : shares) bars += kGap + share;
  if (several) bars = std::max(bars, kBar + 2 * kGap + speeds + wide(ofCublas));
  double looks = 0;
  for (const CellLook look : data.looks)
    looks = std::max(looks, wide(wordsOf(look, data.othersBest)));
  const QString of =
      data.foretoldOf.isEmpty() ? QString() : Words::tr("for %1").arg(data.foretoldOf);
  // A second line below the words for a look.
  const auto more = [&](CellLook look) {
    return look == CellLook::Predicted ? of
           : look == CellLook::Present ? data.presentIs
                                       : QString();
  };
  int second = 0;
  for (const CellLook look : data.looks) {
    if (more(look).isEmpty()) continue;
    ++second;
    looks = std::max(looks, wide(more(look)));
  }
  looks += kSample + kGap;
  const double pitch = std::ceil(1.35 * line);
  const double needs = static_cast<double>(data.looks.size()) * pitch + second * line;
  // Below the bar if there is height for both, else beside it.
  const bool below = available.height() - head - needs - 1.5 * line > 6 * line;
  const bool beside = !below && bars + 2 * kGap + looks <= kMostShare * available.width() &&
                      needs <= available.height();
  const bool sampled = below ? std::max(bars, looks) <= kMostShare * available.width() : beside;

  const double width = !sampled ? bars : below ? std::max(bars, looks) : bars + 2 * kGap + looks;
  g.room = QRectF(available.right() - width, available.top(), width, available.height());
  const double foot = sampled && below ? needs + line : line / 2;
  g.bar = QRectF(g.room.left(), g.room.top() + head, kBar, available.height() - head - foot);

  const auto right = Qt::AlignRight | Qt::AlignVCenter;
  double x = g.bar.right() + kGap;
  const double names = g.room.top() + (several ? line : 0);
  g.words.push_back({{x, names, speeds, line}, unitText(data.unit), right, true});
  const double first = x + speeds + kGap;
  if (several)
    g.words.push_back({{first, g.room.top(), g.bar.left() + bars - first, line},
                       ofCublas,
                       Qt::AlignLeft | Qt::AlignVCenter,
                       true});
  const auto yOf = [&](double gflops) {
    return g.bar.bottom() - data.scale.shareOf(gflops) * g.bar.height();
  };
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double left = first + [&] {
      double before = 0;
      for (std::size_t k = 0; k < i; ++k) before += shares[k] + kGap;
      return before;
    }();
    g.words.push_back({{left, names, shares[i], line},
                       several ? devices[static_cast<qsizetype>(i)] : ofCublas,
                       right,
                       true});
    for (const double tick : ticks)
      g.words.push_back({{left, yOf(tick) - line / 2, shares[i], line},
                         QString::number(100 * tick / data.cublas[i].gflops, 'f', 0),
                         right});
  }
  for (const double tick : ticks) {
    g.ticks.push_back(yOf(tick));
    g.words.push_back({{x, yOf(tick) - line / 2, speeds, line}, speedOf(tick), right});
  }

  if (!sampled) return g;
  x = below ? g.room.left() : g.room.left() + bars + 2 * kGap;
  double y = below ? g.bar.bottom() + line : g.room.top();
  for (const CellLook look : data.looks) {
    g.samples.push_back({look, {x, y + 1, kSample, line}});
    const double left = x + kSample + kGap;
    g.words.push_back(
        {{left, y, g.room.right() - left + 1, line + 2}, wordsOf(look, data.othersBest)});
    if (!more(look).isEmpty()) {
      y += line;
      g.words.push_back({{left, y, g.room.right() - left + 1, line + 2}, more(look)});
    }
    y += pitch;
  }
  return g;
}

void moveLegend(LegendGeometry& g, double right) {
  g.room.translate(right, 0);
  g.bar.translate(right, 0);
  for (auto& word : g.words) word.rect.translate(right, 0);
  for (auto& sample : g.samples) sample.rect.translate(right, 0);
}

void paintLegend(QPainter& p, const LegendGeometry& g, const Theme& theme, const Fonts& fonts) {
  if (g.bar.isEmpty()) return;
  // One strip per pixel line of a dense screen; a gradient would mix in sRGB, which is not
  // perceptually uniform.
  const int strips = static_cast<int>(2 * g.bar.height());
  p.save();
  p.setRenderHint(QPainter::Antialiasing, false);
  for (int i = 0; i < strips; ++i) {
    const double top = g.bar.top() + g.bar.height() * i / strips;
    const double share = 1 - (i + 0.5) / strips;
    p.fillRect(QRectF(g.bar.left(), top, g.bar.width(), g.bar.height() / strips + 0.5),
               scaleColour(share, theme));
  }
  p.restore();
  p.setPen(hairline(theme.line));
  p.setBrush(Qt::NoBrush);
  p.drawRect(g.bar);
  for (const double y : g.ticks)
    p.drawLine(QPointF(g.bar.right(), y), QPointF(g.bar.right() + kTick, y));
  p.setFont(fonts.small);
  for (const auto& word : g.words) {
    p.setPen(word.title ? theme.soft : theme.text);
    p.drawText(word.rect, static_cast<int>(word.align) | Qt::TextDontClip, word.text);
  }
  for (const auto& sample : g.samples) {
    const QColor fill = scaleColour(0.6, theme);
    if (sample.look == CellLook::Fastest) p.fillRect(sample.rect, fill);
    paintCellLook(p, sample.rect, sample.look, fill, theme);
  }
}

QString looksSentence(const LegendData& data) {
  QStringList words;
  for (const CellLook look : data.looks) {
    switch (look) {
      case CellLook::Live:
        words += Words::tr("full frame: live");
        break;
      case CellLook::Recorded:
        words += Words::tr("dashed: recorded");
        break;
      case CellLook::Predicted:
        words += data.foretoldOf.isEmpty()
                     ? Words::tr("hatched ≈: predicted")
                     : Words::tr("hatched ≈: predicted for %1").arg(data.foretoldOf);
        break;
      case CellLook::Unknown:
        words += Words::tr("empty: not measured");
        break;
      case CellLook::Illegal:
        words += Words::tr("cross: illegal");
        break;
      case CellLook::Present:
        words += !data.othersBest ? Words::tr("thick frame: the tile in the window")
                 : data.presentIs.isEmpty()
                     ? Words::tr("thick frame: the best in the cell of the window's tile")
                     : Words::tr("thick frame: the best in the cell of the window's tile (%1)")
                           .arg(data.presentIs);
        break;
      case CellLook::Fastest:
        words += Words::tr("filled corner: the fastest measured in this map");
        break;
    }
  }
  if (words.isEmpty()) return {};
  words.front()[0] = words.front()[0].toUpper();
  return words.join(Words::tr("; ")) + u'.';
}

}  // namespace tileloom::charts
