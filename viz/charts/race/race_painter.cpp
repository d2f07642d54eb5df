// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "viz/base/paint/marks.h"
#include "viz/base/paint/paint_cells.h"
#include "viz/base/text/clauses.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/charts/race/race_geometry.h"
#include "viz/charts/race/race_legend.h"
#include "viz/charts/race/race_looks.h"
#include "viz/charts/race/race_track_painter.h"
#include "viz/charts/race/race_words.h"

namespace tileloom::charts {
namespace {

constexpr double kFlash = 0.15;    // lightness of a block that starts again,
constexpr double kFlashed = 0.06;  // until this part of it is done

class Painter {
 public:
  Painter(QPainter& painter, const Race& race, const std::vector<RacerWaves>& waves,
          const QSizeF& size, const Theme& theme, const Fonts& fonts)
      : p_(painter), race_(race), waves_(waves), size_(size), t_(theme), f_(fonts) {}

  void paint() {
    p_.fillRect(QRectF({}, size_), t_.ground);
    const RaceLanes lanes = raceLanes(race_, size_, f_);
    for (std::size_t i = 0; i < lanes.cells.size(); ++i)
      racer(static_cast<int>(i), lanes.cells[i], lanes.form);
    if (race_.racers.empty()) return;
    paintRaceTrack(p_, race_, size_, t_, f_);
    foot(lanes.form);
  }

 private:
  using Cell = RaceLanes::Cell;

