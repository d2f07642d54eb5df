// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_hints.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/recording.h"
#include "kernels/tile/derived.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/loom/loom_legend.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LoomHints)
};

constexpr double kInset = 10;               // pixels around the words of a note
constexpr double kWide = 38, kNarrow = 19;  // of a note, in letters

double heightOf(const LoomHint& hint, double width, const Fonts& fonts) {
  const double inner = width - 2 * kInset;
  const QRectF words = QFontMetricsF(fonts.body)
                           .boundingRect(QRectF(0, 0, inner, 1e4), Qt::TextWordWrap, hint.words);
  return QFontMetricsF(fonts.title).height() + words.height() + 2 * kInset;
}

// An empty part of the picture: notes fill it from its top, on the side of what they describe.
struct Free {
  QRectF room;
  Qt::Alignment towards;  // left or right
};

bool take(Free& free, LoomHint& hint, const Fonts& fonts) {
  const double letter = QFontMetricsF(fonts.body).averageCharWidth();
  const double width = std::min(kWide * letter, free.room.width());
  if (width < kNarrow * letter ||
      width < 2 * kInset + QFontMetricsF(fonts.title).horizontalAdvance(hint.title))
    return false;
  const double height = heightOf(hint, width, fonts);
  if (height > free.room.height()) return false;
  const double left =
      (free.towards & Qt::AlignRight) != 0 ? free.room.right() - width : free.room.left();
  hint.box = QRectF(left, free.room.top(), width, height);
  free.room.setTop(hint.box.bottom() + QFontMetricsF(fonts.body).height());
  return true;
}

// The places for one note, the best first.
using Places = std::vector<Free*>;

// A place without room for one note gets none of the later ones: lines would cross notes.
std::vector<LoomHint> placed(std::vector<LoomHint> hints, const std::vector<Places>& places,
                             const Fonts& fonts) {
  const auto takes = [&fonts](Free& free, LoomHint& hint) {
    if (take(free, hint, fonts)) return true;
    free.room = {};
    return false;
  };
  for (std::size_t i = 0; i < hints.size(); ++i) {
    if (std::ranges::none_of(places[i], [&](Free* free) { return takes(*free, hints[i]); }))
      return {};
  }
  return hints;
}

// Beside the matrices, below the figures and above the legend.
QRectF sideRoom(const LoomFrame& frame, const Fonts& fonts) {
  if (frame.side.isEmpty()) return {};
  constexpr double kFigures = 0.36;  // of the height
  return frame.side.adjusted(0, kFigures * frame.side.height(), 0,
                             -loomLegendHeight(fonts) - QFontMetricsF(fonts.body).height());
}

