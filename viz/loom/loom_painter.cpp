// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/cloth.h"
#include "viz/loom/grid_painter.h"
#include "viz/loom/loom_boxes.h"
#include "viz/loom/loom_legend.h"
#include "viz/loom/loom_side.h"
#include "viz/loom/loom_words.h"
#include "viz/loom/panels/group_panel.h"
#include "viz/loom/panels/instruction_painter.h"
#include "viz/loom/panels/instruction_panel.h"
#include "viz/loom/panels/thread_painter.h"
#include "viz/loom/slab_ends.h"
#include "viz/loom/slab_picture.h"

namespace tileloom {
namespace {

using analysis::Element;
using analysis::Matrix;
using analysis::Region;
using analysis::Touch;
using emulator::Kind;

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
        recording_(*scene.recording),
        boxes_(loomBoxes(scene, *contents.progress, geometry)) {
    // A lane's number, and some room between it and its neighbour's.
    const QFontMetricsF small(fonts.small);
    laneRoom_ = QSizeF(std::max(26.0, small.horizontalAdvance(QStringLiteral("88")) + 6),
                       std::max(18.0, small.height() + 2));
  }

  void paint() {
    p_.save();
    p_.setClipRect(frame_.viewport, Qt::IntersectClip);
    p_.setRenderHint(QPainter::Antialiasing, false);
    wholeMatrices();
    blockTile();
    touchesInC();
    // Close up, only one thread's cells of C are left.
    p_.fillRect(frame_.viewport, Theme::faded(t_.ground, g_.nearness()));
    // Where B's slabs cover A's, they also cover its marks.
    for (const Matrix m : {Matrix::A, Matrix::B}) {
      for (int ahead = g_.slabs() - 1; ahead >= 0; --ahead) slab(m, ahead);
      paintZeros(p_, boxes_, m, t_, f_);
      marks(m);
    }
    paintBoxes(p_, boxes_, recording_.trace.rank, t_, f_);
    beams();
    slabsGoOn();
    numbers();
    p_.setRenderHint(QPainter::Antialiasing, true);
    guides();
    labels();
    sizes();
    subtiles();
    warpLabels();
    const ThreadPanel panel = loomPanel(scene_, g_, contents_, QFontMetricsF(f_.title).height());
    if (panel.group) {
      paintGroupPanel(p_, panel, scene_, contents_, g_, t_, f_);
    } else if (panel.ofWarp) {
      paintInstructionPanel(p_, panel, scene_, contents_, t_, f_);
    } else {
      paintThreadPanel(p_, panel, scene_, *contents_.progress, t_, f_);
    }
    if (panel.gathered < 0.5) selection();
    p_.restore();
    margins();
    paintLoomWords(p_, frame_, scene_, contents_, g_.level(), t_, f_);
    if (!frame_.side.isEmpty())
      paintLoomSide(p_, frame_.side, scene_, *contents_.progress, g_.slabs(), t_, f_);
    if (!frame_.legend.isEmpty() && g_.level() != LoomLevel::Grid)
      paintLoomLegendLine(p_, frame_.legend, scene_, *contents_.progress, t_, f_);
  }

 private:
  // SVG has no clipping, so what reaches beyond the viewport is covered.
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
    // C stays: it shows the block tile among its neighbours.
    p_.fillRect(g_.c(), Theme::mix(t_.matrix(Matrix::C), t_.ground, 0.90));
    paintGrid(p_, g_, scene_, t_);
    blockGrid();
    nameWaves(p_, g_, scene_, t_, f_);
    paintWalk(p_, g_, scene_, t_, f_);
    p_.setPen(hairline(Theme::faded(t_.matrix(Matrix::C), 0.6)));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(g_.c());
    if (share <= 0.01) return;
    for (const Matrix m : {Matrix::A, Matrix::B}) {
      const QRectF whole = m == Matrix::A ? g_.a() : g_.b();
      p_.fillRect(whole, Theme::faded(Theme::mix(t_.matrix(m), t_.ground, 0.86), share));
      // The strip of this matrix that the block reads.
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
      const QFontMetricsF metrics(f_.body);
      const QPointF above = whole.topLeft() + QPointF(0, -5);
      const double wide = metrics.horizontalAdvance(size);
      // The name of B is above C, to the right of A's place above A.
      if ((m == Matrix::B || above.x() + wide + 4 <= g_.b().left()) && inView(above, size)) {
        p_.drawText(above, size);
        continue;
      }
      const double middle = whole.center().y();
      const QRectF upright(whole.left() - 5 - metrics.capHeight(), middle - wide / 2,
                           metrics.capHeight(), wide);
      if (m == Matrix::A && frame_.viewport.contains(upright)) {
        p_.save();
        p_.translate(upright.bottomRight());
        p_.rotate(-90);
        p_.drawText(QPointF(), size);
        p_.restore();
        continue;
      }
      besideMatrix(m == Matrix::A ? whole.left() - 6 - wide : whole.right() + 6, middle, size);
    }
  }

