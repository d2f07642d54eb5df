// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/panels/thread_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/cloth.h"

namespace tileloom {
namespace {

using analysis::Matrix;

constexpr double kLegible = 15;  // pixels of a cell that holds a number

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ThreadPanel)
};

class Painter {
 public:
  Painter(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
          const analysis::Progress& progress, const Theme& theme, const Fonts& fonts)
      : p_(painter), panel_(panel), scene_(scene), progress_(progress), t_(theme), f_(fonts) {}

  void paint() {
    const auto& source = sourceText(*scene_.recording->trace.rung());
    inRegisters_ = source.find("regM") != std::string_view::npos;
    links();
    chooseInk();
    for (const auto& cell : panel_.cells) accumulator(cell);
    for (const auto& v : panel_.a) value(v, Matrix::A);
    for (const auto& v : panel_.b) value(v, Matrix::B);
    for (const auto& s : panel_.subtiles) subtile(s);
    if (panel_.gathered > 0.9) words();
  }

 private:
  QString fitting(const QStringList& texts, double width) const {
    const QFontMetricsF metrics(p_.font());
    for (const QString& text : texts) {
      if (metrics.horizontalAdvance(text) + 4 <= width) return text;
    }
    return {};
  }

  // From both factors to the sum that they update.
  void links() {
    const ThreadPanel::Cell* target = nullptr;
    for (const auto& c : panel_.cells) {
      if (c.now) target = &c;
    }
    if (target == nullptr) return;
    p_.setPen(hairline(t_.accent, 2.0, Qt::DotLine));
    for (const auto& v : panel_.a) {
      if (v.now)
        p_.drawLine(QPointF(v.rect.right(), v.rect.center().y()),
                    QPointF(target->rect.left(), target->rect.center().y()));
    }
    for (const auto& v : panel_.b) {
      if (v.now)
        p_.drawLine(QPointF(v.rect.center().x(), v.rect.bottom()),
                    QPointF(target->rect.center().x(), target->rect.top()));
    }
  }

  QColor sumOf(const ThreadPanel::Cell& cell) const {
    const QColor lane = t_.evenLane(panel_.thread / emulator::kWarpSize, panel_.thread % 32);
    const double full = solidity(static_cast<std::uint32_t>(productsOf(cell)),
                                 static_cast<std::uint32_t>(scene_.recording->trace.problem.k));
    // As in the cloth, a sum with the product of this k is a step ahead of those without.
    return sumColour(t_, lane, full, cell.done ? kStepAhead : 0.0);
  }

  // One ink for all sums: a change from white to black would seem to have a meaning.
  void chooseInk() {
    double black = 21, white = 21;
    for (const auto& cell : panel_.cells) {
      const QColor sum = sumOf(cell);
      black = std::min(black, Theme::contrast(sum, Qt::black));
      white = std::min(white, Theme::contrast(sum, Qt::white));
    }
    ink_ = black > white ? QColor(Qt::black) : QColor(Qt::white);
  }

  void accumulator(const ThreadPanel::Cell& cell) {
    const bool numbered = cell.rect.width() - 1 >= kLegible && panel_.gathered >= 0.6;
    const QColor sum = sumOf(cell);
    const QColor base = numbered ? Theme::under(ink_, sum) : sum;
    const QRectF r = cell.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    p_.fillRect(r, cell.now ? t_.accent : base);
    const auto& chosen = scene_.selection.element;
    if (chosen && *chosen == cell.element) {
      p_.setPen(hairline(t_.accent, 2.0));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(r);
    }
    if (!numbered) return;
    // How many products the sum holds.
    p_.setFont(f_.small);
    p_.setPen(cell.now ? Theme::ink(t_.accent) : ink_);
    if (r.height() < QFontMetricsF(f_.small).capHeight() + 1) return;
    p_.drawText(r, Qt::AlignCenter, fitting({QString::number(productsOf(cell))}, r.width()));
  }

  std::int64_t productsOf(const ThreadPanel::Cell& cell) const {
    if (panel_.hasProduct) return panel_.before + (cell.done ? 1 : 0);
    const auto& c = scene_.recording->map.c;
    const auto at = (cell.element.row - c.row) * c.columns + cell.element.column - c.column;
    return progress_.sums()[static_cast<std::size_t>(at)] + scene_.productsPassedOver();
  }

  void value(const ThreadPanel::Value& v, Matrix m) {
    const QColor hue = t_.matrix(m);
    const QRectF r = v.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor fill = v.now ? hue : v.loaded ? Theme::mix(hue, t_.ground, 0.45) : t_.ground;
    p_.fillRect(r, fill);
    p_.setBrush(Qt::NoBrush);
    // Not in a register yet: an empty, dashed place.
    p_.setPen(hairline(Theme::faded(hue, v.loaded ? 1.0 : 0.7), v.now ? 2.0 : 1.0,
                       v.loaded ? Qt::SolidLine : Qt::DashLine));
    p_.drawRect(r);
    if (std::min(r.width(), r.height()) < kLegible || panel_.gathered < 0.6) return;
    p_.setFont(f_.small);
    p_.setPen(v.loaded ? Theme::ink(fill) : t_.soft);
    if (r.height() < QFontMetricsF(f_.small).capHeight() + 1) return;
    const std::int64_t own = m == Matrix::A ? v.element.row : v.element.column;
    const QString name = namedWhole(m) ? describeElement(v.element) : QString::number(own);
    p_.drawText(r, Qt::AlignCenter, fitting({name}, r.width()));
  }

