// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/analysis/recording.h"
#include "viz/base/describe.h"
#include "viz/base/painted_view.h"
#include "viz/loom/grid_painter.h"
#include "viz/loom/loom_words.h"
#include "viz/loom/thread_painter.h"

namespace tileloom {
namespace {

using analysis::Element;
using analysis::Matrix;
using analysis::Region;
using analysis::Touch;

constexpr std::uint32_t kWarp = emulator::kWarpSize;

QString text(const char* source) {
  return QCoreApplication::translate("tileloom::Loom", source);
}

class LoomPainter {
 public:
  LoomPainter(QPainter& painter, const LoomFrame& frame, const LoomGeometry& geometry,
              const Scene& scene, const LoomContents& contents, const Theme& theme,
              const Fonts& fonts)
      : p_(painter),
        frame_(frame),
        g_(geometry),
        scene_(scene),
        contents_(contents),
        t_(theme),
        f_(fonts),
        recording_(*scene.recording) {}

  void paint() {
    p_.save();
    p_.setClipRect(frame_.viewport, Qt::IntersectClip);
    p_.setRenderHint(QPainter::Antialiasing, false);
    wholeMatrices();
    blockTile();
    touchesInC();
    // Close up, one thread's cells are all that is left of C.
    p_.fillRect(frame_.viewport, Theme::faded(t_.ground, g_.nearness()));
    slab(Matrix::A);
    slab(Matrix::B);
    p_.setRenderHint(QPainter::Antialiasing, true);
    guides();
    labels();
    subtiles();
    const ThreadPanel panel =
        threadPanel(scene_, g_, contents_.product, QFontMetricsF(f_.title).height());
    paintThreadPanel(p_, panel, scene_, t_, f_);
    if (panel.gathered < 0.5) selection();
    p_.restore();
    margins();
    paintLoomWords(p_, frame_, scene_, contents_, g_.level(), t_, f_);
  }

 private:
  // SVG knows no clipping, so what stands over the edge of the viewport is covered.
  void margins() {
    const QRectF &all = frame_.canvas, &view = frame_.viewport;
    p_.fillRect(QRectF(all.topLeft(), QPointF(all.right(), view.top())), t_.ground);
    p_.fillRect(QRectF(QPointF(all.left(), view.bottom()), all.bottomRight()), t_.ground);
    p_.fillRect(QRectF(all.topLeft(), QPointF(view.left(), all.bottom())), t_.ground);
    p_.fillRect(QRectF(QPointF(view.right(), all.top()), all.bottomRight()), t_.ground);
  }

  void wholeMatrices() {
    const double share = 1.0 - g_.detail();
    const auto& trace = recording_.trace;
    // C stays: it shows where the block tile lies among its neighbours.
    p_.fillRect(g_.c(), Theme::mix(t_.matrix(Matrix::C), t_.ground, 0.90));
    paintGrid(p_, g_, scene_, t_);
    blockGrid();
    nameWaves(p_, g_, scene_, t_, f_);
    p_.setPen(hairline(Theme::faded(t_.matrix(Matrix::C), 0.6)));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(g_.c());
    if (share <= 0.01) return;
    for (const Matrix m : {Matrix::A, Matrix::B}) {
      const QRectF whole = m == Matrix::A ? g_.a() : g_.b();
      p_.fillRect(whole, Theme::faded(Theme::mix(t_.matrix(m), t_.ground, 0.86), share));
      // The strip of this matrix that the block walks along.
      const QRectF block = g_.block();
      const QRectF strip = m == Matrix::A
                               ? QRectF(whole.left(), block.top(), whole.width(), block.height())
                               : QRectF(block.left(), whole.top(), block.width(), whole.height());
      p_.fillRect(strip, Theme::faded(Theme::mix(t_.matrix(m), t_.ground, 0.66), share));
      p_.setPen(hairline(Theme::faded(t_.matrix(m), 0.5 * share)));
      p_.drawRect(whole);
      const QString size =
          m == Matrix::A ? QStringLiteral("A  %1 × %2").arg(trace.problem.m).arg(trace.problem.k)
                         : QStringLiteral("B  %1 × %2").arg(trace.problem.k).arg(trace.problem.n);
      p_.setFont(f_.body);
      p_.setPen(Theme::faded(t_.matrix(m), share));
      p_.drawText(whole.topLeft() + QPointF(0, -5), size);
    }
  }

