// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/text/clauses.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/cloth.h"
#include "viz/loom/slab_picture.h"

namespace tileloom {
namespace {

using analysis::DataState;
using analysis::Matrix;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LoomLegend)
};

struct Entry {
  DataState state;
  QString words;
};

// Rungs without shared memory read A and B from global memory into registers.
std::vector<Entry> entries(const Scene& scene) {
  std::vector<Entry> all;
  if (scene.recording->trace.features().sharedTiles) {
    all.push_back({DataState::InFlight, Words::tr("in flight")});
    all.push_back({DataState::InShared, Words::tr("in shared memory")});
  }
  all.push_back({DataState::InRegisters, Words::tr("in registers")});
  all.push_back({DataState::Consumed, Words::tr("consumed")});
  return all;
}

class LegendPainter {
 public:
  LegendPainter(QPainter& p, const Scene& scene, const analysis::Progress& progress, const Theme& t,
                const Fonts& f)
      : p_(p), scene_(scene), progress_(progress), t_(t), f_(f), metrics_(f.small) {
    p_.save();
    p_.setFont(f_.small);
  }
  ~LegendPainter() { p_.restore(); }
  LegendPainter(const LegendPainter&) = delete;
  LegendPainter& operator=(const LegendPainter&) = delete;

  void block(const QRectF& column) {
    const double line = 1.25 * metrics_.height();
    const double first = 0.44 * column.width();  // the words of the second column are longer
    const auto all = entries(scene_);
    const auto rows = static_cast<double>((all.size() + 1) / 2);
    double y = column.bottom() - (2 + rows) * line;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool right = i % 2 == 1;
      const QRectF place(column.left() + (right ? first : 0), y + static_cast<double>(i / 2) * line,
                         right ? column.width() - first : first, line);
      const double used = sample(all[i].state, place);
      words(place.adjusted(used, 0, 0, 0), all[i].words);
    }
    y = column.bottom() - 2 * line;
    ramp(QRectF(column.left(), y + 0.15 * line, column.width(), 0.6 * line));
    ticks(QRectF(column.left(), y + 0.75 * line, column.width(), line));
  }

  void line(const QRectF& line) {
    const double gap = 1.2 * metrics_.height();
    const QString name =
        (products() == 1 ? Words::tr("%1 product in a sum") : Words::tr("%1 products in a sum"))
            .arg(number(products()));
    const double nothing = metrics_.horizontalAdvance(QStringLiteral("0 ")) + 2;
    const double wide = 6 * metrics_.height();
    const double room = line.width() - nothing - wide - metrics_.horizontalAdvance(name) - 6;
    const auto all = entries(scene_);
    std::size_t shown = 0;
    double used = 0;
    for (const Entry& entry : all) {
      const double width = 2 * box() + 6 + metrics_.horizontalAdvance(entry.words) + gap;
      if (used + width > room) break;
      used += width;
      ++shown;
    }
    double x = line.left() + std::max(0.0, (room - used) / 2);
    for (std::size_t i = 0; i < shown; ++i) {
      const QRectF place(x, line.top(), line.right() - x, line.height());
      const double sampled = sample(all[i].state, place);
      words(place.adjusted(sampled, 0, 0, 0), all[i].words);
      x += sampled + metrics_.horizontalAdvance(all[i].words) + gap;
    }
    if (room < 0) return;
    words(QRectF(x, line.top(), nothing, line.height()), QStringLiteral("0"));
    x += nothing;
    ramp(QRectF(x, line.center().y() - box() / 2, wide, box()));
    x += wide + 6;
    words(QRectF(x, line.top(), line.right() - x, line.height()), name);
  }

 private:
  double box() const { return 0.8 * metrics_.height(); }
  std::uint32_t products() const {
    return static_cast<std::uint32_t>(scene_.recording->trace.problem.k);
  }
  static QString number(std::uint32_t n) { return QLocale(QLocale::English).toString(n); }

  void words(const QRectF& place, const QString& text) {
    p_.setPen(t_.soft);
    p_.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, fitted(text, metrics_, place.width()));
  }

  // In both hues; returns the width that it takes, with a gap.
  double sample(DataState state, const QRectF& place) {
    const QRectF all(place.left(), place.center().y() - box() / 2, 2 * box(), box());
    for (const Matrix m : {Matrix::A, Matrix::B}) {
      paintLook(p_, QRectF(m == Matrix::A ? all.left() : all.center().x(), all.top(), box(), box()),
                t_, m, state);
    }
    p_.setPen(hairline(t_.line));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(all);
    return all.width() + 6;
  }

  // From a sum without products to a complete one, as the cloth shows them.
  void ramp(const QRectF& bar) {
    constexpr int kSteps = 24;
    const QColor lane = t_.evenLane(scene_.moment.warp, 31);
    for (int i = 0; i < kSteps; ++i) {
      const double from = bar.left() + bar.width() * i / kSteps;
      p_.fillRect(QRectF(from, bar.top(), bar.width() / kSteps + 0.5, bar.height()),
                  sumColour(t_, lane, static_cast<double>(i) / (kSteps - 1)));
    }
    p_.setPen(hairline(t_.line));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(bar);
    // Where the sums are now.
    const std::uint32_t held = progress_.fewestProducts() + scene_.productsPassedOver();
    const double at = bar.left() + bar.width() * solidity(held, products());
    const double half = 0.35 * bar.height();
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, true);
    p_.setPen(Qt::NoPen);
    p_.setBrush(t_.text);
    p_.drawPolygon(QPolygonF({QPointF(at - half, bar.top() - 0.4 * half),
                              QPointF(at + half, bar.top() - 0.4 * half),
                              QPointF(at, bar.top() + 1.2 * half)}));
    p_.restore();
  }

  // Powers of eight and the whole, each where the ramp has this number of products.
  void ticks(const QRectF& line) {
    const QString whole = (products() == 1 ? Words::tr("%1 product") : Words::tr("%1 products"))
                              .arg(number(products()));
    const double gap = metrics_.horizontalAdvance(QStringLiteral("0"));
    const double last = line.right() - metrics_.horizontalAdvance(whole);
    words(QRectF(last, line.top(), line.right() - last, line.height()), whole);
    double taken = line.left();
    for (std::uint64_t n = 0; n < products(); n = n == 0 ? 1 : 8 * n) {
      const auto count = static_cast<std::uint32_t>(n);
      const QString text = number(count);
      const double width = metrics_.horizontalAdvance(text);
      const double at = line.left() + line.width() * solidity(count, products());
      const double left = std::max(line.left(), at - width / 2);
      if (left < taken || left + width + gap > last) continue;
      words(QRectF(left, line.top(), width + 1, line.height()), text);
      taken = left + width + gap;
    }
  }

  QPainter& p_;
  const Scene& scene_;
  const analysis::Progress& progress_;
  const Theme& t_;
  const Fonts& f_;
  QFontMetricsF metrics_;
};

}  // namespace

double loomLegendHeight(const Fonts& fonts) {
  return 4 * 1.25 * QFontMetricsF(fonts.small).height();
}

void paintLoomLegend(QPainter& painter, const QRectF& column, const Scene& scene,
                     const analysis::Progress& progress, const Theme& theme, const Fonts& fonts) {
  LegendPainter(painter, scene, progress, theme, fonts).block(column);
}

void paintLoomLegendLine(QPainter& painter, const QRectF& line, const Scene& scene,
                         const analysis::Progress& progress, const Theme& theme,
                         const Fonts& fonts) {
  LegendPainter(painter, scene, progress, theme, fonts).line(line);
}

}  // namespace tileloom
