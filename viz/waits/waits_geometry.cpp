// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/waits/waits_geometry.h"

#include <QFontMetricsF>
#include <QPainterPathStroker>
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/tile/architecture.h"
#include "viz/base/text/clauses.h"
#include "viz/waits/waits_words.h"

namespace tileloom {
namespace {

using analysis::Sleeper;
using analysis::WaitEdge;
using analysis::WaitGraph;
using analysis::WaitNode;
using analysis::WaitOn;
using analysis::WaitPoint;

constexpr double kMargin = 10, kPadding = 8;
constexpr std::size_t kColumns = 5;
constexpr double kRoomyLines = 22, kRoomyWidth = 39;     // of text, from which on words are large
constexpr double kBesideWords = 22, kBesideNumber = 14;  // least length of a line beside its words

bool ofAll(const WaitPoint& point) {
  return point.on == WaitOn::Block || point.on == WaitOn::Cluster;
}

class Layout {
 public:
  Layout(WaitsGeometry& geometry, const WaitsData& data, const Fonts& fonts)
      : g_(geometry),
        d_(data),
        graph_(data.facts->graph),
        body_(geometry.compact ? fonts.small : fonts.body),
        small_(fonts.small) {}

  // The sentence above, everything else below.
  void layOut(QRectF room) {
    room = pool(room);
    room = meetings(room);
    columns(room);
    lines();
  }

  double leastHeight() const {
    std::array<std::size_t, kColumns> items{};
    bool others = false, meet = false;
    for (const WaitNode& node : graph_.nodes) {
      ++items[columnOf(node)];
      others |= node.other;
    }
    for (const WaitPoint& point : graph_.points) {
      if (ofAll(point)) {
        meet = true;
      } else {
        ++items[columnOf(point)];
      }
    }
    const double line = QFontMetricsF(small_).height();
    double height = static_cast<double>(std::ranges::max(items)) * (line + 10) + 4 * line + 40;
    if (others) height += line + 8;
    if (meet) height += line + 14;
    if (!d_.facts->shares.empty()) height += 3 * line + 18;
    return height;
  }

 private:
  // Nodes and points of a column, from top to bottom.
  std::size_t columnOf(const WaitNode& node) const {
    if (node.kind == WaitNode::Kind::TensorCore) return 4;
    if (node.kind != WaitNode::Kind::Warps || node.other) return 0;
    const bool others = std::ranges::any_of(graph_.nodes, [&](const WaitNode& n) {
      return n.kind == WaitNode::Kind::Warps && !n.other && n.multiplies;
    });
    return others && !node.multiplies ? 0 : 2;
  }
  std::size_t columnOf(const WaitPoint& point) const {
    bool left = false;
    for (const auto* edges : {&point.waiters, &point.enders}) {
      for (const WaitEdge& edge : *edges) left |= columnOf(graph_.nodes[edge.node]) == 0;
    }
    return left ? 1 : 3;
  }

  WaitsBox boxOfNode(std::size_t node) const {
    WaitsBox box;
    box.index = node;
    box.title = nodeName(graph_, node);
    box.detail = nodeDetail(graph_, node);
    if (graph_.nodes[node].kind == WaitNode::Kind::TensorCore && !d_.deadlock() && d_.standstill)
      box.detail = standstillText(d_);
    for (const Sleeper& s : d_.sleepers) {
      if (s.node != node || box.asleep) continue;
      box.asleep = true;
      box.detail = WaitsWords::tr("waits, line %1").arg(s.line);
    }
    return box;
  }
  WaitsBox boxOfPoint(std::size_t point) const {
    WaitsBox box;
    box.point = true;
    box.index = point;
    box.title = pointName(graph_.points[point]);
    box.detail = pointDetail(graph_.points[point]);
    for (const Sleeper& s : d_.sleepers) {
      if (s.point != point || box.asleep) continue;
      box.asleep = true;
      box.title = sleepPlace(d_, s);
      box.detail = lackText(d_, s);
    }
    return box;
  }

  // For the title alone, and for the line of a deadlock.
  double leastWidthOf(const WaitsBox& box) const {
    const double detail =
        box.asleep && !box.point ? QFontMetricsF(small_).horizontalAdvance(box.detail) : 0;
    return std::max(QFontMetricsF(body_).horizontalAdvance(box.title), detail) + 2 * kPadding;
  }
  double widthOf(const WaitsBox& box) const {
    return std::max({QFontMetricsF(body_).horizontalAdvance(box.title),
                     QFontMetricsF(small_).horizontalAdvance(box.detail), 56.0}) +
           2 * kPadding;
  }