  // Whether words that begin at this point of their base line are in the viewport.
  bool inView(const QPointF& at, const QString& words) const {
    const QFontMetricsF metrics(f_.body);
    return frame_.viewport.contains(QRectF(at.x(), at.y() - metrics.capHeight(),
                                           metrics.horizontalAdvance(words), metrics.capHeight()));
  }
  // Used without room above or below a matrix; draws nothing without room beside it.
  void besideMatrix(double left, double middle, const QString& words) {
    const QFontMetricsF metrics(f_.body);
    const QRectF& view = frame_.viewport;
    const double base = std::clamp(middle + metrics.capHeight() / 2,
                                   view.top() + metrics.capHeight() + 1, view.bottom() - 2);
    if (inView({left, base}, words)) p_.drawText(QPointF(left, base), words);
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
    // Blocks tile C from its corner: the traced one gives their distance, unless it is the first of
    // its row or column.
    const Extent grid = launchOf(*trace.rung(), trace.tile, trace.problem).grid;
    const auto [blockRow, blockColumn] = placeOf(*trace.rung(), trace.tile, grid, trace.block);
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
    paintCloth(p_, scene_, *contents_.progress, t_, block, frame_.viewport, density());
    threadLines();
    for (std::uint32_t w = 0; w < recording_.trace.warps; ++w) warpFrame(w);
    p_.setPen(hairline(t_.matrix(Matrix::C), 2.0));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(block);
  }

  void threadLines() {
    const auto& subtiles = recording_.map.subtiles;
    p_.setBrush(Qt::NoBrush);
    const double solid = solidity(leastProducts(), products());
    for (std::uint32_t thread = 0; thread < subtiles.size(); ++thread) {
      const bool current = thread / kWarp == scene_.moment.warp;
      const QColor shade = t_.evenLane(thread / kWarp, thread % kWarp);
      p_.setPen(hairline(Theme::faded(seamColour(t_, shade, solid), current ? 0.8 : 0.45)));
      for (const Region& subtile : subtiles[thread]) {
        const QRectF r = g_.ofC(subtile);
        if (std::min(r.width(), r.height()) < (current ? 5.0 : 9.0))
          break;  // all subtiles are equally small: none is legible
        if (!r.intersects(frame_.viewport)) continue;
        p_.drawRect(r);
        if (current && namesLanes(r)) laneNumber(thread, r, solid);
      }
    }
  }

  // The products of the sum that has the fewest, and the total of each sum.
  std::uint32_t leastProducts() const {
    return contents_.progress->fewestProducts() + scene_.productsPassedOver();
  }
  std::uint32_t products() const { return static_cast<std::uint32_t>(recording_.trace.problem.k); }

