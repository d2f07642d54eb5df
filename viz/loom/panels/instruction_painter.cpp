// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/panels/instruction_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/cloth.h"

namespace tileloom {
namespace {

using analysis::Element;
using analysis::Matrix;
using analysis::WarpProduct;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::InstructionPanel)
};

QString span(std::int64_t first, std::int64_t count) {
  return QStringLiteral("%1–%2").arg(first).arg(first + count - 1);
}

class Painter {
 public:
  Painter(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
          const LoomContents& contents, const Theme& theme, const Fonts& fonts)
      : p_(painter),
        panel_(panel),
        scene_(scene),
        product_(*contents.warpProduct),
        progress_(*contents.progress),
        t_(theme),
        f_(fonts),
        shown_(scene.shownThread() % emulator::kWarpSize) {}

  void paint() {
    p_.setFont(f_.small);
    const QFontMetricsF metrics(f_.small);
    const QRectF& cell = panel_.cells.front().rect;
    numbered_ = panel_.gathered >= 0.6 &&
                cell.width() >= metrics.horizontalAdvance(QStringLiteral("88")) + 2 &&
                cell.height() >= 0.8 * metrics.height();
    chooseInk();
    for (const auto& v : panel_.a) factor(v, Matrix::A);
    for (const auto& v : panel_.b) factor(v, Matrix::B);
    for (const auto& c : panel_.cells) sum(c);
    frames();
    if (panel_.gathered > 0.9) words();
  }

 private:
  QColor colourOf(const ThreadPanel::Cell& cell) const {
    const auto& c = scene_.recording->map.c;
    const auto at = (cell.element.row - c.row) * c.columns + cell.element.column - c.column;
    const std::uint32_t products =
        progress_.sums()[static_cast<std::size_t>(at)] + scene_.productsPassedOver();
    return sumColour(
        t_, t_.evenLane(scene_.moment.warp, cell.lane),
        solidity(products, static_cast<std::uint32_t>(scene_.recording->trace.problem.k)));
  }

  // One ink for all sums: a change from white to black would seem to have a meaning.
  void chooseInk() {
    double black = 21, white = 21;
    for (const auto& cell : panel_.cells) {
      const QColor colour = colourOf(cell);
      black = std::min(black, Theme::contrast(colour, Qt::black));
      white = std::min(white, Theme::contrast(colour, Qt::white));
    }
    ink_ = black > white ? QColor(Qt::black) : QColor(Qt::white);
  }

  void number(const QRectF& r, const QColor& ink, std::uint32_t lane) {
    if (!numbered_) return;
    p_.setPen(ink);
    p_.drawText(r, Qt::AlignCenter, QString::number(lane));
  }

  // An operand has the hue of its matrix; what the shown lane holds is bright.
  void factor(const ThreadPanel::Value& v, Matrix m) {
    const QColor hue = t_.matrix(m);
    const bool own = v.lane == shown_;
    const QColor fill = own ? hue : Theme::mix(hue, t_.ground, (v.lane / 4) % 2 == 0 ? 0.66 : 0.74);
    p_.fillRect(v.rect.adjusted(0.5, 0.5, -0.5, -0.5), fill);
    number(v.rect, own ? Theme::ink(fill) : t_.text, v.lane);
    mark(v.element, v.rect);
  }

  void sum(const ThreadPanel::Cell& c) {
    const QColor colour = colourOf(c);
    const bool own = c.lane == shown_;
    const QColor fill = own ? t_.accent : numbered_ ? Theme::under(ink_, colour) : colour;
    p_.fillRect(c.rect.adjusted(0.5, 0.5, -0.5, -0.5), fill);
    number(c.rect, own ? Theme::ink(t_.accent) : ink_, c.lane);
    mark(c.element, c.rect);
  }

  void mark(const Element& element, const QRectF& r) {
    if (scene_.selection.element != element) return;
    p_.setPen(hairline(t_.text, 2.0));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(r.adjusted(1, 1, -1, -1));
  }

  template <class Parts>
  static QRectF around(const Parts& parts) {
    QRectF box;
    for (const auto& part : parts) box = box.isNull() ? part.rect : box.united(part.rect);
    return box;
  }

  void frames() {
    p_.setBrush(Qt::NoBrush);
    const bool now = product_.when == WarpProduct::When::Now;
    const auto frame = [&](const QRectF& box, Matrix m) {
      p_.setPen(hairline(t_.matrix(m), now ? 2.0 : 1.2, now ? Qt::SolidLine : Qt::DashLine));
      p_.drawRect(box);
    };
    frame(around(panel_.a), Matrix::A);
    frame(around(panel_.b), Matrix::B);
    frame(around(panel_.cells), Matrix::C);
  }

  void line(const QRectF& room, const QFont& font, const QColor& ink, int where,
            const QString& text) {
    p_.setFont(font);
    p_.setPen(ink);
    const QFontMetricsF metrics(font);
    p_.drawText(room, where, fitted(text, metrics, room.width()));
  }

  // The longest of these names that fits, centred.
  void named(const QRectF& room, Matrix m, const QStringList& names,
             Qt::Alignment where = Qt::AlignCenter) {
    const QFontMetricsF metrics(f_.small);
    if (room.bottom() > panel_.area.bottom() + 1) return;
    for (const QString& name : names) {
      if (metrics.horizontalAdvance(name) > room.width()) continue;
      return line(room, f_.small, t_.matrix(m), where, name);
    }
  }