  QRectF pool(QRectF room) {
    const auto& shares = d_.facts->shares;
    if (shares.empty()) return room;
    const QFontMetricsF small(small_);
    const double line = small.height() + 2, bar = g_.compact ? line : line + 4;
    const double name = std::max(small.horizontalAdvance(WaitsWords::tr("before")),
                                 small.horizontalAdvance(WaitsWords::tr("after"))) +
                        8;
    double y = room.bottom() - 2 * bar - 3;
    g_.poolWords = QRectF(room.left(), y - line - 1, room.width(), line);
    for (const bool after : {false, true}) {
      PoolBar its;
      its.name = QRectF(room.left(), y, name, bar);
      its.whole = QRectF(room.left() + name, y, room.width() - name, bar);
      const double per = its.whole.width() / Architecture::kRegistersPerBlock;
      double x = its.whole.left();
      const auto add = [&](std::optional<std::size_t> node, std::uint32_t threads,
                           std::uint32_t perThread, double registers) {
        its.parts.push_back({node, threads, perThread, QRectF(x, y, registers * per, bar)});
        x += registers * per;
      };
      double used = 0;
      for (const auto& share : shares) {
        const std::uint32_t each = after ? share.after : share.before;
        used += 1.0 * share.threads * each;
        add(share.node, share.threads, each, 1.0 * share.threads * each);
      }
      if (used < Architecture::kRegistersPerBlock)
        add(std::nullopt, 0, 0, Architecture::kRegistersPerBlock - used);
      g_.pool.push_back(std::move(its));
      y += bar + 3;
    }
    room.setBottom(g_.poolWords.top() - 6);
    return room;
  }

  // Barriers of the whole block, side by side: one below the other would take too much room.
  QRectF meetings(QRectF room) {
    std::vector<WaitsBox> row;
    for (std::size_t p = 0; p < graph_.points.size(); ++p) {
      if (!ofAll(graph_.points[p])) continue;
      WaitsBox box = boxOfPoint(p);
      if (!box.asleep) {
        std::size_t longest = 0;
        for (std::size_t w = 1; w < graph_.points[p].waiters.size(); ++w) {
          if (cyclesOf(p, w) > cyclesOf(p, longest)) longest = w;
        }
        box.detail = WaitsWords::tr("%1, %2").arg(box.detail, wholeWaiterText(d_, p, longest));
      }
      row.push_back(box);
    }
    if (row.empty()) return room;
    const double height = QFontMetricsF(body_).height() + 6;
    double x = room.left();
    const double each = room.width() / static_cast<double>(row.size());
    for (WaitsBox& box : row) {
      box.rect = QRectF(x, room.bottom() - height, each - (row.size() > 1 ? 6 : 0), height);
      x += each;
      g_.boxes.push_back(box);
    }
    room.setBottom(room.bottom() - height - 8);
    return room;
  }

