// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/loop_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/code/loop/loop_words.h"
#include "viz/code/sass_style.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loop)
};

constexpr double kBankMark = 4;     // pixels of height
constexpr double kEachProduct = 3;  // pixels per cycle from which on multiply-adds are joined, too

void put(QPainter& p, const QRectF& room, const QString& text, int align = Qt::AlignLeft) {
  p.drawText(room, align | Qt::AlignVCenter, fitted(text, QFontMetricsF(p.font()), room.width()));
}

class Painter {
 public:
  Painter(QPainter& p, const LoopData& data, const LoopGeometry& g, const Theme& theme,
          const Fonts& fonts)
      : p_(p), data_(data), g_(g), theme_(theme), fonts_(fonts) {}

  void turn(bool after) {
    const LoopTurn& turn = g_.turn(after);
    words(turn, after);
    if (turn.starts.empty()) return;
    const auto& classes = factsOf(after).classes;
    p_.save();
    p_.setClipRect(QRectF(turn.ribbon.left(), turn.ribbon.top() - 1, turn.ribbon.width(),
                          turn.ribbon.height() + 2));
    p_.setRenderHint(QPainter::Antialiasing, false);
    p_.fillRect(
        QRectF(g_.x(0), turn.ribbon.top(), turn.length * g_.pixelsPerCycle, turn.ribbon.height()),
        theme_.well);
    // Multiply-adds first, so that they do not cover others.
    for (const bool products : {true, false}) {
      for (std::size_t begin = 0; begin < classes.size();) {
        // Instructions of one class in a row are one rectangle.
        std::size_t end = begin + 1;
        while (end < classes.size() && classes[end] == classes[begin] &&
               turn.starts[end] < turn.starts[end - 1] + 1.5)
          ++end;
        const double width = static_cast<double>(end - begin) * g_.pixelsPerCycle;
        const QRectF cell(g_.x(turn.starts[begin]), turn.ribbon.top(), std::max(1.0, width),
                          turn.ribbon.height());
        if ((classes[begin] == sass::Class::Ffma) == products)
          fillStripe(p_, cell, classes[begin], theme_);
        begin = end;
      }
    }
    banks(after);
    for (std::size_t i = 0; i < turn.waits.size(); ++i)
      if (turn.waits[i].cycles >= kLongWait) wait(turn, i);
    p_.restore();
    bars(turn);
  }

  void joins(const std::optional<LoopPlace>& hover) {
    if (g_.rewritten.starts.empty()) return;
    p_.save();
    p_.setClipRect(g_.joins.adjusted(0, -1, 0, 1));
    p_.setRenderHint(QPainter::Antialiasing);
    const auto& origins = data_.shown().origins;
    const auto& classes = data_.shown().facts.classes;
    const bool products = g_.pixelsPerCycle >= kEachProduct;
    std::optional<std::size_t> marked;
    for (std::size_t i = 0; i < origins.size(); ++i) {
      const bool product = classes[i] == sass::Class::Ffma;
      if (hover && (hover->rewritten ? hover->index == i : hover->index == origins[i])) marked = i;
      if (product && !products) continue;
      if (classes[i] == sass::Class::Other) continue;  // placeholders
      join(i, Theme::faded(classColor(theme_, classes[i]), product ? 0.35 : 0.75),
           classes[i] == sass::Class::Barrier ? 2.0 : 1.0);
    }
    if (marked) join(*marked, theme_.accent, 2.5);
    p_.restore();
    if (!marked) return;
    for (const bool after : {false, true}) {
      const LoopTurn& turn = g_.turn(after);
      const std::size_t its = after ? *marked : origins[*marked];
      const QRectF cell(g_.x(turn.starts[its]), turn.ribbon.top(), std::max(2.0, g_.pixelsPerCycle),
                        turn.ribbon.height());
      if (!turn.ribbon.intersects(cell)) continue;
      p_.setPen(hairline(theme_.accent, 1.5));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(cell.adjusted(-1, -1, 1, 1));
    }
  }

  void legend() {
    p_.setFont(fonts_.small);
    for (const LoopMark& mark : g_.marks) {
      sample(mark);
      p_.setPen(theme_.soft);
      p_.drawText(mark.words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, mark.text);
    }
  }

