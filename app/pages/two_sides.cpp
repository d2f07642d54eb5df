// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/two_sides.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/services/choice/comparison.h"
#include "app/services/services.h"
#include "viz/base/widgets/cell_view.h"
#include "viz/base/widgets/side_by_side.h"

namespace tileloom {

SideBySide* makeTwoSides(QWidget* baseline, QWidget* now, PageContext& context) {
  auto* pair = new SideBySide(baseline, now);
  QObject::connect(&context.comparison, &Comparison::titlesChanged, pair, &SideBySide::setTitles);
  QObject::connect(&context.comparison, &Comparison::momentsChanged, pair, &SideBySide::setMoments);
  return pair;
}

SideBySide* makeTwoSides(CellView* baseline, CellView* now, PageContext& context) {
  Explorer& explorer = context.services.explorer;
  QObject::connect(now, &CellView::hovered, &explorer, &Explorer::hover);
  QObject::connect(now, &CellView::clicked, &explorer, &Explorer::hold);
  QObject::connect(baseline, &CellView::hovered, &explorer, &Explorer::hoverBaseline);
  QObject::connect(baseline, &CellView::clicked, &explorer, &Explorer::holdBaseline);
  return makeTwoSides(static_cast<QWidget*>(baseline), static_cast<QWidget*>(now), context);
}

QString ofBoth(const QString& baseline, const QString& now) {
  return SideBySide::tr("Baseline: %1\nNow: %2").arg(baseline, now);
}

int heightOfTwo(const SideBySide& pair) {
  constexpr int kLines = 26;
  return pair.comparing() && pair.oneAboveTheOther() ? kLines * pair.fontMetrics().height() : 0;
}

namespace {

// The name of a side and, if the sides are at different steps, its step. Both are complete, however
// many lines they take.
struct Head {
  QString name, moment;
  QRectF namePlace, momentPlace;
};

struct SidePlace {
  Head head;
  QRectF canvas;
  double least = 0;  // pixels of height
};

// Where the two sides of a picture are: side by side, or the baseline above.
class SidesLayout {
 public:
  SidesLayout(double width, const QFont& font, const PageContext& context,
              const SidesPicture& picture)
      : fonts_(Fonts::of(font)), bold_(fonts_.body) {
    bold_.setWeight(QFont::DemiBold);
    const double letter = QFontMetricsF(fonts_.body).averageCharWidth();
    above_ = SideBySide::oneAboveTheOther(picture.letters, letter, width);
    const double each = above_ ? width : width / 2;
    const auto& titles = context.comparison.titles();
    const auto& moments = context.comparison.moments();
    baseline_.head = head(SideBySide::tr("Baseline: %1").arg(titles.first),
                          picture.moments ? moments.first : QString(), each);
    now_.head = head(SideBySide::tr("Now: %1").arg(titles.second),
                     picture.moments ? moments.second : QString(), each);
    for (SidePlace* side : {&baseline_, &now_}) {
      if (picture.leastHeight) side->least = picture.leastHeight(side == &baseline_, each);
      side->canvas = QRectF(0, 0, each, 0);
    }
    if (!above_) now_.canvas.moveLeft(each);
  }

  double least() const {
    return above_
               ? bottom(baseline_) + baseline_.least + bottom(now_) + now_.least
               : std::max(bottom(baseline_), bottom(now_)) + std::max(baseline_.least, now_.least);
  }

  // Each gets what it needs and half of what is left, or its share of what is missing.
  void fill(double height) {
    if (!above_) {
      const double head = std::max(bottom(baseline_), bottom(now_));
      for (SidePlace* side : {&baseline_, &now_}) {
        side->canvas.setTop(head);
        side->canvas.setBottom(std::max(head, height));
      }
      return;
    }
    const double room = std::max(0.0, height - bottom(baseline_) - bottom(now_));
    const double needed = baseline_.least + now_.least;
    const double first =
        room >= needed ? baseline_.least + (room - needed) / 2 : room * baseline_.least / needed;
    baseline_.canvas.setTop(bottom(baseline_));
    baseline_.canvas.setHeight(first);
    now_.canvas.setTop(baseline_.canvas.bottom() + bottom(now_));
    now_.canvas.setHeight(room - first);
  }

  void paintHead(QPainter& painter, const SidePlace& side, const Theme& theme) const {
    const double top = side.canvas.top() - (above_ ? bottom(side) : side.canvas.top());
    const QPointF at(side.canvas.left(), top);
    const int flags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    painter.setFont(bold_);
    painter.setPen(theme.text);
    painter.drawText(side.head.namePlace.translated(at), flags, side.head.name);
    painter.setFont(fonts_.body);
    painter.setPen(theme.soft);
    painter.drawText(side.head.momentPlace.translated(at), flags, side.head.moment);
  }

  const SidePlace& baseline() const { return baseline_; }
  const SidePlace& now() const { return now_; }

 private:
  Head head(const QString& name, const QString& moment, double width) const {
    constexpr double kLeft = 12, kRight = 8;
    const auto heightOf = [&](const QFont& font, const QString& text) {
      const QRectF room(0, 0, width - kLeft - kRight, 1e6);
      return std::ceil(QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, text).height());
    };
    const double margin = 0.3 * QFontMetricsF(bold_).height();
    Head head{name, moment, {}, {}};
    head.namePlace = QRectF(kLeft, margin, width - kLeft - kRight, heightOf(bold_, name));
    head.momentPlace = QRectF(kLeft, head.namePlace.bottom(), head.namePlace.width(),
                              moment.isEmpty() ? 0 : heightOf(fonts_.body, moment));
    return head;
  }
  double bottom(const SidePlace& side) const {
    return side.head.momentPlace.bottom() + 0.3 * QFontMetricsF(bold_).height();
  }

  Fonts fonts_;
  QFont bold_;
  bool above_ = false;
  SidePlace baseline_, now_;
};

}  // namespace

void paintTwoSides(QPainter& painter, const Sheet& sheet, const PageContext& context,
                   const SidesPicture& picture) {
  const QRectF canvas(QPointF(0, 0), sheet.size);
  painter.fillRect(canvas, sheet.theme.ground);
  if (!context.services.explorer.baseline().ready()) return picture.paint(painter, false, canvas);
  SidesLayout layout(canvas.width(), sheet.font, context, picture);
  layout.fill(canvas.height());
  for (const bool baseline : {true, false}) {
    const SidePlace& side = baseline ? layout.baseline() : layout.now();
    layout.paintHead(painter, side, sheet.theme);
    painter.save();
    painter.setClipRect(side.canvas, Qt::IntersectClip);
    picture.paint(painter, baseline, side.canvas);
    painter.restore();
  }
}

double leastHeightOfSides(double width, const QFont& font, const PageContext& context,
                          const SidesPicture& picture) {
  if (!context.services.explorer.baseline().ready())
    return picture.leastHeight && !picture.lowAlone ? picture.leastHeight(false, width) : 0;
  return SidesLayout(width, font, context, picture).least();
}

SidesPicture sidesOf(const QFont& font, int letters, int lines) {
  SidesPicture sides;
  sides.letters = letters;
  sides.lowAlone = true;
  sides.leastHeight = [high = lines * QFontMetricsF(Fonts::of(font).body).height()](bool, double) {
    return high;
  };
  return sides;
}

}  // namespace tileloom
