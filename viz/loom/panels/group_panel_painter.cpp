// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/tile/placement.h"
#include "viz/base/text/clauses.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/cloth.h"
#include "viz/loom/panels/group_panel.h"

namespace tileloom {
namespace {

using analysis::GroupProduct;
using analysis::Matrix;
using analysis::Region;
using analysis::WarpProduct;
using emulator::kWarpSize;

constexpr double kLanesFrom = 5;  // pixels of a sum that shows its lane's shade

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::InstructionPanel)
};

class Painter {
 public:
  Painter(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
          const LoomContents& contents, const LoomGeometry& geometry, const Theme& theme,
          const Fonts& fonts)
      : p_(painter),
        panel_(panel),
        product_(*panel.group->product),
        layout_(panel.group->layout),
        scene_(scene),
        progress_(*contents.progress),
        g_(geometry),
        t_(theme),
        f_(fonts),
        bright_(brightThread(scene, *panel.group->product)) {}

  void paint() {
    const bool there = panel_.gathered > 0.9;
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, false);
    for (const Matrix m : {Matrix::A, Matrix::B}) factor(m);
    for (std::uint32_t w = 0; w < emulator::kWarpsPerGroup; ++w) band(w);
    if (there) {
      sums();
      for (std::uint32_t w = 0; w < emulator::kWarpsPerGroup; ++w) warpName(w);
      selected();
    }
    frames();
    if (there) words();
    p_.restore();
  }

 private:
  // From the places of the elements in the slabs and in C to the panel.
  QRectF onItsWayTo(const QRectF& there, const Region& tile, Matrix m) const {
    const QRectF from = tile.empty()     ? there
                        : m == Matrix::A ? g_.inSlabA(tile)
                        : m == Matrix::B ? g_.inSlabB(tile)
                                         : g_.ofC(tile);
    return from.isEmpty() ? there : onItsWay(from, there, panel_.gathered);
  }

  const Region& tileOf(Matrix m) const {
    return m == Matrix::A ? product_.tileA : m == Matrix::B ? product_.tileB : product_.tileC;
  }

  void factor(Matrix m) {
    const QRectF block = onItsWayTo(layout_.block(m), tileOf(m), m);
    p_.fillRect(block, Theme::mix(t_.matrix(m), t_.ground, 0.45));
    if (m == Matrix::A && panel_.gathered > 0.9) {
      // What the bright thread's warp multiplies.
      const std::uint32_t warp = bright_ / kWarpSize - product_.firstWarp;
      p_.fillRect(layout_.band(m, warp), t_.matrix(m));
    }
  }

  // How solid the sums of a warp of the group are: all of them have equally many products.
  QColor colourOf(const GroupProduct::Sum& sum) const {
    const auto& c = scene_.recording->map.c;
    const auto at = static_cast<std::size_t>((sum.element.row - c.row) * c.columns +
                                             sum.element.column - c.column);
    const std::uint32_t products = progress_.sums()[at] + scene_.productsPassedOver();
    return sumColour(
        t_, t_.evenLane(sum.thread / kWarpSize, sum.thread % kWarpSize),
        solidity(products, static_cast<std::uint32_t>(scene_.recording->trace.problem.k)));
  }

  void band(std::uint32_t w) {
    const std::uint32_t row = w * GroupProduct::kWarpRows;
    Region tile;
    for (std::uint32_t r = row; r < row + GroupProduct::kWarpRows; ++r) {
      for (const std::uint32_t column : {0u, product_.columns - 1}) {
        if (const auto& sum = product_.sumAt(r, column))
          tile.add(sum->element.row, sum->element.column);
      }
    }
    const auto& first = product_.sumAt(row, 0);
    p_.fillRect(onItsWayTo(layout_.band(Matrix::C, w), tile, Matrix::C),
                first ? colourOf(*first) : t_.well);
  }

  void sums() {
    const QSizeF cell = layout_.cellSize();
    const bool lanes = cell.width() >= kLanesFrom && cell.height() >= kLanesFrom;
    for (std::uint32_t row = 0; row < GroupProduct::kRows; ++row) {
      for (std::uint32_t column = 0; column < product_.columns; ++column) {
        const auto& sum = product_.sumAt(row, column);
        if (!sum) continue;
        const bool own = sum->thread == bright_;
        if (own || lanes)
          p_.fillRect(layout_.cell({Matrix::C, row, column}), own ? t_.accent : colourOf(*sum));
      }
    }
    if (8 * cell.width() < 6) return;
    p_.setPen(hairline(Theme::faded(t_.ground, 0.55)));
    const QRectF block = layout_.block(Matrix::C);
    for (std::uint32_t column = 8; column < product_.columns; column += 8) {
      const double x = layout_.cell({Matrix::C, 0, column}).left();
      p_.drawLine(QPointF(x, block.top()), QPointF(x, block.bottom()));
    }
  }

  void warpName(std::uint32_t w) {
    const std::uint32_t warp = product_.firstWarp + w;
    const QRectF band = layout_.band(Matrix::C, w);
    const QFontMetricsF metrics(f_.small);
    if (band.height() < 0.95 * metrics.height()) return;
    const QString name = Words::tr("warp %1").arg(warp);
    QRectF tag(0, 0, metrics.horizontalAdvance(name) + 6, 0.95 * metrics.height());
    tag.moveCenter(band.center());
    tag.moveRight(band.right() - 2);
    p_.fillRect(tag, Theme::faded(t_.ground, 0.78));
    p_.setFont(f_.small);
    p_.setPen(Theme::mix(t_.warp(warp), t_.text, 0.6));
    p_.drawText(tag, Qt::AlignCenter, name);
  }

  void selected() {
    if (!scene_.selection.element) return;
    const auto place = product_.placeOf(*scene_.selection.element);
    if (!place) return;
    QRectF r = layout_.cell(*place);
    if (r.width() < 4) r.adjust((r.width() - 4) / 2, 0, (4 - r.width()) / 2, 0);
    if (r.height() < 4) r.adjust(0, (r.height() - 4) / 2, 0, (4 - r.height()) / 2);
    p_.setBrush(Qt::NoBrush);
    p_.setPen(hairline(t_.ground, 4.0));
    p_.drawRect(r);
    p_.setPen(hairline(t_.text, 2.0));
    p_.drawRect(r);
  }

  void frames() {
    const bool now = product_.when == WarpProduct::When::Now;
    p_.setBrush(Qt::NoBrush);
    for (const Matrix m : {Matrix::A, Matrix::B, Matrix::C}) {
      p_.setPen(hairline(t_.matrix(m), now ? 2.0 : 1.2, now ? Qt::SolidLine : Qt::DashLine));
      p_.drawRect(onItsWayTo(layout_.block(m), tileOf(m), m));
    }
  }

  void line(const QRectF& room, const QFont& font, const QColor& ink, Qt::Alignment where,
            const QString& text) {
    p_.setFont(font);
    p_.setPen(ink);
    const QFontMetricsF metrics(font);
    p_.drawText(room, where | Qt::AlignVCenter, fitted(text, metrics, room.width()));
  }

  static QString span(std::int64_t first, std::int64_t count) {
    return QStringLiteral("%1–%2").arg(first).arg(first + count - 1);
  }

  void words() {
    if (!panel_.worded) return;
    const double high = QFontMetricsF(f_.small).height();
    const QString text = groupText(product_, scene_.recording->trace.stepK);
    const QRectF top(panel_.area.left(), panel_.area.top() + 2, panel_.area.width(),
                     QFontMetricsF(f_.body).height() * 1.2);
    const bool fits = QFontMetricsF(f_.body).horizontalAdvance(text) <= top.width();
    line(top, fits ? f_.body : f_.small, t_.text, Qt::AlignHCenter, text);
    // Where the operands come from, and which part of the matrices they are.
    QRectF room(panel_.area.left(), layout_.whole().bottom() + 3, panel_.area.width(), high);
    for (const Matrix m : {Matrix::A, Matrix::B}) {
      const Region& tile = tileOf(m);
      const QString which = tile.empty() ? QString()
                            : m == Matrix::A
                                ? Words::tr("rows %1, ").arg(span(tile.row, tile.rows))
                                : Words::tr("columns %1, ").arg(span(tile.column, tile.columns));
      QString words = descriptorText(*scene_.recording, product_, m);
      words.insert(words.indexOf(u':') + 2, which);
      line(room, f_.small, t_.matrix(m), Qt::AlignHCenter, words);
      room.translate(0, 1.1 * high);
    }
    registers(QRectF(QPointF(panel_.area.left(), room.top() + 0.3 * high),
                     QPointF(panel_.area.right(), panel_.area.bottom())));
  }

  // What the bright thread holds, where there is room left below.
  void registers(const QRectF& room) {
    const QFontMetricsF mono(f_.mono);
    const double high = std::max(mono.height(), QFontMetricsF(f_.small).height());
    const int most = static_cast<int>(room.height() / high) - 2;
    if (most < 2) return;
    const QStringList lines = groupRegisters(product_, bright_, std::min(most, 6));
    double y = room.top();
    line(QRectF(room.left(), y, room.width(), high), f_.small, t_.text, Qt::AlignHCenter,
         Words::tr("Lane %1 of warp %2 holds %3 sums")
             .arg(bright_ % kWarpSize)
             .arg(bright_ / kWarpSize)
             .arg(product_.columns / 2));
    for (const QString& text : lines) {
      y += high;
      line(QRectF(room.left(), y, room.width(), high), f_.mono, t_.matrix(Matrix::C),
           Qt::AlignHCenter, text);
    }
    if (const auto rest = product_.columns / 8 - static_cast<std::uint32_t>(lines.size());
        rest > 0) {
      line(QRectF(room.left(), y + high, room.width(), high), f_.small, t_.soft, Qt::AlignHCenter,
           Words::tr("and so on, four for every eight columns"));
    }
  }

  QPainter& p_;
  const ThreadPanel& panel_;
  const GroupProduct& product_;
  const GroupLayout& layout_;
  const Scene& scene_;
  const analysis::Progress& progress_;
  const LoomGeometry& g_;
  const Theme& t_;
  const Fonts& f_;
  std::uint32_t bright_;
};

}  // namespace

void paintGroupPanel(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
                     const LoomContents& contents, const LoomGeometry& geometry, const Theme& theme,
                     const Fonts& fonts) {
  if (!panel.group) return;
  Painter(painter, panel, scene, contents, geometry, theme, fonts).paint();
}

}  // namespace tileloom
