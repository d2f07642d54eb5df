// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/ring/ring_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "viz/base/text/clauses.h"
#include "viz/ring/ring_words.h"

namespace tileloom {
namespace {

constexpr double kTurn = 360;

// The room per card, relative to this least size, of n cards in a grid of `columns`.
double comfort(const QSizeF& room, int cards, int columns, double wide, double high) {
  const int rows = (cards + columns - 1) / columns;
  const double gaps = cards % columns == 0 ? 1 : 0.85;  // a row that is not full looks unfinished
  return gaps * std::min(room.width() / columns / wide, room.height() / rows / high);
}

// The height of a card's words, as painted.
double cardWordsHeight(const RingStage& stage, double width, const QFontMetricsF& small) {
  double height = 0;
  for (const QString& line : cardLines(stage)) {
    height += 0.15 * small.height() +
              small.boundingRect({0, 0, width, 1e6}, Qt::TextWordWrap, unbroken(line)).height();
  }
  return height;
}

}  // namespace

RingGeometry::RingGeometry(const RingData& data, const QRectF& canvas, const Fonts& fonts) {
  const QFontMetricsF body(fonts.body), small(fonts.small), title(fonts.title);
  const double margin = 0.6 * body.height();
  QRectF room = canvas.adjusted(margin, margin / 2, -margin, -margin / 2);
  sentence = room;
  if (!data.ready()) return;
  compact = canvas.height() < 17 * body.height();
  const QFontMetricsF& prose = compact ? small : body;
  const double words = 1.2 * prose.height();
  // Two lines for the sentence where the canvas is narrow.
  const double lines = room.width() < (compact ? 115 : 200) * prose.averageCharWidth() ? 2 : 1;
  sentence = QRectF(room.left(), room.top(), room.width(), lines * words);
  room.setTop(sentence.bottom() + margin / 2);
  const double line = 1.35 * small.height();
  note =
      QRectF(room.left(), room.bottom() - (compact ? 0 : line), room.width(), compact ? 0 : line);
  legend = QRectF(room.left(), note.top() - line, room.width(), line);
  room.setBottom(legend.top() - margin / 2);

  const int stages = static_cast<int>(data.stages.size());
  const double least = 6 * body.height();
  const double rim = 1.5 * small.height();  // for names and the arrow around the dial
  const double side = std::min(room.height(), 0.4 * room.width());
  QRectF grid = room;
  if (side > least && room.width() - side > 1.2 * least) {
    const double dial = std::min(side, 0.5 * canvas.height() + least);
    centre = QPointF(room.left() + dial / 2, room.center().y());
    outer = dial / 2 - rim;
    inner = 0.52 * outer;
    hub = 0.30 * outer;
    grid.setLeft(room.left() + dial + margin);
  }

  // The fewest rows that leave each card enough room.
  const double wide = 24 * small.averageCharWidth() + 6 * body.height(), high = 12 * small.height();
  int columns = 1;
  for (int n = 2; n <= stages; ++n) {
    if (comfort(grid.size(), stages, n, wide, high) >
        comfort(grid.size(), stages, columns, wide, high) + 1e-9)
      columns = n;
  }
  const int rows = (stages + columns - 1) / columns;
  const double gap = margin / 2;
  const double width = (grid.width() - gap * (columns - 1)) / columns;
  const double height = (grid.height() - gap * (rows - 1)) / rows;
  for (int i = 0; i < stages; ++i) {
    RingCard card;
    card.whole = QRectF(grid.left() + i % columns * (width + gap),
                        grid.top() + i / columns * (height + gap), width, height);
    const QRectF in = card.whole.adjusted(gap, gap / 2, -gap, -gap / 2);
    card.title = QRectF(in.left(), in.top(), in.width(), 1.2 * title.height());
    const QRectF rest(in.left(), card.title.bottom() + gap / 2, in.width(),
                      in.bottom() - card.title.bottom() - gap / 2);
    const double wordsWide = 26 * small.averageCharWidth();
    const double wordsHigh = 6 * small.height();
    const bool beside = rest.width() - wordsWide > 0.6 * rest.height();
    QRectF picture = rest;
    if (beside) {
      picture.setWidth(std::max(0.0, std::min(rest.width() - wordsWide, 1.7 * rest.height())));
      card.words = QRectF(picture.right() + gap, rest.top(), rest.right() - picture.right() - gap,
                          rest.height());
    } else {
      picture.setHeight(
          std::min(std::max(0.6 * rest.height(), rest.height() - wordsHigh), rest.width()));
      card.words = QRectF(rest.left(), picture.bottom() + gap / 2, rest.width(),
                          rest.bottom() - picture.bottom() - gap / 2);
    }
    // A thin K tile is drawn thicker along K.
    const auto& panels = data.stages[static_cast<std::size_t>(i)].slot.panels;
    const auto m = static_cast<double>(panels[0].rows), n = static_cast<double>(panels[1].columns);
    const double k = std::max(static_cast<double>(panels[0].columns), 0.28 * std::max(m, n));
    const double seam = 3;
    const double cell = std::max(
        0.0, std::min((picture.width() - seam) / (k + n), (picture.height() - seam) / (k + m)));
    const QPointF at(picture.left(), picture.top());
    card.b = QRectF(at.x() + k * cell + seam, at.y(), n * cell, k * cell);
    card.a = QRectF(at.x(), at.y() + k * cell + seam, k * cell, m * cell);
    card.corner = QRectF(card.b.left(), card.a.top(), card.b.width(), card.a.height());
    if (beside) card.words.setLeft(card.b.right() + 2 * gap);
    cards.push_back(card);
  }
}

double RingGeometry::leastHeight(const RingData& data, double width, const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  const double line = QFontMetricsF(fonts.body).height();
  if (!data.ready()) return 8 * line;
  const auto lacks = [&](const RingGeometry& geometry) {
    for (std::size_t i = 0; i < geometry.cards.size(); ++i) {
      const QRectF& words = geometry.cards[i].words;
      if (cardWordsHeight(data.stages[i], words.width(), small) > words.height()) return true;
    }
    return false;
  };
  constexpr int kMostLines = 120;
  int lines = 14;
  while (lines < kMostLines && lacks(RingGeometry(data, {0, 0, width, lines * line}, fonts)))
    ++lines;
  return lines * line;
}

double RingGeometry::begin(std::size_t stage) const {
  return kTurn * static_cast<double>(stage) /
         static_cast<double>(std::max<std::size_t>(1, cards.size()));
}

QPointF RingGeometry::onDial(double degrees, double radius) const {
  const double angle = degrees * std::numbers::pi / 180;
  return centre + QPointF(radius * std::sin(angle), -radius * std::cos(angle));
}

std::size_t RingGeometry::stageAt(double degrees) const {
  const double turned = std::fmod(std::fmod(degrees, kTurn) + kTurn, kTurn);
  return std::min(cards.size() - 1,
                  static_cast<std::size_t>(turned / kTurn * static_cast<double>(cards.size())));
}

std::optional<std::uint32_t> RingGeometry::stageUnder(const QPointF& pixel) const {
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (cards[i].whole.contains(pixel)) return static_cast<std::uint32_t>(i);
  }
  const QPointF from = pixel - centre;
  const double radius = std::hypot(from.x(), from.y());
  if (cards.empty() || radius < inner || radius > outer) return std::nullopt;
  return static_cast<std::uint32_t>(
      stageAt(std::atan2(from.x(), -from.y()) * 180 / std::numbers::pi));
}

std::optional<RingGeometry::Spot> RingGeometry::cellUnder(const RingData& data,
                                                          const QPointF& pixel) const {
  for (std::size_t i = 0; i < cards.size(); ++i) {
    for (const std::uint32_t panel : {0u, 1u}) {
      const QRectF& where = panel == 0 ? cards[i].a : cards[i].b;
      if (!where.contains(pixel) || where.isEmpty()) continue;
      const analysis::SlotPanel& cells = data.stages[i].slot.panels[panel];
      const auto along = [](double share, std::int64_t count) {
        return std::clamp<std::int64_t>(
            static_cast<std::int64_t>(share * static_cast<double>(count)), 0, count - 1);
      };
      const std::int64_t row = along((pixel.y() - where.top()) / where.height(), cells.rows);
      const std::int64_t column = along((pixel.x() - where.left()) / where.width(), cells.columns);
      return Spot{static_cast<std::uint32_t>(i), panel,
                  static_cast<std::size_t>(row * cells.columns + column)};
    }
  }
  return std::nullopt;
}

}  // namespace tileloom