  void words() {
    const QFontMetricsF small(f_.small);
    if (panel_.worded) {
      const QString text = productText(product_, scene_.recording->trace.stepK);
      const QRectF top(panel_.area.left(), panel_.area.top() + 2, panel_.area.width(),
                       QFontMetricsF(f_.body).height() * 1.2);
      const bool fits = QFontMetricsF(f_.body).horizontalAdvance(text) <= top.width();
      line(top, fits ? f_.body : f_.small, t_.text, Qt::AlignHCenter | Qt::AlignVCenter, text);
    }
    const QRectF a = around(panel_.a), b = around(panel_.b), c = around(panel_.cells);
    // Above A, left of B and below C.
    const QRectF corner(a.left(), b.top(), a.width(), a.top() - b.top());
    const double high = small.height();
    const QString rows = span(product_.tileA.row, product_.tileA.rows);
    const QString depth = span(product_.tileA.column, product_.tileA.columns);
    QStringList ofA = {Words::tr("A, rows %1, k = %2").arg(rows, depth),
                       Words::tr("A, rows %1").arg(rows), QStringLiteral("A")};
    if (numbered_)
      ofA.prepend(
          Words::tr("A, rows %1, k = %2 · the number in a cell is its lane").arg(rows, depth));
    named({a.left(), a.bottom() + 2, a.width(), high}, Matrix::A, ofA);
    // The width that A leaves on both sides of C.
    const double aside = std::clamp(c.left() - a.right() - 4, 0.0, 20.0);
    named({c.left() - aside, c.bottom() + 2, c.width() + 2 * aside, high}, Matrix::C,
          {Words::tr("C, columns %1").arg(span(product_.tileC.column, product_.tileC.columns)),
           QStringLiteral("C")});
    if (const double beside = panel_.area.right() - b.right() - 6; beside > 4 * high) {
      named({b.right() + 6, b.top(), beside, high}, Matrix::B,
            {Words::tr("B, k = %1").arg(span(product_.tileB.row, product_.tileB.rows)),
             QStringLiteral("B")},
            Qt::AlignLeft | Qt::AlignTop);
    }
    lane(corner.adjusted(0, 0, -1.2 * high, -0.6 * high));
  }

  // What one lane holds, in the free corner.
  void lane(const QRectF& room) {
    const QStringList registers = laneRegisters(product_, shown_);
    const QFontMetricsF mono(f_.mono), small(f_.small);
    const double high = std::max(mono.height(), small.height());
    QStringList lines{Words::tr("Lane %1 holds").arg(shown_)};
    lines += registers;
    if (room.height() < high * static_cast<double>(lines.size())) return;
    for (const QString& text : lines) {
      if (mono.horizontalAdvance(text) > room.width()) return;
    }
    double y = room.top();
    for (qsizetype i = 0; i < lines.size(); ++i, y += high) {
      const QString& text = lines[i];
      const QColor ink = i == 0                  ? t_.text
                         : text.startsWith(u'a') ? t_.matrix(Matrix::A)
                         : text.startsWith(u'b') ? t_.matrix(Matrix::B)
                                                 : t_.matrix(Matrix::C);
      line(QRectF(room.left(), y, room.width(), high), i == 0 ? f_.small : f_.mono, ink,
           Qt::AlignLeft | Qt::AlignVCenter, text);
    }
  }

  QPainter& p_;
  const ThreadPanel& panel_;
  const Scene& scene_;
  const WarpProduct& product_;
  const analysis::Progress& progress_;
  const Theme& t_;
  const Fonts& f_;
  std::uint32_t shown_;
  bool numbered_ = false;
  QColor ink_;
};

}  // namespace

QString productText(const WarpProduct& product, std::uint32_t stepK) {
  const std::int64_t k = std::int64_t{product.kTile} * stepK + product.dot;
  const QString which = Words::tr("mma %1 of %2 of the warp · k = %3 of K tile %4")
                            .arg(product.number)
                            .arg(product.count)
                            .arg(span(k, product.tileA.columns))
                            .arg(product.kTile + 1);
  switch (product.when) {
    case WarpProduct::When::Now:
      return which;
    case WarpProduct::When::Before:
      return Words::tr("last executed: %1").arg(which);
    case WarpProduct::When::Later:
      break;
  }
  return Words::tr("next: %1").arg(which);
}

QStringList laneRegisters(const WarpProduct& product, std::uint32_t lane) {
  QStringList lines;
  const auto pairs = [&](const std::vector<WarpProduct::Part>& parts, QChar matrix) {
    QString open;
    for (const WarpProduct::Part& p : parts) {
      if (p.lane != lane) continue;
      if (p.value % 2 == 0) {
        open = QStringLiteral("%1%2: %3")
                   .arg(matrix.toLower())
                   .arg(p.value / 2)
                   .arg(describeElement(p.element));
      } else {
        lines += QStringLiteral("%1 %2").arg(open, describeElement(p.element));
      }
    }
  };
  pairs(product.a, u'A');
  pairs(product.b, u'B');
  for (const WarpProduct::Part& p : product.c) {
    if (p.lane == lane)
      lines += QStringLiteral("c%1: %2").arg(p.value).arg(describeElement(p.element));
  }
  return lines;
}

void paintInstructionPanel(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
                           const LoomContents& contents, const Theme& theme, const Fonts& fonts) {
  if (panel.cells.empty() || !contents.warpProduct) return;
  Painter(painter, panel, scene, contents, theme, fonts).paint();
}

}  // namespace tileloom
