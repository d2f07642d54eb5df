// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/loop_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <cmath>
#include <set>

#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loop)
};

constexpr double kSample = 11, kBeforeWords = 15, kBetween = 11;  // pixels

}  // namespace

std::vector<LoopMark> loopMarks(const LoopData& data, double width, const Fonts& fonts) {
  if (!data.ready()) return {};
  using Kind = LoopMark::Kind;
  const QFontMetricsF metrics(fonts.small);
  const double line = std::ceil(metrics.height());
  std::vector<LoopMark> marks;
  double x = 0, y = 0;
  const auto add = [&](Kind kind, const QString& text, sass::Class its = sass::Class::Other) {
    const double words = std::ceil(metrics.horizontalAdvance(text));
    if (x > 0 && x + kBeforeWords + words > width) {
      x = 0;
      y += line;
    }
    marks.push_back({kind, its, text, QRectF(x, y + line * 0.2, kSample, line * 0.65),
                     QRectF(x + kBeforeWords, y, words, line)});
    x += kBeforeWords + words + kBetween;
  };
  add(Kind::Clock, Words::tr("time of one warp"));
  add(Kind::OtherWarp, Words::tr("another warp issues"));
  add(Kind::Wait, Words::tr("the warp waits"));
  add(Kind::Banks, Words::tr("lost to banks"));
  add(Kind::Same, Words::tr("the same instruction"));
  add(Kind::LoadToUse, Words::tr("load to first use"));
  add(Kind::LateUse, Words::tr("first use waits"));
  const auto& classes = data.study->untouched.classes;
  for (const sass::Class each : std::set(classes.begin(), classes.end()))
    if (each != sass::Class::Other) add(Kind::Instructions, toQString(name(each)), each);
  return marks;
}

}  // namespace tileloom