  void laneNumber(std::uint32_t thread, const QRectF& r, double solid) {
    const std::uint32_t lane = thread % kWarp;
    // Half a number would be a wrong number, and close up the thread's panel has its own.
    if (g_.nearness() > 0.5) return;
    const QFontMetricsF metrics(f_.small);
    QRectF ink(0, 0, metrics.horizontalAdvance(QString::number(lane)), metrics.capHeight());
    ink.moveCenter(r.center());
    if (!frame_.viewport.contains(ink)) return;
    p_.save();
    p_.setFont(f_.small);
    p_.setPen(Theme::ink(sumColour(t_, t_.evenLane(thread / kWarp, lane), solid)));
    p_.drawText(r, Qt::AlignCenter, QString::number(lane));
    p_.restore();
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

  // Pixels of the device for one of the canvas.
  double density() const { return std::clamp(p_.combinedTransform().m11(), 1.0, 4.0); }

  bool passingOver() const { return scene_.repeated > 0; }

  // What the instruction loads from C or stores to it. Updated sums glow in the cloth.
  void touchesInC() {
    const Kind kind = scene_.moment.instruction.kind;
    if (passingOver() || !emulator::isGlobal(kind)) return;
    for (const Touch& touch : scene_.moment.touches) {
      if (touch.element.matrix != Matrix::C) continue;
      p_.fillRect(g_.of(touch.element), Theme::faded(t_.accent, 0.88));
    }
  }

  bool hasSlab(Matrix m, int ahead, const QRectF& rect) const {
    return !scene_.tileOf(m, scene_.kTile()).empty() && !rect.isEmpty() &&
           scene_.shownTile() + static_cast<std::uint32_t>(ahead) < recording_.trace.kTiles;
  }

  void slab(Matrix m, int ahead) {
    const QRectF rect = m == Matrix::A ? g_.slabA(ahead) : g_.slabB(ahead);
    if (!hasSlab(m, ahead, rect)) return;
    if (g_.detail() > 0.5) {
      // Where a slab covers C after zooming in, keep the two apart.
      p_.fillRect(rect.adjusted(-3, -3, 3, 3), t_.ground);
    }
    const QRectF inside = slabInside(g_, scene_, m, ahead);
    paintSlab(p_, scene_, *contents_.progress, t_, m, ahead, inside, frame_.viewport, density());
    const auto* state =
        contents_.progress->tile(m, scene_.kTile() + static_cast<std::uint32_t>(ahead));
    const QColor hue = t_.matrix(m);
    p_.setPen(ahead == 0         ? hairline(hue, 1.5)
              : state == nullptr ? hairline(Theme::faded(hue, 0.45), 1.0, Qt::DotLine)
                                 : hairline(Theme::faded(hue, 0.8), 1.0));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(inside);
  }

  // The edge of the picture says what is beyond it.
  void slabsGoOn() {
    if (g_.detail() < 0.9) return;
    const double numbers = QFontMetricsF(f_.body).horizontalAdvance(QStringLiteral("8888"));
    for (const Matrix m : {Matrix::A, Matrix::B}) {
      const QRectF slabs = slabInside(g_, scene_, m, 0) | slabInside(g_, scene_, m, g_.slabs() - 1);
      paintSlabEnds(p_, m,
                    slabEnds(m, slabs, scene_.tileOf(m, scene_.shownTile()), frame_.viewport),
                    numbers, t_, f_);
    }
  }

  void numbers() {
    for (const Matrix m : {Matrix::A, Matrix::B}) {
      numbersEnd_.reset();
      for (int ahead = 0; ahead < g_.slabs(); ++ahead) {
        const QRectF rect = m == Matrix::A ? g_.slabA(ahead) : g_.slabB(ahead);
        if (hasSlab(m, ahead, rect)) number(m, ahead, rect);
      }
    }
  }

  // The K tile's number: below a slab of A, to the right of one of B.
  void number(Matrix m, int ahead, const QRectF& rect) {
    // Rungs without shared memory have no K tiles.
    if (g_.detail() < 0.6 || !recording_.trace.features().sharedTiles) return;
    p_.setFont(ahead == 0 ? f_.body : f_.small);
    const QFontMetricsF metrics(p_.font());
    const QString name =
        QString::number(scene_.shownTile() + static_cast<std::uint32_t>(ahead) + 1);
    const double width = metrics.horizontalAdvance(name), height = metrics.height();
    const QRectF& view = frame_.viewport;
    QRectF place;
    if (m == Matrix::A) {
      if (width > rect.width() + 4) return;
      // Above the words that say how far the slab goes on.
      const bool cut = rect.bottom() > view.bottom() + 2;
      const double lowest = view.bottom() - height - (cut ? QFontMetricsF(f_.small).height() : 0);
      place =
          QRectF(rect.center().x() - width, std::min(rect.bottom() + 2, lowest), 2 * width, height);
      // The whole slab is seen, and there is no room below it.
      if (!cut && place.center().y() - metrics.capHeight() / 2 < rect.bottom() + 1) return;
    } else {
      if (height > rect.height() + 8) return;
      place = QRectF(std::min(rect.right() + 4, view.right() - width - 2),
                     rect.center().y() - height / 2, width + 2, height);
    }
    // Slabs are thinner than their numbers: only the nearer ones get one.
    QRectF ink(0, 0, width, metrics.capHeight());
    ink.moveCenter(place.center());
    if (numbersEnd_ && numbersEnd_->adjusted(-1, -1, 1, 1).intersects(ink)) return;
    if (!view.contains(ink)) return;
    numbered_.push_back(ink);
    numbersEnd_ = ink;
    if (rect.intersects(ink)) p_.fillRect(place, Theme::faded(t_.ground, 0.75));
    p_.setPen(ahead == 0 ? t_.text : t_.soft);
    p_.drawText(place, Qt::AlignCenter, name);
  }

  // What the instruction touches in A and B. Close up, only what the shown lane holds.
  void marks(Matrix m) {
    if (passingOver()) return;
    if (g_.level() == LoomLevel::Thread) return fragments(m);
    dotLine(m);
    operandFrame(m);
    // A TMA box has its own outline.
    if (multiplies() || scene_.moment.instruction.kind == Kind::BoxLoad) return;
    for (const Touch& touch : scene_.moment.touches) {
      if (touch.element.matrix != m) continue;
      QRectF cell = g_.of(touch.element);
      if (cell.isEmpty()) continue;
      if (cell.height() > 4 && cell.width() > 4) cell.adjust(0.5, 0.5, -0.5, -0.5);
      p_.fillRect(cell, t_.lane(scene_.moment.warp, touch.lane));
    }
  }

  // The column of A, or the row of B, that is multiplied at this k.
  void dotLine(Matrix m) {
    const auto& now = scene_.moment.instruction;
    if (now.dot == emulator::kNoDot || now.kTile == emulator::kNoTile || g_.detail() < 0.5) return;
    const Region tile = scene_.tileOf(m, scene_.kTile());
    const QRectF line = m == Matrix::A
                            ? g_.inSlabA({tile.row, tile.column + now.dot, tile.rows, depth()})
                            : g_.inSlabB({tile.row + now.dot, tile.column, depth(), tile.columns});
    if (line.isEmpty()) return;
    p_.setPen(hairline(t_.text, 1.6));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(line);
  }

  // Columns of A, and rows of B, that are multiplied together.
  std::int64_t depth() const { return analysis::dotDepth(recording_.trace); }

  // The instruction multiplies: one element of A with one of B in each lane, or a tile of each.
  bool multiplies() const { return emulator::isMultiplyAdd(scene_.moment.instruction.kind); }

  // The operands of the mma that the warp executes.
  void operandFrame(Matrix m) {
    if (!multiplies()) return;
    Region tile;
    if (const auto& group = contents_.groupProduct) {
      tile = m == Matrix::A ? group->tileA : group->tileB;
    } else if (const auto& product = contents_.warpProduct) {
      tile = m == Matrix::A ? product->tileA : product->tileB;
    }
    const QRectF r = m == Matrix::A ? g_.inSlabA(tile) : g_.inSlabB(tile);
    if (tile.empty() || r.isEmpty()) return;
    p_.setPen(hairline(t_.text, 2.0));
    p_.setBrush(Theme::faded(t_.text, 0.25));
    p_.drawRect(r);
    p_.setBrush(Qt::NoBrush);
  }

  void fragments(Matrix m) {
    if (contents_.groupProduct) return operandFrame(m);  // no lane holds an operand
    if (contents_.warpProduct) {
      // What the shown lane holds, within the instruction's operand.
      const std::uint32_t shown = scene_.shownThread();
      operandFrame(m);
      for (const auto& part :
           m == Matrix::A ? contents_.warpProduct->a : contents_.warpProduct->b) {
        const QRectF cell = g_.of(part.element);
        if (part.lane == shown % kWarp && !cell.isEmpty())
          p_.fillRect(cell, t_.lane(shown / kWarp, part.lane));
      }
      return;
    }
    if (!contents_.product) return;
    const std::uint32_t thread = scene_.shownThread();
    const QColor shade = t_.lane(thread / kWarp, thread % kWarp);
    for (const auto& f : m == Matrix::A ? contents_.product->a : contents_.product->b) {
      const QRectF cell = g_.of(f.element);
      if (cell.isEmpty()) continue;
      const auto& now = contents_.product->now;
      const bool multiplied = now && (m == Matrix::A ? now->a : now->b) == f.element;
      if (f.loaded) p_.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), multiplied ? t_.text : shade);
      p_.setPen(
          hairline(f.loaded ? t_.text : t_.soft, 1.0, f.loaded ? Qt::SolidLine : Qt::DashLine));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(cell);
    }
  }

  // From the elements that the multiply-add reads to the sums that it updates.
  void beams() {
    if (passingOver() || !multiplies()) return;
    if (g_.detail() < 0.6 || g_.nearness() > 0.1) return;
    std::map<std::int64_t, double> rows, columns;  // how far each reaches, in pixels
    for (const Touch& touch : scene_.moment.touches) {
      if (touch.element.matrix != Matrix::C) continue;
      const QRectF cell = g_.of(touch.element);
      double& right = rows.try_emplace(touch.element.row, cell.right()).first->second;
      right = std::max(right, cell.right());
      double& bottom = columns.try_emplace(touch.element.column, cell.bottom()).first->second;
      bottom = std::max(bottom, cell.bottom());
    }
    constexpr std::size_t kMost = 32;
    if (rows.size() > kMost || columns.size() > kMost) return;
    p_.setPen(hairline(Theme::faded(t_.text, 0.55), 1.0));
    for (const auto& [row, right] : rows) {
      const double y = g_.ofC({row, 0, 1, 1}).center().y();
      p_.drawLine(QPointF(g_.slabA().right(), y), QPointF(right, y));
    }
    for (const auto& [column, bottom] : columns) {
      const double x = g_.ofC({0, column, 1, 1}).center().x();
      p_.drawLine(QPointF(x, g_.slabB().bottom()), QPointF(x, bottom));
    }
  }

  // Dotted lines from the shown thread's rows of A and columns of B to its tiles of C.
  void guides() {
    if (g_.detail() < 0.6 || g_.nearness() > 0.1) return;
    if (passingOver() || multiplies() || contents_.warpProduct) return;
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
    if (contents_.warpProduct) {
      instructionTile();
      return;
    }
    subTiles();
    subtilesOf(scene_.shownThread(), t_.text);
    // A hovered or held thread of another warp.
    const auto& chosen = scene_.selection.thread;
    if (chosen && *chosen != scene_.shownThread() && *chosen < recording_.map.subtiles.size()) {
      subtilesOf(*chosen, t_.warp(*chosen / kWarp));
    }
  }

  // The sums of the warp's current mma, and how the warp tile consists of such tiles.
  void instructionTile() {
    const auto& product = *contents_.warpProduct;
    const Region& tile = product.tileC;
    const Region& warp = recording_.map.warps[scene_.moment.warp];
    if (warp.empty() || tile.empty()) return;
    p_.setBrush(Qt::NoBrush);
    const QRectF first = g_.ofC(tile);
    if (g_.level() == LoomLevel::Warp && std::min(first.width(), first.height()) > 8) {
      p_.setPen(hairline(Theme::faded(t_.text, 0.55), 1.2));
      for (std::int64_t row = warp.row + tile.rows; row < warp.row + warp.rows; row += tile.rows) {
        const QRectF r = g_.ofC({row, warp.column, 1, warp.columns});
        p_.drawLine(r.topLeft(), r.topRight());
      }
      for (std::int64_t column = warp.column + tile.columns; column < warp.column + warp.columns;
           column += tile.columns) {
        const QRectF r = g_.ofC({warp.row, column, warp.rows, 1});
        p_.drawLine(r.topLeft(), r.bottomLeft());
      }
    }
    if (passingOver() || scene_.afterTiles()) return;
    // Dashed: no mma is being executed; this one was the last or will be the first.
    const bool now = scene_.moment.instruction.kind == Kind::Mma;
    p_.setPen(hairline(t_.text, 2.4, now ? Qt::SolidLine : Qt::DashLine));
    p_.drawRect(first);
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
      if (coversALane(tag)) continue;
      p_.fillRect(tag, Theme::faded(t_.ground, 0.75));
      p_.setPen(t_.text);
      p_.drawText(tag, Qt::AlignCenter, name);
    }
  }

  void subtilesOf(std::uint32_t thread, const QColor& ink) {
    const auto& subtiles = recording_.map.subtiles[thread];
    const bool busy = multiplies();
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
        // A bare number in C is always a lane's; the middle of a large tile belongs to it.
        const QFontMetricsF metrics(font);
        const QString word =
            large ? text("subtile %1").arg(number) : QString::number(thread % kWarp);
        const QRectF room = large ? r.adjusted(6, 4, -6, -4) : r;
        if (metrics.horizontalAdvance(word) > room.width() || metrics.capHeight() > room.height())
          continue;
        // Half a number would be a wrong number, and close up the thread's panel has its own.
        if (g_.nearness() > 0.5 || (!large && !frame_.viewport.contains(room))) continue;
        p_.drawText(room,
                    (large ? Qt::AlignLeft | Qt::AlignTop : Qt::AlignCenter) | Qt::TextDontClip,
                    word);
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
    // An element of A contributes to a whole row of C, one of B to a whole column.
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
    // Limits the size of names in a small picture.
    const QRectF& view = frame_.viewport;
    const bool small = view.height() < 6 * QFontMetricsF(f_.title).height();
    QFont big = small ? f_.small : f_.title;
    big.setBold(true);
    p_.setFont(big);
    const QFontMetricsF metrics(big);
    const double shown = g_.detail();
    if (shown > 0.5 && view.height() < 3 * metrics.height()) {
      // Hues distinguish the matrices, as everywhere.
    } else if (shown > 0.5) {
      const QRectF c = g_.block() & frame_.viewport;
      p_.setPen(Theme::faded(t_.matrix(Matrix::C), shown));
      const double right = c.right() + 8 + tagsBeside();
      if (right + metrics.horizontalAdvance(u'C') < frame_.viewport.right()) {
        p_.drawText(QPointF(right, c.bottom() - 4), "C");
      }
      const QRectF a = g_.allSlabsA() & frame_.viewport, b = g_.allSlabsB() & frame_.viewport;
      // Above the words that say from which column on the slab is seen.
      const bool cutB = g_.allSlabsB().left() < frame_.viewport.left() - 2;
      QPointF nameB(
          std::max(b.left() - metrics.horizontalAdvance(u'B') - 8, frame_.viewport.left() + 2),
          cutB ? b.center().y() - QFontMetricsF(f_.small).height() / 2 - 4
               : b.center().y() + metrics.ascent() / 2 - 2);
      // A slab of B that is lower than its name leaves no room beside it.
      if (!cutB && nameB.x() + metrics.horizontalAdvance(u'B') > a.left())
        nameB.setY(std::min(nameB.y(), std::max(a.top() - 4, view.top() + metrics.capHeight())));
      // Below the words that say from where on the slab is seen.
      const bool cut = g_.allSlabsA().top() < frame_.viewport.top() - 2;
      const double highest =
          frame_.viewport.top() + metrics.ascent() + (cut ? QFontMetricsF(f_.small).height() : 0);
      QPointF nameA(a.center().x() - metrics.horizontalAdvance(u'A') / 2,
                    std::max(a.top() - 6, highest));
      const double reach = metrics.height();
      nameBeside_ =
          std::abs(nameA.x() - nameB.x()) < reach && std::abs(nameA.y() - nameB.y()) < reach;
      if (nameBeside_) {
        nameA = QPointF(a.left() - metrics.horizontalAdvance(u'A') - 8,
                        a.center().y() + metrics.ascent() / 2 - 2);
      }
      // Half a letter would be a wrong letter.
      const auto name = [&](QPointF at, QChar letter, Matrix m) {
        const auto inkAt = [&] {
          return QRectF(at.x(), at.y() - metrics.capHeight(), metrics.horizontalAdvance(letter),
                        metrics.capHeight());
        };
        // Close up a slab of A continues below one of B; A's name must not be there.
        const bool over = m == Matrix::A && inkAt().intersects(b);
        if (over) at.setY(b.bottom() + 4 + metrics.capHeight());
        const QRectF ink = inkAt();
        if (!view.adjusted(-1, -1, 1, 1).contains(ink)) return;
        // Large text leaves no room beside a K tile's number: hues distinguish the matrices.
        if (std::ranges::any_of(numbered_,
                                [&](const QRectF& number) { return number.intersects(ink); }))
          return;
        if (over) p_.fillRect(ink.adjusted(-2, -2, 2, 2), Theme::faded(t_.ground, 0.85));
        p_.setPen(Theme::faded(t_.matrix(m), shown));
        p_.drawText(at, letter);
      };
      name(nameA, u'A', Matrix::A);
      name(nameB, u'B', Matrix::B);
    } else {
      const auto& trace = recording_.trace;
      p_.setFont(f_.body);
      p_.setPen(t_.matrix(Matrix::C));
      const QFontMetricsF body(f_.body);
      const QString name = QStringLiteral("C  %1 × %2").arg(trace.problem.m).arg(trace.problem.n);
      const QPointF below(g_.c().right() - body.horizontalAdvance(name),
                          g_.c().bottom() + body.ascent() + 3);
      if (inView(below, name)) {
        p_.drawText(below, name);
      } else {
        besideMatrix(g_.c().right() + 6, g_.c().center().y(), name);
      }
    }
  }

  // "BM = 128" where the rung has the tile parameter, else "32 rows"; "44 of BM = 128" at the
  // matrix's edge.
  QString sizeName(Parameter parameter, qlonglong value, const QString& words) const {
    if (recording_.trace.rung()->spec(parameter) == nullptr) return words.arg(value);
    if (const int whole = recording_.trace.tile[parameter]; whole > value) {
      return text("%1 of %2 = %3").arg(value).arg(toQString(name(parameter))).arg(whole);
    }
    return QStringLiteral("%1 = %2").arg(toQString(name(parameter))).arg(value);
  }

  // How large the block tile and a K tile are, along their edges where there is room outside.
  void sizes() {
    if (g_.detail() < 0.9 || g_.nearness() > 0.05 || g_.level() != LoomLevel::Block) return;
    const QRectF view = frame_.viewport, c = g_.block();
    const QRectF a = g_.allSlabsA(), b = g_.allSlabsB();
    if (!view.contains(c)) return;
    p_.setFont(f_.small);
    p_.setPen(t_.soft);
    const QFontMetricsF metrics(f_.small);
    const double high = metrics.height();
    const auto& map = recording_.map;
    const auto fits = [&](const QString& words, double along) {
      return metrics.horizontalAdvance(words) + 4 < along;
    };
    const QString columns = sizeName(Parameter::BN, map.c.columns, text("%1 columns"));
    if (b.top() - high > view.top() && fits(columns, c.width()))
      p_.drawText(QRectF(c.left(), b.top() - high - 1, c.width(), high), Qt::AlignCenter, columns);
    const QString rows = sizeName(Parameter::BM, map.c.rows, text("%1 rows"));
    // The name of A is there if it has no room above.
    const double edge = a.left() - (nameBeside_ ? 2.5 * high : 2);
    if (edge - high > view.left() && fits(rows, c.height())) {
      p_.save();
      p_.translate(edge - high / 2, c.center().y());
      p_.rotate(-90);
      p_.drawText(QRectF(-c.height() / 2, -high / 2, c.height(), high), Qt::AlignCenter, rows);
      p_.restore();
    }
    // Both slabs are as deep as a K tile: written once, beside the one of B.
    if (!recording_.trace.features().sharedTiles) return;
    const QString depth = sizeName(
        Parameter::BK, scene_.tileOf(Matrix::A, scene_.shownTile()).columns, text("%1 deep"));
    const QRectF slab = g_.slabB();
    // The K tile's number is between them.
    const double digit = metrics.horizontalAdvance(u'0');
    const double number =
        QFontMetricsF(f_.body).horizontalAdvance(QString::number(scene_.shownTile() + 1));
    const double left = slab.right() + std::max(3 * digit, 4 + number + digit);
    if (left + metrics.horizontalAdvance(depth) < view.right() && slab.height() > 0.8 * high)
      p_.drawText(QRectF(left, slab.center().y() - high / 2, view.right() - left, high),
                  Qt::AlignLeft | Qt::AlignVCenter, depth);
  }

  // Where every warp reaches from one edge of the block tile to the other and the watched one names
  // its lanes, the warps' names are to the right of C, where they cover no lane. This is their
  // width; 0: they are inside.
  double tagsBeside() const {
    if (g_.detail() < 0.6 || g_.nearness() > 0.1) return 0;
    const auto& map = recording_.map;
    const bool across = std::ranges::all_of(map.warps, [&](const Region& warp) {
      return warp.empty() || (warp.column == map.c.column && warp.columns == map.c.columns);
    });
    const auto& tiles = map.subtiles[std::size_t{scene_.moment.warp} * kWarp];
    if (!across || tiles.empty() || !namesLanes(g_.ofC(tiles.front()))) return 0;
    const double width = warpNameWidth();
    return g_.block().right() + width + 8 < frame_.viewport.right() ? width : 0;
  }

  double warpNameWidth() const {
    const QString last = text("warp %1").arg(recording_.trace.warps - 1);
    return QFontMetricsF(f_.small).horizontalAdvance(last) + 8;
  }

  // Whether a thread's tile of this size has room for the number of its lane.
  bool namesLanes(const QRectF& tile) const {
    return tile.width() > laneRoom_.width() && tile.height() > laneRoom_.height();
  }

  void warpLabels() {
    if (g_.nearness() > 0.1) return;
    p_.setFont(f_.small);
    const QFontMetricsF metrics(f_.small);
    const auto& warps = recording_.map.warps;
    const auto widthOf = [&](const QString& label) { return metrics.horizontalAdvance(label); };
    // Hues repeat from the ninth warp on: bare numbers distinguish narrow warps, all or none.
    const double digits = widthOf(QString::number(recording_.trace.warps - 1)) + 2;
    const bool bare = std::ranges::all_of(warps, [&](const analysis::Region& warp) {
      return warp.empty() || static_cast<double>(warp.columns) * g_.cell() >= digits + 2;
    });
    const double beside = tagsBeside();
    std::vector<QRectF> placed;
    const auto free = [&](const QRectF& tag) {
      return std::ranges::none_of(placed,
                                  [&](const QRectF& other) { return other.intersects(tag); });
    };
    for (std::uint32_t w = 0; w < recording_.trace.warps; ++w) {
      const QRectF r = g_.ofC(warps[w]) & frame_.viewport;
      const bool current = w == scene_.moment.warp;
      QString label = text("warp %1").arg(w);
      double width = widthOf(label) + 8, edge = 3;
      const double height = metrics.height() + 2;
      if (r.width() < width + 4) {
        // The watched warp's lanes may have numbers of their own there.
        if (!bare || r.width() < digits + 2 || (current && r.width() > 26)) continue;
        label = QString::number(w);
        width = digits;
        edge = (r.width() - width) / 2;
      }
      if (r.height() < height + 2) continue;
      // Lane 0, which most users look at first, has its tile at the top left.
      QRectF tag(r.right() - width - edge, r.bottom() - height - 3, width, height);
      if (beside > 0) tag.moveTopLeft({r.right() + 4, r.center().y() - height / 2});
      // Close up, the names of its subtiles are there.
      if (current && beside == 0 && g_.level() == LoomLevel::Warp) continue;
      // No name covers a lane's: the breadcrumb says which warp is watched.
      if (current && beside == 0 && coversALane(tag)) continue;
      if (!free(tag)) continue;
      placed.push_back(tag);
      p_.fillRect(tag, current ? t_.warp(w) : Theme::faded(t_.ground, 0.72));
      p_.setPen(current ? Theme::ink(t_.warp(w)) : Theme::mix(t_.warp(w), t_.text, 0.6));
      p_.drawText(tag, Qt::AlignCenter, label);
    }
  }

  bool coversALane(const QRectF& tag) const {
    const auto& subtiles = recording_.map.subtiles;
    const std::size_t first = std::size_t{scene_.moment.warp} * kWarp;
    const double reach = QFontMetricsF(f_.small).height() / 2;
    for (std::size_t thread = first; thread < first + kWarp && thread < subtiles.size(); ++thread) {
      for (const Region& subtile : subtiles[thread]) {
        const QRectF r = g_.ofC(subtile);
        const QRectF number(r.center() - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
        if (namesLanes(r) && number.intersects(tag)) return true;
      }
    }
    return false;
  }

  QPainter& p_;
  const LoomFrame& frame_;
  const LoomGeometry& g_;
  const Scene& scene_;
  const LoomContents& contents_;
  const Theme& t_;
  const Fonts& f_;
  const analysis::Recording& recording_;
  std::vector<LoomBox> boxes_;
  QSizeF laneRoom_;
  std::optional<QRectF> numbersEnd_;  // the last K tile's number of a matrix
  std::vector<QRectF> numbered_;      // the ink of all of them
  bool nameBeside_ = false;           // the name of A is to the left of its slabs
};

}  // namespace