  void columns(const QRectF& room) {
    std::array<std::vector<WaitsBox>, kColumns> columns;
    // Those of another block come after all others.
    for (const bool other : {false, true}) {
      for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
        if (graph_.nodes[n].other != other) continue;
        columns[columnOf(graph_.nodes[n])].push_back(boxOfNode(n));
      }
    }
    // TMA above the warps that issue its copies.
    std::stable_partition(columns[0].begin(), columns[0].end(), [&](const WaitsBox& box) {
      const WaitNode& node = graph_.nodes[box.index];
      return node.kind == WaitNode::Kind::CopyEngine && !node.other;
    });
    for (std::size_t p = 0; p < graph_.points.size(); ++p) {
      if (!ofAll(graph_.points[p])) columns[columnOf(graph_.points[p])].push_back(boxOfPoint(p));
    }
    std::array<double, kColumns> widths{}, least{};
    double all = 0, allLeast = 0;
    std::size_t used = 0;
    for (std::size_t c = 0; c < kColumns; ++c) {
      for (const WaitsBox& box : columns[c]) {
        widths[c] = std::max(widths[c], widthOf(box));
        least[c] = std::max(least[c], leastWidthOf(box));
      }
      all += widths[c];
      allLeast += least[c];
      used += columns[c].empty() ? 0 : 1;
    }
    // Lines keep some room, even between narrow boxes: that of their words, if titles fit beside
    // them.
    constexpr double kLeastGap = 34, kMostGap = 260;
    const double gaps = used > 1 ? static_cast<double>(used - 1) : 1;
    const double leastGap =
        std::clamp((room.width() - allLeast) / gaps, kLeastGap, std::max(kLeastGap, widestWords()));
    if (all + gaps * leastGap > room.width() && all > 0) {
      // Details are shortened first, then titles.
      const double wanted = std::max(60.0, room.width() - gaps * leastGap);
      const double extra = std::max(0.0, wanted - allLeast) / std::max(1.0, all - allLeast);
      const double factor = std::min(1.0, wanted / std::max(1.0, allLeast));
      all = 0;
      for (std::size_t c = 0; c < kColumns; ++c) {
        widths[c] = least[c] * factor + (widths[c] - least[c]) * extra;
        all += widths[c];
      }
    }
    const double gap = used > 1 ? std::min(kMostGap, (room.width() - all) / gaps) : 0;
    double x = room.left() + std::max(0.0, (room.width() - all - gap * (used > 1 ? gaps : 0)) / 2);
    const double two = QFontMetricsF(body_).height() + QFontMetricsF(small_).height() + 8;
    const double one = QFontMetricsF(body_).height() + 4;
    for (std::size_t c = 0; c < kColumns; ++c) {
      if (columns[c].empty()) continue;
      const bool others = std::ranges::any_of(columns[c], [&](const WaitsBox& box) {
        return !box.point && graph_.nodes[box.index].other;
      });
      const double title = others ? QFontMetricsF(small_).height() + 8 : 0;
      const double each = (room.height() - title) / static_cast<double>(columns[c].size());
      const double height = each >= two + 4 ? two : std::min(one, each - 2);
      double y = room.top();
      bool behind = false;
      for (WaitsBox& box : columns[c]) {
        if (!behind && !box.point && graph_.nodes[box.index].other) {
          behind = true;
          y += title;
        }
        box.rect = QRectF(x, y + (each - height) / 2, widths[c], height);
        if (height < two) box.detail = {};
        y += each;
        if (behind) g_.otherBlock = g_.otherBlock.united(box.rect);
        g_.boxes.push_back(box);
      }
      if (behind) {
        g_.otherBlock.adjust(-5, -title + 2, 5, 5);
        const auto other = std::ranges::find(graph_.nodes, true, &WaitNode::other);
        const double words = QFontMetricsF(small_).horizontalAdvance(otherBlockName(other->rank));
        g_.otherBlock.setWidth(std::max(g_.otherBlock.width(), words + 10));
        g_.otherTitle =
            QRectF(g_.otherBlock.left() + 5, g_.otherBlock.top() + 1, words + 2, title - 4);
      }
      x += widths[c] + gap;
    }
  }

  // The width of a line that says how long its wait takes.
  double widestWords() const {
    double widest = 0;
    for (std::size_t p = 0; p < graph_.points.size(); ++p) {
      if (ofAll(graph_.points[p])) continue;
      for (std::size_t w = 0; w < graph_.points[p].waiters.size(); ++w) {
        const QString brief = g_.compact ? cyclesText(d_, p, w) : QString();
        const QString words = brief.isEmpty() ? waiterText(d_, p, w) : brief;
        widest = std::max(widest, QFontMetricsF(small_).horizontalAdvance(words) + 6 +
                                      (brief.isEmpty() ? kBesideWords : kBesideNumber));
      }
    }
    return widest;
  }

  double cyclesOf(std::size_t point, std::size_t waiter) const {
    return point < d_.cycles.size() ? std::max(0.0, d_.cycles[point][waiter]) : 0.0;
  }

  // Whether this end of a wait is missing.
  bool owes(std::size_t point, const WaitEdge& edge) const {
    const WaitNode& node = graph_.nodes[edge.node];
    return std::ranges::any_of(d_.sleepers, [&](const Sleeper& s) {
      if (s.point != point) return false;
      switch (graph_.points[point].on) {
        case WaitOn::Phase:
          return node.kind == WaitNode::Kind::CopyEngine ? s.announced > s.come : s.missing > 0;
        case WaitOn::Meeting:
          return std::ranges::none_of(d_.sleepers, [&](const Sleeper& o) {
            return o.point == point && o.node == edge.node;
          });
        default:
          return true;
      }
    });
  }

  struct End {
    WaitsLine* line;
    bool tail;     // else its tip
    double other;  // y of the other end's box
  };