  void blockGrid() {
    const Region& c = recording_.map.c;
    const auto& trace = recording_.trace;
    const double w = static_cast<double>(c.columns) * g_.cell();
    const double h = static_cast<double>(c.rows) * g_.cell();
    const QRectF all = g_.c(), view = frame_.viewport;
    p_.setPen(hairline(Theme::faded(t_.line, 0.9)));
    const auto lines = [&](double step, double origin, double from, double to, auto draw) {
      if (step < 4.0) return;
      const double first = origin + std::ceil((from - origin) / step) * step;
      for (double at = first; at <= to; at += step) draw(at);
    };
    // Blocks tile C from its corner on: the traced one tells how far apart they stand, unless it is
    // the first of its row or column.
    const Extent grid = launchOf(*trace.stage, trace.tile, trace.problem).grid;
    const auto [blockRow, blockColumn] = placeOf(*trace.stage, trace.tile, grid, trace.block);
    const double stepX =
        blockColumn > 0 ? static_cast<double>(c.column) / blockColumn * g_.cell() : w;
    const double stepY = blockRow > 0 ? static_cast<double>(c.row) / blockRow * g_.cell() : h;
    lines(stepX, all.left(), std::max(all.left(), view.left()), std::min(all.right(), view.right()),
          [&](double x) { p_.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom())); });
    lines(stepY, all.top(), std::max(all.top(), view.top()), std::min(all.bottom(), view.bottom()),
          [&](double y) { p_.drawLine(QPointF(all.left(), y), QPointF(all.right(), y)); });
  }

  void blockTile() {
    const QRectF block = g_.block();
    p_.setRenderHint(QPainter::SmoothPixmapTransform, false);
    p_.drawImage(block, contents_.ownership);
    threadLines();
    for (std::uint32_t w = 0; w < recording_.trace.warps; ++w) warpFrame(w);
    p_.setPen(hairline(t_.matrix(Matrix::C), 2.0));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(block);
  }

  void threadLines() {
    const auto& subtiles = recording_.map.subtiles;
    p_.setBrush(Qt::NoBrush);
    for (std::uint32_t thread = 0; thread < subtiles.size(); ++thread) {
      const bool current = thread / kWarp == scene_.moment.warp;
      p_.setPen(hairline(Theme::faded(t_.ground, current ? 0.55 : 0.35)));
      for (const Region& subtile : subtiles[thread]) {
        const QRectF r = g_.ofC(subtile);
        if (std::min(r.width(), r.height()) < 4.0)
          return;  // all subtiles are alike: none is legible
        if (!r.intersects(frame_.viewport)) continue;
        p_.drawRect(r);
        if (current && r.width() > 26 && r.height() > 18) laneNumber(thread, r);
      }
    }
  }

  void laneNumber(std::uint32_t thread, const QRectF& r) {
    const std::uint32_t lane = thread % kWarp;
    p_.setFont(f_.small);
    p_.setPen(Theme::faded(Theme::ink(t_.lane(thread / kWarp, lane)), 0.75));
    p_.drawText(r, Qt::AlignCenter, QString::number(lane));
    p_.setPen(hairline(Theme::faded(t_.ground, 0.55)));
  }