bool crosses(const QLineF& line, const QRectF& box) {
  const QPointF corners[] = {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
  if (box.contains(line.p1()) || box.contains(line.p2())) return true;
  for (int i = 0; i < 4; ++i) {
    if (line.intersects(QLineF(corners[i], corners[(i + 1) % 4]), nullptr) ==
        QLineF::BoundedIntersection)
      return true;
  }
  return false;
}

// A note with one target gets a line to the first of these points that it reaches without crossing
// another note.
void aim(std::vector<LoomHint>& hints, std::size_t at, const std::vector<QPointF>& points) {
  constexpr double kGap = 5;  // pixels
  for (const QPointF& point : points) {
    const QLineF line(hints[at].lineFrom(point), point);
    bool free = true;
    for (std::size_t other = 0; other < hints.size(); ++other)
      free = free &&
             (other == at || !crosses(line, hints[other].box.adjusted(-kGap, -kGap, kGap, kGap)));
    if (!free) continue;
    hints[at].targets = {point};
    return;
  }
}

std::vector<LoomHint> gridHints(const Scene& scene, const LoomGeometry& g) {
  const auto& recording = *scene.recording;
  const auto& map = recording.map;
  const QRectF view = g.viewport(), a = g.a() & view, b = g.b() & view, c = g.c() & view;
  const QRectF block = g.block();
  return {{Words::tr("A and B are multiplied"),
           Words::tr("Each element of C is a row of A times a column of B: the sum of %1 products.")
               .arg(figures::grouped(recording.trace.problem.k)),
           {{a.left() + 0.8 * a.width(), a.top()}, {b.left(), b.center().y()}},
           {}},
          {Words::tr("One block's tile"),
           Words::tr("The shown thread block computes the marked tile of %1 × %2 elements. It "
                     "reads the marked strips of A and B.")
               .arg(map.c.rows)
               .arg(map.c.columns),
           {{block.right(), block.center().y()}},
           {}},
          {Words::tr("C consists of such tiles"),
           Words::tr("Each tile has its thread block. As many blocks as fit run at once on the "
                     "GPU's multiprocessors (SMs): a wave."),
           {{c.right(), c.bottom() - 0.1 * c.height()}},
           {}}};
}

std::vector<LoomHint> placedInGrid(std::vector<LoomHint> hints, const LoomGeometry& g,
                                   const LoomFrame& frame, const Fonts& fonts) {
  const QRectF view = frame.viewport, a = g.a() & view, b = g.b() & view, c = g.c() & view;
  const QRectF block = g.block();
  const double line = QFontMetricsF(fonts.body).height();
  // Above A; right of B and C; left of A.
  Free corner{QRectF(QPointF(view.left(), view.top() + line),
                     QPointF(b.left() - 2 * line, a.top() - 2 * line)),
              Qt::AlignRight};
  Free right{QRectF(QPointF(c.right() + 2 * line, std::max(view.top(), block.top() - 2.5 * line)),
                    QPointF(view.right(), view.bottom() - line)),
             Qt::AlignLeft};
  Free side{sideRoom(frame, fonts), Qt::AlignLeft};
  std::vector<LoomHint> found =
      placed(std::move(hints), {{&corner}, {&right, &side}, {&right, &side}}, fonts);
  if (found.empty()) return found;
  // The last note may point to any tile of C, at best to the one at its own height.
  const double low = c.bottom() - 0.02 * c.height(), high = c.top() + 0.02 * c.height();
  std::vector<QPointF> points = found[2].targets;
  for (const double y : {found[2].box.center().y(), found[2].box.bottom(), low, high})
    points.emplace_back(c.right(), std::clamp(y, high, low));
  aim(found, 2, points);
  return found;
}

std::vector<LoomHint> blockHints(const Scene& scene, const LoomGeometry& g) {
  const auto& trace = scene.recording->trace;
  const QRectF view = g.viewport(), c = g.block() & view;
  const bool shared = trace.features().sharedTiles;
  const int threads = derive(*trace.rung(), trace.tile).threads;
  const QRectF slabs = g.allSlabsA();
  return {{Words::tr("Slices of A and B"),
           shared ? Words::tr("Columns of A and rows of B: one K tile. The block copies it into "
                              "shared memory; hatched parts are in flight.")
                  : Words::tr("The columns of A and rows of B that the block reads."),
           {{slabs.left(), slabs.center().y()}},
           {}},
          {Words::tr("One tile of C"),
           Words::tr(
               "One thread block computes these %1 × %2 sums with %3 threads. A colour is a warp: "
               "32 threads that run together.")
               .arg(scene.recording->map.c.rows)
               .arg(scene.recording->map.c.columns)
               .arg(threads),
           {{c.right(), c.top() + 0.25 * c.height()}},
           {}},
          {Words::tr("It is a recording"),
           Words::tr("An emulator ran the kernel's source thread by thread. Space plays and "
                     "pauses, 1 to 4 zoom. A click hides these notes; F1 shows them again."),
           {},
           {}}};
}

std::vector<LoomHint> placedByBlock(std::vector<LoomHint> hints, const LoomGeometry& g,
                                    const LoomFrame& frame, const Fonts& fonts) {
  const QRectF view = frame.viewport, c = g.block() & view, slabs = g.allSlabsA();
  const double line = QFontMetricsF(fonts.body).height();
  const double from = c.top();
  // The words beside the slabs are between them and the notes.
  Free left{QRectF(QPointF(view.left() + line / 2, from),
                   QPointF(slabs.left() - 3 * line, view.bottom() - line)),
            Qt::AlignRight};
  Free right{QRectF(QPointF(c.right() + 3 * line, from),
                    QPointF(view.right() - line / 2, view.bottom() - line)),
             Qt::AlignLeft};
  Free side{sideRoom(frame, fonts), Qt::AlignLeft};
  return placed(std::move(hints), {{&left, &side}, {&right, &side}, {&right, &side, &left}}, fonts);
}

}  // namespace

QPointF LoomHint::lineFrom(const QPointF& target) const {
  constexpr double kCorner = 8;
  const QRectF inner = box.adjusted(kCorner, kCorner, -kCorner, -kCorner);
  const QPointF near(std::clamp(target.x(), inner.left(), inner.right()),
                     std::clamp(target.y(), inner.top(), inner.bottom()));
  if (target.x() > box.right()) return {box.right(), near.y()};
  if (target.x() < box.left()) return {box.left(), near.y()};
  return {near.x(), target.y() > box.bottom() ? box.bottom() : box.top()};
}

std::vector<LoomHint> loomHints(const Scene& scene, const LoomGeometry& g, const LoomFrame& frame,
                                const Fonts& fonts) {
  if (!scene.ready()) return {};
  const auto place = g.level() == LoomLevel::Grid ? placedInGrid : placedByBlock;
  return place(unplacedLoomHints(scene, g), g, frame, fonts);
}

std::vector<LoomHint> unplacedLoomHints(const Scene& scene, const LoomGeometry& g) {
  return g.level() == LoomLevel::Grid ? gridHints(scene, g) : blockHints(scene, g);
}

void paintLoomHints(QPainter& p, const std::vector<LoomHint>& hints, const Theme& theme,
                    const Fonts& fonts) {
  p.save();
  p.setRenderHint(QPainter::Antialiasing, true);
  for (const LoomHint& hint : hints) {
    for (const QPointF& target : hint.targets) {
      p.setPen(hairline(theme.accent, 2.0));
      p.drawLine(hint.lineFrom(target), target);
      p.setBrush(theme.accent);
      p.drawEllipse(target, 4, 4);
    }
  }
  // No line crosses words.
  for (const LoomHint& hint : hints) {
    p.setPen(hairline(theme.accent, 1.5));
    p.setBrush(theme.panel);
    p.drawRoundedRect(hint.box, 6, 6);
    const QRectF inner = hint.box.adjusted(kInset, kInset, -kInset, -kInset);
    QFont title = fonts.title;
    title.setWeight(QFont::DemiBold);
    p.setFont(title);
    p.setPen(theme.text);
    const double high = QFontMetricsF(fonts.title).height();
    p.drawText(QRectF(inner.left(), inner.top(), inner.width(), high),
               Qt::AlignLeft | Qt::AlignVCenter, hint.title);
    p.setFont(fonts.body);
    p.setPen(theme.soft);
    drawWrapped(p, inner.adjusted(0, high, 0, 2), Qt::AlignLeft | Qt::AlignTop, hint.words);
  }
  p.restore();
}

}  // namespace tileloom