  void rows(const std::vector<LoopRow>& rows) {
    const LoopTable& table = g_.costs;
    if (rows.empty() || table.rows.empty()) return;
    head(table,
         table.withBars ? Words::tr("Cost of leaving out a change, cycles per iteration")
                        : Words::tr("Cycles/iteration"),
         data_.times ? Words::tr("%1; costs overlap").arg(measuredText(data_))
                     : Words::tr("costs overlap"),
         measuredHeading());
    double most = 1;
    const LoopRow& base = rows.front();
    const auto more = [](double cycles, double of) { return cycles - of; };
    for (const LoopRow& row : rows) {
      if (!row.whyNot.isEmpty()) continue;
      most = std::max(most, more(row.predicted, base.predicted));
      if (row.measured && base.measured) most = std::max(most, more(*row.measured, *base.measured));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const LoopRow& row = rows[i];
      const LoopTable::Row& place = table.rows[i];
      if (row.shown) {
        p_.fillRect(place.room, theme_.well);
        p_.fillRect(QRectF(place.room.left(), place.room.top(), 3, place.room.height()),
                    theme_.accent);
      }
      if (!row.version && !row.otherLanes) {
        p_.setPen(hairline(theme_.line));
        p_.drawLine(place.room.topLeft(), place.room.topRight());
      }
      name(place, row.name);
      if (!row.whyNot.isEmpty()) {
        p_.setPen(theme_.soft);
        put(p_,
            QRectF(place.name.right() + 8, place.room.top(),
                   place.room.right() - place.name.right() - 8, place.room.height()),
            Words::tr("does not exist"), Qt::AlignRight);
        continue;
      }
      const auto text = [&](double cycles, double of) {
        if (i == 0) return figures::grouped(cycles);
        const double by = std::round(more(cycles, of));
        return (by < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
               figures::grouped(std::abs(by));
      };
      const bool measured = row.measured && base.measured;
      figuresOf(place, measured ? text(*row.measured, *base.measured) : QStringLiteral("–"),
                text(row.predicted, base.predicted));
      if (i == 0 || !table.withBars) continue;
      std::optional<double> counted;
      if (measured) counted = more(*row.measured, *base.measured) / most;
      pairOfBars(place, counted, more(row.predicted, base.predicted) / most, theme_.trouble);
    }
  }

  void waits(const std::vector<LoopWait>& waits) {
    const LoopTable& table = g_.waits;
    if (waits.empty() || table.rows.empty()) return;
    head(table,
         table.withBars ? Words::tr("What its warps wait for, shares of their time")
                        : Words::tr("What its warps wait for"),
         waitsOrigin(data_), sampledHeading());
    double most = 0;
    for (const LoopWait& wait : waits)
      most = std::max({most, wait.sampled.value_or(0), wait.predicted.value_or(0)});
    for (std::size_t i = 0; i < waits.size(); ++i) {
      const LoopWait& wait = waits[i];
      const LoopTable::Row& place = table.rows[i];
      name(place, wait.name);
      figuresOf(place, shareText(wait.sampled), shareText(wait.predicted));
      if (!table.withBars) continue;
      const auto share = [most](std::optional<double> of) {
        return of ? std::optional(*of / most) : std::nullopt;
      };
      // Only time without an issued instruction is lost.
      pairOfBars(place, share(wait.sampled), share(wait.predicted),
                 wait.waits ? theme_.trouble : theme_.soft);
    }
  }

 private:
  const rewrite::TurnFacts& factsOf(bool after) const {
    return after ? data_.shown().facts : data_.study->untouched;
  }

  // Cycles that instructions lose to register banks, at the foot of the ribbon.
  void banks(bool after) {
    const LoopTurn& turn = g_.turn(after);
    const auto& lost = factsOf(after).lost;
    for (std::size_t i = 0; i < lost.size(); ++i) {
      if (lost[i].banks == 0) continue;
      const double width = std::max(1.0, lost[i].banks * g_.pixelsPerCycle);
      p_.fillRect(
          QRectF(g_.x(turn.starts[i]) - width, turn.ribbon.bottom() - kBankMark, width, kBankMark),
          theme_.trouble);
    }
  }

  void wait(const LoopTurn& turn, std::size_t i) {
    const QRectF gap(g_.x(turn.waits[i].from), turn.ribbon.top(),
                     turn.waits[i].cycles * g_.pixelsPerCycle, turn.ribbon.height());
    figures::fillTrouble(p_, gap, theme_);
    p_.setFont(fonts_.small);
    const QString text = figures::grouped(turn.waits[i].cycles);
    const QFontMetricsF metrics(fonts_.small);
    const double needs = metrics.horizontalAdvance(text) + 6;
    if (needs > gap.width() || metrics.height() > gap.height() + 4) return;
    const QRectF plate(gap.center().x() - needs / 2, gap.center().y() - metrics.height() / 2, needs,
                       metrics.height());
    p_.fillRect(plate, theme_.ground);
    p_.setPen(theme_.text);
    p_.drawText(plate, Qt::AlignCenter, text);
  }

  // One line, and details if there is room. A line that is too long even without its last clauses
  // is broken after its colon.
  void words(const LoopTurn& turn, bool after) {
    const QFontMetricsF body(fonts_.body);
    const double upper = std::ceil(body.height());
    const double lower = std::ceil(QFontMetricsF(fonts_.small).height());
    const double width = turn.words.width();
    const QRectF line(turn.words.left(), turn.words.top() + (after ? 3 : 0), width, upper);
    const QRectF next(line.left(), line.bottom(), width, lower);
    const bool twoLines = turn.words.height() >= upper + lower;
    const QString text = turnText(data_, after);
    QString more = turnDetails(data_, after);
    p_.setFont(fonts_.body);
    p_.setPen(theme_.text);
    if (!twoLines || body.horizontalAdvance(shortenedByClauses(text, body, width)) <= width) {
      put(p_, line, text);
    } else {
      const auto colon = text.indexOf(QStringLiteral(": "));
      more = text.mid(colon + 2);
      const QString name = text.left(colon);
      if (body.horizontalAdvance(name) > width) p_.setFont(fonts_.small);
      put(p_, line, name);
    }
    if (!twoLines) return;
    p_.setFont(fonts_.small);
    p_.setPen(theme_.soft);
    put(p_, next, more);
  }

  // The headings of a table and of its columns.
  void head(const LoopTable& table, const QString& title, const QString& origin,
            const QString& counted) {
    QFont bold = fonts_.body;
    bold.setWeight(QFont::DemiBold);
    p_.setFont(bold);
    p_.setPen(theme_.text);
    put(p_, table.heading, title);
    p_.setFont(fonts_.small);
    p_.setPen(theme_.soft);
    put(p_, table.origin, origin);
    columnHeading(table, table.counted, counted, theme_.trouble);
    columnHeading(table, table.predicted, predictedHeading(), paler(theme_.trouble));
  }

  void figuresOf(const LoopTable::Row& place, const QString& counted, const QString& predicted) {
    put(p_, place.counted, counted, Qt::AlignRight);
    p_.setPen(theme_.soft);
    put(p_, place.predicted, predicted, Qt::AlignRight);
  }

  // Lengths from 0 to 1; negative ones count as 0.
  void pairOfBars(const LoopTable::Row& place, std::optional<double> counted,
                  std::optional<double> predicted, const QColor& colour) {
    const double height = place.bars.height() / 2;
    const auto bar = [&](double length, double top, const QColor& its) {
      const double width = std::max(1.0, std::max(0.0, length) * place.bars.width());
      p_.fillRect(QRectF(place.bars.left(), top, width, height - 1), its);
    };
    if (counted) bar(*counted, place.bars.top(), colour);
    if (predicted) bar(*predicted, place.bars.top() + height, paler(colour));
  }

  // Predicted bars have a paler shade of the colour of counted ones.
  static QColor paler(const QColor& colour) { return Theme::faded(colour, 0.45); }

  // In one line, or in several smaller ones.
  void name(const LoopTable::Row& place, const QString& text) {
    p_.setPen(theme_.text);
    p_.setFont(place.lines > 1 ? fonts_.small : fonts_.body);
    if (place.lines > 1) {
      drawWrapped(p_, place.name, Qt::AlignLeft | Qt::AlignVCenter, text);
    } else {
      p_.drawText(place.name, Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    p_.setFont(fonts_.body);
  }

  void sample(const LoopMark& mark) {
    const QRectF& cell = mark.sample;
    const auto across = [&](const QColor& colour) {
      p_.fillRect(QRectF(cell.left(), cell.center().y() - 2, cell.width(), 4), colour);
    };
    switch (mark.kind) {
      case LoopMark::Kind::Clock: {
        p_.setPen(hairline(theme_.soft, 1.5));
        const QPointF tip(cell.right(), cell.center().y());
        p_.drawLine(QPointF(cell.left(), tip.y()), tip);
        p_.drawLine(tip, tip - QPointF(4, 3));
        p_.drawLine(tip, tip - QPointF(4, -3));
        return;
      }
      case LoopMark::Kind::OtherWarp:
        return p_.fillRect(cell, theme_.well);
      case LoopMark::Kind::Wait:
        p_.fillRect(cell, theme_.well);
        return figures::fillTrouble(p_, cell, theme_);
      case LoopMark::Kind::Banks:
        return p_.fillRect(QRectF(cell.left(), cell.bottom() - kBankMark, cell.width(), kBankMark),
                           theme_.trouble);
      case LoopMark::Kind::Same:
        p_.setPen(hairline(classColor(theme_, sass::Class::Lds), 1));
        return p_.drawLine(cell.topRight(), cell.bottomLeft());
      case LoopMark::Kind::LoadToUse:
        return across(Theme::faded(classColor(theme_, sass::Class::Lds), 0.6));
      case LoopMark::Kind::LateUse:
        return across(theme_.trouble);
      case LoopMark::Kind::Instructions:
        return fillStripe(p_, cell, mark.its, theme_);
    }
  }

  // The heading of a column of figures, with the colour of its bars.
  void columnHeading(const LoopTable& table, const QRectF& room, const QString& text,
                     const QColor& colour) {
    p_.setPen(theme_.soft);
    put(p_, room, text, Qt::AlignRight);
    if (!table.withBars) return;
    const double width = QFontMetricsF(p_.font()).horizontalAdvance(text);
    p_.fillRect(QRectF(room.right() - width - 9, room.center().y() - 3, 6, 6), colour);
  }

  void bars(const LoopTurn& turn) {
    p_.save();
    p_.setClipRect(turn.bars);
    p_.setRenderHint(QPainter::Antialiasing, false);
    for (const LoopTurn::Use& use : turn.uses)
      p_.fillRect(use.bar, use.late ? theme_.trouble
                                    : Theme::faded(classColor(theme_, sass::Class::Lds), 0.6));
    p_.restore();
  }

  void join(std::size_t after, const QColor& colour, double width) {
    const std::size_t before = data_.shown().origins[after];
    const double half = g_.pixelsPerCycle / 2;
    const QPointF from(g_.x(g_.untouched.starts[before]) + half, g_.joins.top());
    const QPointF to(g_.x(g_.rewritten.starts[after]) + half, g_.joins.bottom());
    const double left = g_.joins.left(), right = g_.joins.right();
    if ((from.x() < left && to.x() < left) || (from.x() > right && to.x() > right)) return;
    p_.setPen(hairline(colour, width));
    p_.drawLine(from, to);
  }

  QPainter& p_;
  const LoopData& data_;
  const LoopGeometry& g_;
  const Theme& theme_;
  const Fonts& fonts_;
};

}  // namespace

void paintLoop(QPainter& painter, const LoopData& data, const LoopGeometry& geometry,
               const std::vector<LoopRow>& rows, const std::vector<LoopWait>& waits,
               const std::optional<LoopPlace>& hover, const Theme& theme, const Fonts& fonts) {
  if (!data.ready()) return;
  painter.save();
  Painter all(painter, data, geometry, theme, fonts);
  all.turn(false);
  all.turn(true);
  all.joins(hover);
  all.legend();
  all.rows(rows);
  all.waits(waits);
  painter.restore();
}

}  // namespace tileloom