  void warpFrame(std::uint32_t w) {
    const Region& region = recording_.map.warps[w];
    if (region.empty()) return;
    const bool current = w == scene_.moment.warp;
    const QRectF r = g_.ofC(region);
    // Frames of warps that are a column or two wide would hide what they frame.
    if (std::min(r.width(), r.height()) < (current ? 3.0 : 8.0)) return;
    p_.setPen(hairline(t_.warp(w), current ? 2.5 : 1.0,
                       recording_.map.warpSolid[w] ? Qt::SolidLine : Qt::DashLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(r.adjusted(1, 1, -1, -1));
  }

  // What the current instruction does to C: the elements whose sums grow, or that are stored.
  void touchesInC() {
    for (const Touch& touch : scene_.moment.touches) {
      if (touch.element.matrix != Matrix::C) continue;
      const QRectF cell = g_.of(touch.element);
      // A dot in the cell, so that the lanes' tiles and the outline of the chosen one stay in
      // sight.
      const double inset = cell.width() < 2.0   ? -0.5
                           : cell.width() < 6.0 ? 0.0
                                                : cell.width() * 0.28;
      const QRectF shown = cell.adjusted(inset, inset, -inset, -inset);
      p_.fillRect(shown, Theme::faded(t_.accent, 0.88));
    }
  }

  void slab(Matrix m) {
    const QRectF rect = m == Matrix::A ? g_.slabA() : g_.slabB();
    const Region tile = scene_.slab(m);
    if (tile.empty() || rect.isEmpty()) return;
    const QColor hue = t_.matrix(m);
    if (g_.detail() > 0.5) {
      // Where a slab covers C after zooming in, keep the two apart.
      p_.fillRect(rect.adjusted(-4, -4, 4, 4), t_.ground);
    }
    p_.fillRect(rect, Theme::mix(hue, t_.ground, 0.74));
    // While a K tile is filled: what is not in shared memory yet is darker.
    const QImage& missing = m == Matrix::A ? contents_.missingA : contents_.missingB;
    if (!missing.isNull()) {
      p_.setRenderHint(QPainter::SmoothPixmapTransform, false);
      p_.drawImage(rect, missing);
    }
    // The whole lines of the slab that the instruction reads from: one column of A or row of B for
    // each dot index.
    std::set<std::int64_t> lines;
    for (const Touch& touch : scene_.moment.touches) {
      if (touch.element.matrix != m || !tile.contains(touch.element.row, touch.element.column))
        continue;
      lines.insert(m == Matrix::A ? touch.element.column : touch.element.row);
    }
    if (lines.size() <= 4) {
      for (const std::int64_t line : lines) {
        const Region strip = m == Matrix::A ? Region{tile.row, line, tile.rows, 1}
                                            : Region{line, tile.column, 1, tile.columns};
        p_.fillRect(m == Matrix::A ? g_.inSlabA(strip) : g_.inSlabB(strip),
                    Theme::mix(hue, t_.ground, 0.45));
      }
    }
    slabLines(m, rect, tile);
    for (const Touch& touch : scene_.moment.touches) {
      if (touch.element.matrix != m || !tile.contains(touch.element.row, touch.element.column))
        continue;
      const QColor colour = t_.lane(scene_.moment.warp, touch.lane);
      QRectF cell = g_.of(touch.element);
      if (cell.height() > 4 && cell.width() > 4) cell.adjust(0.5, 0.5, -0.5, -0.5);
      p_.fillRect(cell, colour);
    }
    p_.setPen(hairline(hue, 1.5));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(rect);
  }

  void slabLines(Matrix m, const QRectF& rect, const Region& tile) {
    const double x = rect.width() / static_cast<double>(tile.columns);
    const double y = rect.height() / static_cast<double>(tile.rows);
    p_.setPen(hairline(Theme::faded(t_.ground, 0.5)));
    if (x >= 4.0 && (m == Matrix::A || x >= 6.0)) {
      for (std::int64_t i = 1; i < tile.columns; ++i) {
        const double at = rect.left() + static_cast<double>(i) * x;
        if (at < frame_.viewport.left() || at > frame_.viewport.right()) continue;
        p_.drawLine(QPointF(at, rect.top()), QPointF(at, rect.bottom()));
      }
    }
    if (y >= 4.0 && (m == Matrix::B || y >= 6.0)) {
      for (std::int64_t i = 1; i < tile.rows; ++i) {
        const double at = rect.top() + static_cast<double>(i) * y;
        if (at < frame_.viewport.top() || at > frame_.viewport.bottom()) continue;
        p_.drawLine(QPointF(rect.left(), at), QPointF(rect.right(), at));
      }
    }
  }

  // Dotted lines from the shown thread's rows of A and columns of B to its tiles of C.
  void guides() {
    if (g_.detail() < 0.6 || g_.nearness() > 0.1) return;
    const auto& subtiles = recording_.map.subtiles[scene_.shownThread()];
    p_.setPen(hairline(Theme::faded(t_.text, 0.75 * g_.detail()), 1.2, Qt::DotLine));
    std::set<std::int64_t> rows, columns;
    for (const Region& s : subtiles) {
      const QRectF r = g_.ofC(s);
      if (rows.insert(s.row).second && rows.size() <= 8) {
        p_.drawLine(QPointF(g_.slabA().right(), r.center().y()), QPointF(r.left(), r.center().y()));
      }
      if (columns.insert(s.column).second && columns.size() <= 8) {
        p_.drawLine(QPointF(r.center().x(), g_.slabB().bottom()), QPointF(r.center().x(), r.top()));
      }
    }
  }

  void subtiles() {
    if (g_.detail() < 0.3 || g_.nearness() > 0.1) return;
    subTiles();
    subtilesOf(scene_.shownThread(), t_.text);
    // A thread of another warp that the mouse is on, or that is held.
    const auto& chosen = scene_.selection.thread;
    if (chosen && *chosen != scene_.shownThread() && *chosen < recording_.map.subtiles.size()) {
      subtilesOf(*chosen, t_.warp(*chosen / kWarp));
    }
  }

  // What all lanes of the warp cover with their first subtiles, their second ones, …
  void subTiles() {
    if (g_.level() != LoomLevel::Warp) return;
    const std::size_t first = std::size_t{scene_.moment.warp} * kWarp;
    const auto& subtiles = recording_.map.subtiles;
    const std::size_t count = subtiles[first].size();
    if (count < 2 || count > 64) return;
    p_.setFont(f_.small);
    const QFontMetricsF metrics(f_.small);
    for (std::size_t n = 0; n < count; ++n) {
      Region whole;
      for (std::size_t lane = first; lane < first + kWarp && lane < subtiles.size(); ++lane) {
        if (n >= subtiles[lane].size()) return;
        const Region& s = subtiles[lane][n];
        whole.add(s.row, s.column);
        whole.add(s.row + s.rows - 1, s.column + s.columns - 1);
      }
      const QRectF r = g_.ofC(whole);
      p_.setPen(hairline(t_.text, 1.4, Qt::DashLine));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(r);
      const QString name = text("subtile %1").arg(n + 1);
      const QRectF tag(r.left() + 3, r.bottom() - metrics.height() - 4,
                       metrics.horizontalAdvance(name) + 8, metrics.height() + 1);
      if (tag.width() + 6 > r.width() || tag.height() + 6 > r.height()) continue;
      p_.fillRect(tag, Theme::faded(t_.ground, 0.75));
      p_.setPen(t_.text);
      p_.drawText(tag, Qt::AlignCenter, name);
    }
  }

  void subtilesOf(std::uint32_t thread, const QColor& ink) {
    const auto& subtiles = recording_.map.subtiles[thread];
    const bool busy = scene_.moment.instruction.kind == emulator::Kind::Fma;
    int number = 0;
    for (const Region& s : subtiles) {
      ++number;
      const QRectF r = g_.ofC(s);
      if (!r.intersects(frame_.viewport) || number > 64) continue;
      p_.setPen(hairline(ink, 2.0));
      const bool large = std::min(r.width(), r.height()) >= 60;
      // A numbered subtile is opaque so that it can be seen from the back row, except where cells
      // of the tile light up one by one or have become large.
      const bool solid = subtiles.size() > 1 && !busy && !large;
      p_.setBrush(solid ? QBrush(ink) : Qt::NoBrush);
      p_.drawRect(r);
      if (subtiles.size() > 1 && r.width() > 8 && r.height() > 8) {
        QFont font = f_.small;
        font.setBold(true);
        p_.setFont(font);
        p_.setPen(solid ? Theme::ink(ink) : ink);
        // The middle of a large tile belongs to the lane's number.
        if (large) {
          p_.drawText(r.adjusted(6, 4, -6, -4), Qt::AlignLeft | Qt::AlignTop,
                      text("subtile %1").arg(number));
        } else {
          // Where every cell names its lane, so does this one: two kinds of number side by side
          // would be read as one.
          const bool named = r.width() > 26 && r.height() > 18;
          p_.drawText(r, Qt::AlignCenter,
                      QString::number(named ? static_cast<int>(thread % kWarp) : number));
        }
      }
    }
  }

  void selection() {
    const Selection& s = scene_.selection;
    if (!s.element) return;
    const QRectF cell = g_.of(*s.element);
    if (cell.isEmpty()) return;
    p_.setBrush(Qt::NoBrush);
    QRectF ring = cell;
    while (ring.width() < 7) ring.adjust(-1, 0, 1, 0);
    while (ring.height() < 7) ring.adjust(0, -1, 0, 1);
    const QRectF block = g_.block();
    p_.setPen(hairline(Theme::faded(t_.accent, 0.7), 1.0, Qt::DashLine));
    // An element of A meets a whole row of C, one of B a whole column.
    if (s.element->matrix == Matrix::A) {
      p_.drawLine(QPointF(cell.right(), cell.center().y()),
                  QPointF(block.right(), cell.center().y()));
    } else if (s.element->matrix == Matrix::B) {
      p_.drawLine(QPointF(cell.center().x(), cell.bottom()),
                  QPointF(cell.center().x(), block.bottom()));
    }
    p_.setPen(hairline(t_.ground, 4.0));
    p_.drawRect(ring.adjusted(-1, -1, 1, 1));
    p_.setPen(hairline(t_.accent, 2.0));
    p_.drawRect(ring.adjusted(-1, -1, 1, 1));
  }

  void labels() {
    QFont big = f_.title;
    big.setBold(true);
    p_.setFont(big);
    const QFontMetricsF metrics(big);
    const double shown = g_.detail();
    if (shown > 0.5) {
      const QRectF c = g_.block() & frame_.viewport;
      p_.setPen(Theme::faded(t_.matrix(Matrix::C), shown));
      const double right = c.right() + 8;
      if (right + metrics.horizontalAdvance(u'C') < frame_.viewport.right()) {
        p_.drawText(QPointF(right, c.bottom() - 4), "C");
      }
      const QRectF a = g_.slabA() & frame_.viewport, b = g_.slabB() & frame_.viewport;
      const QPointF nameB(
          std::max(b.left() - metrics.horizontalAdvance(u'B') - 8, frame_.viewport.left() + 2),
          b.center().y() + metrics.ascent() / 2 - 2);
      QPointF nameA(a.center().x() - metrics.horizontalAdvance(u'A') / 2,
                    std::max(a.top() - 6, frame_.viewport.top() + metrics.ascent()));
      const double reach = metrics.height();
      if (std::abs(nameA.x() - nameB.x()) < reach && std::abs(nameA.y() - nameB.y()) < reach) {
        nameA = QPointF(a.left() - metrics.horizontalAdvance(u'A') - 8,
                        a.center().y() + metrics.ascent() / 2 - 2);
      }
      p_.setPen(Theme::faded(t_.matrix(Matrix::A), shown));
      p_.drawText(nameA, "A");
      p_.setPen(Theme::faded(t_.matrix(Matrix::B), shown));
      p_.drawText(nameB, "B");
    } else {
      const auto& trace = recording_.trace;
      p_.setFont(f_.body);
      p_.setPen(t_.matrix(Matrix::C));
      const QFontMetricsF body(f_.body);
      const QString name = QStringLiteral("C  %1 × %2").arg(trace.problem.m).arg(trace.problem.n);
      p_.drawText(QPointF(g_.c().right() - body.horizontalAdvance(name),
                          g_.c().bottom() + body.ascent() + 3),
                  name);
    }
    warpLabels();
  }

  void warpLabels() {
    if (g_.nearness() > 0.1) return;
    p_.setFont(f_.small);
    const QFontMetricsF metrics(f_.small);
    const auto& warps = recording_.map.warps;
    const auto widthOf = [&](const QString& label) { return metrics.horizontalAdvance(label); };
    // Hues repeat from the ninth warp on: bare numbers tell narrow warps apart, all or none.
    const double digits = widthOf(QString::number(recording_.trace.warps - 1)) + 2;
    const bool bare = std::ranges::all_of(warps, [&](const analysis::Region& warp) {
      return warp.empty() || static_cast<double>(warp.columns) * g_.cell() >= digits + 2;
    });
    for (std::uint32_t w = 0; w < recording_.trace.warps; ++w) {
      const QRectF r = g_.ofC(warps[w]) & frame_.viewport;
      QString label = text("warp %1").arg(w);
      double width = widthOf(label) + 8, edge = 3;
      const double height = metrics.height() + 2;
      if (r.width() < width + 4) {
        // The watched warp's lanes may have numbers of their own there.
        if (!bare || r.width() < digits + 2 || (w == scene_.moment.warp && r.width() > 26))
          continue;
        label = QString::number(w);
        width = digits;
        edge = (r.width() - width) / 2;
      }
      if (r.height() < height + 2) continue;
      // Lane 0, which most people look at first, has its tile at the top left.
      const QRectF tag(r.right() - width - edge, r.bottom() - height - 3, width, height);
      const bool current = w == scene_.moment.warp;
      // Close up, the names of its subtiles stand there.
      if (current && g_.level() == LoomLevel::Warp) continue;
      p_.fillRect(tag, current ? t_.warp(w) : Theme::faded(t_.ground, 0.72));
      p_.setPen(current ? Theme::ink(t_.warp(w)) : Theme::mix(t_.warp(w), t_.text, 0.6));
      p_.drawText(tag, Qt::AlignCenter, label);
    }
  }

  QPainter& p_;
  const LoomFrame& frame_;
  const LoomGeometry& g_;
  const Scene& scene_;
  const LoomContents& contents_;
  const Theme& t_;
  const Fonts& f_;
  const analysis::Recording& recording_;
};

}  // namespace

LoomFrame LoomFrame::of(const QRectF& canvas, const Fonts& fonts) {
  const double margin = QFontMetricsF(fonts.body).height() * 0.7;
  const double head = QFontMetricsF(fonts.title).height() * 1.4;
  const double foot = QFontMetricsF(fonts.body).height() * 1.5;
  const QRectF inner = canvas.adjusted(margin, margin * 0.6, -margin, -margin * 0.4);
  LoomFrame f;
  f.canvas = canvas;
  f.header = QRectF(inner.left(), inner.top(), inner.width(), head);
  f.caption = QRectF(inner.left(), inner.bottom() - foot, inner.width(), foot);
  f.viewport = QRectF(inner.left(), f.header.bottom(), inner.width(),
                      std::max(1.0, f.caption.top() - f.header.bottom()));
  return f;
}

LoomInput loomInput(const Scene& scene, const QRectF& viewport, const Fonts& fonts) {
  const auto& map = scene.recording->map;
  LoomInput input;
  input.problem = scene.recording->trace.problem;
  input.block = map.c;
  input.tileA = scene.slab(Matrix::A);
  input.tileB = scene.slab(Matrix::B);
  input.viewport = viewport;
  if (scene.moment.warp < map.warps.size()) input.warp = map.warps[scene.moment.warp];
  if (const auto& subtiles = map.subtiles[scene.shownThread()]; !subtiles.empty()) {
    Region near = subtiles.front();
    near.row -= 1;
    near.rows += 2;
    near.column -= 1;
    near.columns += 2;
    input.near = near;
  }
  // Large labels in a small view leave it to the matrices.
  input.label = std::min(QFontMetricsF(fonts.title).height(),
                         0.12 * std::min(viewport.width(), viewport.height()));
  return input;
}

void paintLoom(QPainter& painter, const LoomFrame& frame, const LoomGeometry& geometry,
               const Scene& scene, const LoomContents& contents, const Theme& theme,
               const Fonts& fonts) {
  LoomPainter(painter, frame, geometry, scene, contents, theme, fonts).paint();
}

}  // namespace tileloom