  // Whether each fragment of the matrix has room for its whole name: all are named alike.
  bool namedWhole(Matrix m) const {
    const QFontMetricsF metrics(f_.small);
    return std::ranges::all_of(m == Matrix::A ? panel_.a : panel_.b, [&](const auto& v) {
      return metrics.horizontalAdvance(describeElement(v.element)) + 4 <= v.rect.width();
    });
  }

  // "regN", and which row of B the numbers below are columns of.
  QString fragmentsName(Matrix m) const {
    const auto& values = m == Matrix::A ? panel_.a : panel_.b;
    const QString array = m == Matrix::A ? QStringLiteral("A") : QStringLiteral("B");
    const QString name = !inRegisters_    ? array
                         : m == Matrix::A ? QStringLiteral("regM")
                                          : QStringLiteral("regN");
    if (namedWhole(m)) return name;
    const auto& e = values.front().element;
    const QString element = m == Matrix::A ? QStringLiteral("A[m][%1]").arg(e.column)
                                           : QStringLiteral("B[%1][n]").arg(e.row);
    return inRegisters_ ? name + QStringLiteral(" = ") + element : element;
  }

  void subtile(const ThreadPanel::Subtile& s) {
    p_.setPen(hairline(t_.text, 2.0));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(s.rect);
  }

  void words() {
    const QFontMetricsF metrics(f_.small);
    p_.setFont(f_.body);
    p_.setPen(t_.text);
    const auto& trace = scene_.recording->trace;
    QString line;
    if (panel_.hasProduct) {
      line = Words::tr(
                 "%1 of %2 products of this k are added; the numbers count the products in each "
                 "sum, %3 in the end")
                 .arg(panel_.done)
                 .arg(panel_.all)
                 .arg(QLocale(QLocale::English).toString(trace.problem.k));
    } else if (scene_.moment.instruction.kTile == emulator::kNoTile) {
      line = Words::tr("outside the main loop: the sums are being stored, or have not begun");
    } else if (const std::uint32_t other = scene_.touchedTile(); other != scene_.kTile()) {
      line = Words::tr("K tile %1 is being fetched: no products are added").arg(other + 1);
    } else {
      line = Words::tr("between two k: no products are added");
    }
    const QRectF top(panel_.area.left(), panel_.area.top() + 2, panel_.area.width(),
                     metrics.height() * 1.3);
    if (panel_.worded) {
      // Smaller text before shorter text.
      const bool fits = QFontMetricsF(f_.body).horizontalAdvance(line) <= top.width();
      p_.setFont(fits ? f_.body : f_.small);
      const QFontMetricsF font(p_.font());
      p_.drawText(top, Qt::AlignHCenter | Qt::AlignVCenter, fitted(line, font, top.width()));
    }
    p_.setFont(f_.small);
    // Left of the fragments of B, and above those of A, or below them.
    QRectF taken;
    const double high = metrics.height();
    if (!panel_.b.empty()) {
      const QRectF& first = panel_.b.front().rect;
      const QString name = fragmentsName(Matrix::B);
      const double wide = metrics.horizontalAdvance(name);
      taken = place(QRectF(first.left() - 6 - wide, first.center().y() - high / 2, wide, high),
                    name, Matrix::B, {});
    }
    if (!panel_.a.empty() && panel_.worded) {
      const QRectF &first = panel_.a.front().rect, &last = panel_.a.back().rect;
      const QString name = fragmentsName(Matrix::A);
      const double wide = metrics.horizontalAdvance(name), left = first.right() - wide;
      if (place(QRectF(left, first.top() - 1.2 * high, wide, high), name, Matrix::A, taken)
              .isNull())
        place(QRectF(left, last.bottom() + 0.2 * high, wide, high), name, Matrix::A, taken);
    }
    // While they move, cells may be larger than their subtile.
    if (panel_.subtiles.size() < 2 || panel_.gathered < 0.95) return;
    p_.setPen(t_.soft);
    for (const auto& s : panel_.subtiles) {
      // Where subtiles are close together, only the lowest ones have room for their names.
      const QRectF below(s.rect.left(), s.rect.bottom() + 1, s.rect.width(),
                         0.8 * metrics.height());
      const auto covers = [&](const ThreadPanel::Subtile& o) { return o.rect.intersects(below); };
      if (std::ranges::any_of(panel_.subtiles, covers)) continue;
      const QString text = fitting(
          {Words::tr("subtile %1").arg(s.number), QString::number(s.number)}, s.rect.width());
      p_.drawText(QRectF(s.rect.left(), s.rect.bottom() + 1, s.rect.width(), metrics.height()),
                  Qt::AlignHCenter | Qt::AlignTop, text);
    }
  }

  // The place of the words, on their own ground because a slab may be below them; null: no room.
  QRectF place(const QRectF& room, const QString& words, Matrix m, const QRectF& taken) {
    const QRectF ground = room.adjusted(-3, 0, 3, 0);
    if (!panel_.area.contains(room) || ground.intersects(taken)) return {};
    p_.fillRect(ground, Theme::faded(t_.ground, 0.85));
    p_.setPen(t_.matrix(m));
    p_.drawText(room, Qt::AlignCenter | Qt::TextDontClip, words);
    return ground;
  }

  QPainter& p_;
  const ThreadPanel& panel_;
  const Scene& scene_;
  const analysis::Progress& progress_;
  const Theme& t_;
  const Fonts& f_;
  bool inRegisters_ = false;
  QColor ink_;
};

}  // namespace

void paintThreadPanel(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
                      const analysis::Progress& progress, const Theme& theme, const Fonts& fonts) {
  if (panel.cells.empty()) return;
  Painter(painter, panel, scene, progress, theme, fonts).paint();
}

}  // namespace tileloom