  void lines() {
    for (std::size_t p = 0; p < graph_.points.size(); ++p) {
      const WaitPoint& point = graph_.points[p];
      if (ofAll(point)) continue;
      const bool mutual = point.on == WaitOn::Meeting;
      for (std::size_t w = 0; w < point.waiters.size(); ++w) {
        WaitsLine line;
        line.waits = true;
        line.point = p;
        line.edge = w;
        line.mutual = mutual;
        line.hot = std::ranges::any_of(d_.sleepers, [&](const Sleeper& s) {
          return s.point == p && s.node == point.waiters[w].node;
        });
        line.words = waiterText(d_, p, w);
        line.brief = cyclesText(d_, p, w);
        for (const Sleeper& s : d_.sleepers) {
          if (s.point == p && s.node == point.waiters[w].node) {
            line.words = s.threads == 1 ? WaitsWords::tr("1 thread")
                                        : WaitsWords::tr("%1 threads").arg(s.threads);
            line.brief.clear();
          }
        }
        if (d_.cyclesPerTile > 0)
          line.thickness = 1 + 4 * std::min(1.0, cyclesOf(p, w) / d_.cyclesPerTile);
        g_.lines.push_back(line);
      }
      for (std::size_t e = 0; e < point.enders.size() && !(mutual && !d_.deadlock()); ++e) {
        WaitsLine line;
        line.point = p;
        line.edge = e;
        line.hot = owes(p, point.enders[e]);
        if (mutual && !line.hot) continue;
        const bool leftOut = d_.without && d_.without->point == p &&
                             d_.without->boxes == (graph_.nodes[point.enders[e].node].kind ==
                                                   WaitNode::Kind::CopyEngine);
        line.words = leftOut    ? WaitsWords::tr("removed")
                     : line.hot ? WaitsWords::tr("missing")
                                : enderText(d_, p, e);
        g_.lines.push_back(line);
      }
    }
    // Where each line leaves a box: in the order of the boxes at the other ends.
    std::vector<std::array<std::vector<End>, 2>> ends(g_.boxes.size());
    const auto boxAt = [&](bool point, std::size_t index) {
      const auto found = std::ranges::find_if(
          g_.boxes, [&](const WaitsBox& box) { return box.point == point && box.index == index; });
      return static_cast<std::size_t>(found - g_.boxes.begin());
    };
    for (WaitsLine& line : g_.lines) {
      const WaitPoint& point = graph_.points[line.point];
      const std::size_t node = (line.waits ? point.waiters : point.enders)[line.edge].node;
      const std::size_t at = boxAt(true, line.point), who = boxAt(false, node);
      const std::size_t from = line.waits ? who : at, to = line.waits ? at : who;
      const bool rightwards = g_.boxes[to].rect.center().x() > g_.boxes[from].rect.center().x();
      ends[from][rightwards ? 1 : 0].push_back({&line, true, g_.boxes[to].rect.center().y()});
      ends[to][rightwards ? 0 : 1].push_back({&line, false, g_.boxes[from].rect.center().y()});
    }
    for (std::size_t b = 0; b < ends.size(); ++b) {
      const QRectF& rect = g_.boxes[b].rect;
      for (std::size_t side = 0; side < 2; ++side) {
        auto& list = ends[b][side];
        std::ranges::stable_sort(list, std::ranges::less(), &End::other);
        for (std::size_t i = 0; i < list.size(); ++i) {
          const double share =
              (static_cast<double>(i) + 1) / (static_cast<double>(list.size()) + 1);
          const QPointF at(side == 0 ? rect.left() : rect.right(),
                           rect.top() + rect.height() * share);
          (list[i].tail ? list[i].line->tail : list[i].line->tip) = at;
        }
      }
    }
    std::vector<QRectF> taken;
    for (const WaitsBox& box : g_.boxes) taken.push_back(box.rect);
    if (g_.otherTitle.isValid()) taken.push_back(g_.otherTitle);
    for (WaitsLine& line : g_.lines) {
      const double bend = (line.tip.x() - line.tail.x()) * 0.45;
      line.path.moveTo(line.tail);
      line.path.cubicTo(line.tail + QPointF(bend, 0), line.tip - QPointF(bend, 0), line.tip);
    }
    // The most important lines choose their places first.
    std::vector<WaitsLine*> order;
    for (WaitsLine& line : g_.lines) order.push_back(&line);
    std::ranges::stable_sort(order, [](const WaitsLine* a, const WaitsLine* b) {
      return std::pair(a->hot, a->thickness) > std::pair(b->hot, b->thickness);
    });
    for (WaitsLine* line : order) {
      if (!d_.deadlock() || line->hot) label(*line, taken);
    }
  }

