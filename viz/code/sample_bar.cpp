// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/sample_bar.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <array>

#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Stalls)
};

constexpr double kGap = 12;   // between the parts of the legend
constexpr double kShort = 5;  // between a sample and its word

struct Part {
  QString text;
  QColor ink;
};

std::array<Part, 2> parts(const Theme& theme) {
  return {Part{Words::tr("could issue"), theme.soft}, Part{Words::tr("waited"), theme.trouble}};
}

double swatch(const QFont& font) {
  return QFontMetricsF(font).height() * 0.6;
}

}  // namespace

void paintSampleBar(QPainter& p, const QRectF& bar, const model::StallShare& share, double most,
                    const Theme& theme) {
  p.fillRect(bar, theme.well);
  const double scale = bar.width() / most, ready = share.ready * scale;
  p.fillRect(QRectF(bar.left(), bar.top(), ready, bar.height()), theme.soft);
  p.fillRect(QRectF(bar.left() + ready, bar.top(), share.share * scale - ready, bar.height()),
             theme.trouble);
}

void paintSampleKey(QPainter& p, const QRectF& room, const Theme& theme, const QFont& font) {
  const double side = swatch(font);
  double x = room.left();
  p.setFont(font);
  for (const Part& part : parts(theme)) {
    p.fillRect(QRectF(x, room.center().y() - side / 2, side, side), part.ink);
    x += side + kShort;
    p.setPen(theme.soft);
    p.drawText(QRectF(x, room.top(), room.width(), room.height()), Qt::AlignLeft | Qt::AlignVCenter,
               part.text);
    x += QFontMetricsF(font).horizontalAdvance(part.text) + kGap;
  }
}

double sampleKeyWidth(const QFont& font) {
  double width = 0;
  for (const Part& part : parts(Theme::make(true)))
    width += swatch(font) + kShort + QFontMetricsF(font).horizontalAdvance(part.text) + kGap;
  return width;
}

QString sampleScope(const StallFacts& stalls) {
  return Words::tr("sampled, whole launch, %1 at %2")
      .arg(figures::deviceText(toQString(stalls.samples.device)),
           figures::sizeText(stalls.samples.problem));
}

}  // namespace tileloom