double loomAspect(const Scene& scene) {
  if (!scene.ready()) return 1.0;
  const Region& c = scene.recording->map.c;
  const auto rows = static_cast<double>(c.rows), columns = static_cast<double>(c.columns);
  const double slabs = 0.3 * std::max(rows, columns);
  return (columns + slabs) / (rows + slabs);
}

LoomInput loomInput(const Scene& scene, int slabs, const QRectF& viewport, const Fonts& fonts) {
  const auto& map = scene.recording->map;
  LoomInput input;
  input.problem = scene.recording->trace.problem;
  input.block = map.c;
  input.tileA = scene.tileOf(Matrix::A, scene.shownTile());
  input.tileB = scene.tileOf(Matrix::B, scene.shownTile());
  if (scene.recording->trace.features().tma) roomForZeros(scene, input);
  input.slabs = slabs;
  input.viewport = viewport;
  if (scene.moment.warp < map.warps.size()) input.warp = map.warps[scene.moment.warp];
  if (const auto& subtiles = map.subtiles[scene.shownThread()]; !subtiles.empty()) {
    Region near = subtiles.front();
    if (scene.recording->trace.features().warpMma)
      near = {input.warp.row, input.warp.column, scene.recording->trace.mma()->rows,
              scene.recording->trace.mma()->columns};
    if (scene.recording->trace.features().warpgroupMma)
      near = {input.warp.row, input.warp.column, analysis::GroupProduct::kWarpRows,
              std::min<std::int64_t>(input.warp.columns, 32)};
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