  // All of its words, or else the length of the wait.
  void label(WaitsLine& line, std::vector<QRectF>& taken) const {
    if (place(line, taken) || line.brief.isEmpty()) return;
    line.words = line.brief;
    place(line, taken);
  }

  bool place(WaitsLine& line, std::vector<QRectF>& taken) const {
    const QFontMetricsF small(small_);
    const QSizeF size(small.horizontalAdvance(line.words) + 6, small.height());
    if (std::abs(line.tip.x() - line.tail.x()) <
        size.width() + (line.words == line.brief ? kBesideNumber : kBesideWords))
      return false;
    for (const double t : {0.5, 0.4, 0.6, 0.32, 0.68, 0.25, 0.75}) {
      QRectF rect(QPointF(0, 0), size);
      rect.moveCenter(line.path.pointAtPercent(t));
      const bool free = std::ranges::none_of(
          taken, [&](const QRectF& other) { return other.adjusted(-3, 0, 3, 0).intersects(rect); });
      if (!free) continue;
      line.label = rect;
      taken.push_back(rect);
      return true;
    }
    return false;
  }

  WaitsGeometry& g_;
  const WaitsData& d_;
  const WaitGraph& graph_;
  QFont body_, small_;
};

}  // namespace

WaitsGeometry::WaitsGeometry(const WaitsData& data, const QRectF& canvas, const Fonts& fonts) {
  const double line = QFontMetricsF(fonts.body).height();
  compact = canvas.height() < kRoomyLines * line || canvas.width() < kRoomyWidth * line;
  QRectF room = canvas.adjusted(kMargin, 6, -kMargin, -6);
  const QFontMetricsF metrics(compact ? fonts.small : fonts.body), small(fonts.small);
  if (!data.ready()) {
    sentence = room;
    return;
  }
  const double words =
      std::min(metrics.boundingRect(room, Qt::TextWordWrap, unbroken(waitsSentence(data))).height(),
               (compact ? 3 : 4) * metrics.lineSpacing());
  sentence = QRectF(room.left(), room.top(), room.width(), words + 1);
  room.setTop(sentence.bottom() + 6);
  if (!compact) {
    note = QRectF(room.left(), room.bottom() - small.height(), room.width(), small.height());
    room.setBottom(note.top() - 2);
  }
  legend = QRectF(room.left(), room.bottom() - small.height(), room.width(), small.height());
  room.setBottom(legend.top() - 6);
  Layout(*this, data, fonts).layOut(room);
}

double WaitsGeometry::leastHeight(const WaitsData& data, const Fonts& fonts) {
  if (!data.ready()) return 0;
  WaitsGeometry geometry;
  geometry.compact = true;
  return Layout(geometry, data, fonts).leastHeight();
}

double WaitsGeometry::wholeHeight(const WaitsData& data, double width, const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  const double line = QFontMetricsF(fonts.body).height();
  if (!data.ready()) return 6 * line;
  const double both = 2 * small.height() + 8;
  const auto lacks = [&](const WaitsGeometry& geometry) {
    // A barrier of the whole block is a bar of one line.
    return std::ranges::any_of(geometry.boxes, [&](const WaitsBox& box) {
      const bool bar = box.point && ofAll(data.facts->graph.points[box.index]);
      return !bar && box.rect.height() < both;
    });
  };
  constexpr int kLeastLines = 10, kMostLines = 120;
  int lines = kLeastLines;
  while (lines < kMostLines && lacks(WaitsGeometry(data, {0, 0, width, lines * line}, fonts)))
    ++lines;
  return lines * line;
}

const WaitsBox* WaitsGeometry::boxUnder(const QPointF& pixel) const {
  const auto found =
      std::ranges::find_if(boxes, [&](const WaitsBox& box) { return box.rect.contains(pixel); });
  return found == boxes.end() ? nullptr : &*found;
}

const WaitsLine* WaitsGeometry::lineUnder(const QPointF& pixel) const {
  QPainterPathStroker stroker;
  stroker.setWidth(9);
  const auto found = std::ranges::find_if(lines, [&](const WaitsLine& line) {
    return line.label.contains(pixel) || stroker.createStroke(line.path).contains(pixel);
  });
  return found == lines.end() ? nullptr : &*found;
}

const WaitsBox* WaitsGeometry::boxOf(bool point, std::size_t index) const {
  const auto found = std::ranges::find_if(
      boxes, [&](const WaitsBox& box) { return box.point == point && box.index == index; });
  return found == boxes.end() ? nullptr : &*found;
}

}  // namespace tileloom