  void racer(int racer, const Cell& cell, RaceForm form) {
    const Racer& r = race_.at(racer);
    blocks(racer, cell.box);
    const bool frozen = racer == race_.frozen;
    p_.setPen(hairline(frozen ? t_.accent : racerInk(r, t_), frozen ? 3.0 : 1.5,
                       r.gflops > 0 ? raceFrame(r.source) : Qt::SolidLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(cell.box);

    place(racer, cell.box);
    // Waves look different for every grid; the bar is comparable.
    bar(racer, {cell.box.left(), cell.box.bottom() + 3, cell.box.width(), kRaceBar - 4});
    words(racer, cell, form);
  }

  // One pixel per block. Its shade shows only how much of it is done: a full C stays full, and
  // blocks that are computed again only flash.
  void blocks(int racer, const QRectF& box) {
    const RaceProgress progress = race_.progress(racer);
    const RacerWaves& of = waves_[static_cast<std::size_t>(racer)];
    const std::int64_t count = of.count();
    const QColor done = blockDone(t_);
    const int columns = of.shape.x, rows = of.shape.y;
    std::vector<QRgb> shades;
    for (std::int64_t wave = 0; wave < count; ++wave) {
      const double fill = blockFill(progress.part, wave, count);
      const double flash = fill > 0 ? kFlash * std::max(0.0, 1 - fill / kFlashed) : 0;
      shades.push_back(
          (progress.laps == 0 ? Theme::mix(t_.well, done, fill) : Theme::mix(done, t_.text, flash))
              .rgb());
    }
    paintCells(p_, box, columns, rows, [&](int x, int y) {
      return shades[of.waves[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) +
                             static_cast<std::size_t>(x)]];
    });
    // Large blocks have lines between them.
    const double blockX = box.width() / columns, blockY = box.height() / rows;
    if (std::min(blockX, blockY) < 5) return;
    p_.setPen(hairline(Theme::faded(t_.ground, 0.45)));
    for (int x = 1; x < columns; ++x)
      p_.drawLine(QPointF(box.left() + x * blockX, box.top()),
                  QPointF(box.left() + x * blockX, box.bottom()));
    for (int y = 1; y < rows; ++y)
      p_.drawLine(QPointF(box.left(), box.top() + y * blockY),
                  QPointF(box.right(), box.top() + y * blockY));
  }

  // A racer that has filled its first C shows its place on it, because a full C looks like a nearly
  // full one. All places have one font size, in which each fits.
  void place(int racer, const QRectF& box) {
    if (race_.filled(racer) < 1) return;
    for (const QFont& font : {f_.number, f_.body, f_.small}) {
      const QFontMetricsF metrics(font);
      const double margin = metrics.averageCharWidth();
      if (metrics.horizontalAdvance(ordinalText(88)) + margin > box.width() ||
          metrics.height() > box.height())
        continue;
      const QString place = ordinalText(race_.placing(racer));
      const QSizeF size(metrics.horizontalAdvance(place) + margin, metrics.height());
      const QRectF badge(box.center() - QPointF(size.width() / 2, size.height() / 2), size);
      p_.fillRect(badge, t_.ground);
      p_.setFont(font);
      p_.setPen(t_.text);
      return p_.drawText(badge, Qt::AlignCenter, place);
    }
  }

  // The done part of the first C. Live: solid. Recorded: lighter, dashed frame. Predicted: hatched,
  // dotted frame.
  void bar(int racer, const QRectF& groove) {
    const Racer& r = race_.at(racer);
    const QColor ink = racerInk(r, t_);
    p_.fillRect(groove, t_.well);
    QRectF part = groove;
    part.setWidth(groove.width() * std::min(1.0, race_.filled(racer)));
    if (part.width() < 1) return;
    if (r.source == RaceSpeed::Live) return p_.fillRect(part, ink);
    if (r.source == RaceSpeed::Predicted) {
      figures::fillHatched(p_, part, ink);
    } else {
      p_.fillRect(part, recordedFill(ink, t_));
    }
    p_.setPen(hairline(ink, 1.0, raceFrame(r.source)));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
  }

  void words(int racer, const Cell& cell, RaceForm form) {
    const QFontMetricsF body(f_.body), small(f_.small);
    const bool beside = form == RaceForm::Beside;
    const int along = (beside ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter;
    double y = cell.words.top();
    const auto line = [&](const QFont& font, const QFontMetricsF& metrics, const QColor& ink,
                          const QString& words) {
      const QRectF place(cell.words.left(), y, cell.words.width(), metrics.height());
      p_.setFont(font);
      p_.setPen(ink);
      p_.drawText(place, along, fitted(words, metrics, place.width() - 4));  // from the next cell's
      y += metrics.height();
    };
    const QStringList words = racerWords(race_, racer, form, cell.words.height(), f_);
    const bool whole = body.horizontalAdvance(words[0]) <= cell.words.width();
    if (form == RaceForm::Brief) {
      line(whole ? f_.body : f_.small, whole ? body : small, t_.text, words[0]);
    } else {
      const auto parts = whole ? std::pair(words[0], QString()) : inTwoLines(words[0], body);
      line(f_.body, body, t_.text, parts.first);
      if (!parts.second.isEmpty()) line(f_.body, body, t_.text, parts.second);
    }
    for (qsizetype i = 1; i + 1 < words.size(); ++i) line(f_.small, small, t_.soft, words[i]);
    // The progress comes last; a racer with a full first C has it in full ink.
    line(f_.small, small,
         racer == race_.frozen      ? t_.accent
         : race_.filled(racer) >= 1 ? t_.text
                                    : t_.soft,
         words.back());
  }

  // The legend, the meaning of the numbers and the sentence, in as many lines as they need.
  void foot(RaceForm form) {
    const QFontMetricsF body(f_.body), small(f_.small);
    const double line = raceFootLine(f_);
    const int lines = raceFootLines(race_, size_.width(), form, f_);
    const double below = size_.height() - line / 2;
    const double above = below - (lines - 1) * line;
    const double width = raceLegendWidth(race_, f_);
    const double legend = size_.width() - 8 - width - raceNumbersWidth(form, f_);
    paintRaceLegend(p_, {lines == 1 ? legend : 8, above}, race_, t_, f_);
    if (form == RaceForm::Brief) {
      const double x = lines == 3 ? 8 : (lines == 1 ? legend : 8) + width;
      const double y = lines == 3 ? above + line : above;
      p_.setFont(f_.small);
      p_.setPen(t_.soft);
      p_.drawText(QRectF(x, y - line / 2, size_.width() - x - 8, line),
                  Qt::AlignLeft | Qt::AlignVCenter,
                  fitted(raceNumbersText(), small, size_.width() - x - 8));
    }
    const double room = (lines == 1 ? legend - 16 : size_.width() - 8) - 8;
    const QString sentence = raceSentence(race_);
    // A smaller font is preferred over a cut text.
    const bool fits = body.horizontalAdvance(sentence) <= room;
    p_.setFont(fits ? f_.body : f_.small);
    p_.setPen(race_.explained() ? t_.accent : t_.soft);
    p_.drawText(QRectF(8, below - line / 2, room, line), Qt::AlignLeft | Qt::AlignVCenter,
                fitted(sentence, QFontMetricsF(p_.font()), room));
  }

  QPainter& p_;
  const Race& race_;
  const std::vector<RacerWaves>& waves_;
  const QSizeF size_;
  const Theme& t_;
  const Fonts& f_;
};

}  // namespace

void paintRace(QPainter& painter, const Race& race, const std::vector<RacerWaves>& waves,
               const QSizeF& size, const Theme& theme, const Fonts& fonts) {
  Painter(painter, race, waves, size, theme, fonts).paint();
}

}  // namespace tileloom::charts
