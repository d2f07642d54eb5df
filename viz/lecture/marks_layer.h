// SPDX-License-Identifier: GPL-3.0-or-later
// A transparent overlay over the views: marks of a lecture's step, a pointer, and freehand ink.
// Marks and ink move with the views below while these zoom and scroll.
#pragma once

#include <QPolygonF>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "viz/lecture/label_places.h"
#include "viz/lecture/mark.h"

namespace tileloom {

// A point of a stroke that does not depend on the zoom of the view below. `sheet`: the view whose
// coordinates it has; 0: the overlay itself.
struct InkPoint {
  int sheet = 0;
  QPointF at;
};

class MarksLayer : public QWidget {
  Q_OBJECT
 public:
  enum class Tool { None, Pointer, Pen };

  // Pixels of the overlay; std::nullopt: not visible now.
  using Place = std::function<std::optional<QRectF>(const MarkTarget& target)>;
  // To and from the coordinates of the view that is under a pixel.
  using ToInk = std::function<InkPoint(const QPointF& pixel)>;
  using FromInk = std::function<QPointF(const InkPoint& point)>;
  // The visible part of a sheet, in pixels of the overlay.
  using Sheet = std::function<QRectF(int sheet)>;

  // Covers its parent.
  MarksLayer(Place place, ToInk toInk, FromInk fromInk, Sheet sheet, QWidget* parent);

  void setMarks(std::vector<Mark> marks);
  const std::vector<Mark>& marks() const { return m_marks; }
  // The place of each mark; std::nullopt: not visible.
  std::vector<std::optional<QRectF>> places() const { return m_places; }
  // The box of each mark's label; null: it has none, or is not visible.
  std::vector<QRectF> labels() const;
  void setTool(Tool tool);
  Tool tool() const { return m_tool; }
  void clearInk();
  std::size_t strokes() const { return m_strokes.size(); }
  // Updates all places; cheap if nothing has moved.
  void follow();
  // Places the marks' labels for what the views show now. It runs automatically when marks are set,
  // and when the views have not changed for a moment.
  void settle();

 signals:
  void inkChanged();
  void roomChanged();  // its size, or that of the text

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  std::vector<QPolygonF> inkNow() const;
  std::vector<std::optional<QRectF>> placesNow() const;
  QFont wordsFont() const;
  QRectF room() const;
  std::vector<QRectF> kept() const;
  QRectF wordsAt(std::size_t mark) const;

  Place m_place;
  ToInk m_toInk;
  FromInk m_fromInk;
  Sheet m_sheet;
  std::vector<Mark> m_marks;
  std::vector<std::optional<QRectF>> m_places;  // of the marks
  std::vector<QPointF> m_offsets;               // of their labels, from the middle of each place
  std::vector<std::vector<InkPoint>> m_strokes;
  std::vector<QPolygonF> m_ink;  // the strokes in pixels
  Tool m_tool = Tool::None;
  QPointF m_mouse;
  QTimer m_soon, m_later;
  bool m_measuring = false;  // the views are painted without the overlay
};

// One mark at its place, with its label in the box `words`, which has the label's size.
void paintMark(QPainter& painter, const Mark& mark, const QRectF& place, const QRectF& words,
               const QFont& font, const QPalette& palette);

// The boxes of all marks' labels within `room`; null: a mark without a label or without a place.
// They leave names and controls in `kept` free, as labelPlaces() does.
std::vector<QRectF> wordsOf(std::span<const Mark> marks,
                            std::span<const std::optional<QRectF>> places, const QRectF& room,
                            const QFont& font, const Clutter& clutter,
                            std::span<const QRectF> kept = {});

}  // namespace tileloom
