// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_track_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "viz/base/widgets/painted_view.h"
#include "viz/charts/race/race_looks.h"
#include "viz/charts/race/race_track.h"
#include "viz/charts/race/race_words.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::RaceView)
};

class Painter {
 public:
  Painter(QPainter& painter, const Race& race, const QSizeF& size, const Theme& theme,
          const Fonts& fonts)
      : p_(painter),
        race_(race),
        size_(size),
        t_(theme),
        f_(fonts),
        track_(raceTrack(race, size, fonts)) {}

  void paint() {
    if (track_.room.width() <= 0) return;
    clock();
    p_.setPen(hairline(t_.faint, 1.5));
    p_.drawLine(QPointF(track_.room.left(), track_.middle),
                QPointF(track_.room.right(), track_.middle));
    scale();
    marks();
  }

 private:
  void clock() {
    if (race_.work <= 0) return;
    const QFontMetricsF small(f_.small), number(f_.number);
    p_.setFont(f_.number);
    p_.setPen(t_.text);
    p_.drawText(QRectF(8, 2, track_.clock, number.height()), Qt::AlignLeft | Qt::AlignVCenter,
                launchTimeText(race_.elapsed()));
    p_.setFont(f_.small);
    p_.setPen(t_.soft);
    p_.drawText(QRectF(8, 2 + number.height(), track_.clock, small.height()),
                Qt::AlignLeft | Qt::AlignVCenter, slownessText(race_));
  }

  // Marks full C matrices. After the first one the scale shrinks, so that the leader stays visible.
  void scale() {
    const QFontMetricsF small(f_.small);
    const double most = track_.farthest, each = track_.room.width() / most;
    const double apart = small.horizontalAdvance(Words::tr("%1 C").arg(888)) + 24;
    double step = 1;
    while (step * each < apart) step *= std::fmod(std::log10(step) + 1e-9, 1.0) < 0.5 ? 5 : 2;
    p_.setFont(f_.small);
    for (double n = 0; n <= most + 1e-9; n += step) {
      const double x = track_.room.left() + n * each;
      p_.setPen(hairline(n == 1 ? t_.text : t_.faint, n == 1 ? 2.0 : 1.0));
      p_.drawLine(QPointF(x, track_.middle - small.height() - 4),
                  QPointF(x, track_.middle + small.height() + 6));
      const QString name = n == 0   ? Words::tr("start")
                           : n == 1 ? Words::tr("C is full")
                                    : Words::tr("%1 C").arg(QString::number(n, 'f', 0));
      const double wide = small.horizontalAdvance(name) + 4;
      p_.setPen(t_.soft);
      p_.drawText(QRectF(std::clamp(x - wide / 2, 8 + track_.clock, size_.width() - wide - 4),
                         track_.room.bottom() - small.height() + 2, wide, small.height()),
                  Qt::AlignCenter, name);
    }
  }

  const QRectF& markOf(int racer) const { return track_.marks[static_cast<std::size_t>(racer)]; }

  void marks() {
    const QFontMetricsF small(f_.small);
    const std::vector<int> order = race_.order();
    for (const int i : order) {
      const double at = track_.across(race_.filled(i));
      const QRectF& mark = markOf(i);
      if (at >= mark.left() && at <= mark.right()) continue;
      p_.setPen(hairline(t_.soft));
      p_.drawLine(
          QPointF(at, track_.middle),
          QPointF(mark.center().x(), mark.top() < track_.middle ? mark.bottom() : mark.top()));
    }
    for (auto i = order.begin(); i != order.end(); ++i) {
      // If the next mark would cover this one's label, it has none.
      const double wide = small.horizontalAdvance(race_.at(*i).brief);
      QRectF words = markOf(*i).adjusted(3, 3, -3, -3);
      if (wide > words.width())
        words.adjust((words.width() - wide) / 2, 0, (wide - words.width()) / 2, 0);
      const bool free = std::none_of(i + 1, order.end(), [&](int other) {
        return markOf(other).adjusted(-1, 0, 1, 0).intersects(words);
      });
      mark(*i, free);
    }
  }

  void mark(int racer, bool named) {
    const Racer& r = race_.at(racer);
    const QColor ink = racerInk(r, t_);
    const QColor fill = r.source == RaceSpeed::Live        ? ink
                        : r.source == RaceSpeed::Predicted ? t_.ground
                                                           : recordedFill(ink, t_);
    const bool frozen = racer == race_.frozen;
    p_.setRenderHint(QPainter::Antialiasing, true);
    p_.setPen(hairline(frozen ? t_.accent : ink, frozen ? 2.5 : 1.2, raceFrame(r.source)));
    p_.setBrush(fill);
    p_.drawRoundedRect(markOf(racer), 4, 4);
    p_.setRenderHint(QPainter::Antialiasing, false);
    p_.setBrush(Qt::NoBrush);
    p_.setFont(f_.small);
    p_.setPen(Theme::ink(fill));
    if (named) p_.drawText(markOf(racer), Qt::AlignCenter, r.brief);
  }

  QPainter& p_;
  const Race& race_;
  const QSizeF size_;
  const Theme& t_;
  const Fonts& f_;
  const RaceTrack track_;
};

}  // namespace

void paintRaceTrack(QPainter& painter, const Race& race, const QSizeF& size, const Theme& theme,
                    const Fonts& fonts) {
  Painter(painter, race, size, theme, fonts).paint();
}

}  // namespace tileloom::charts
