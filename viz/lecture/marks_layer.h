// SPDX-License-Identifier: GPL-3.0-or-later
// A sheet of glass over the views: marks of a lecture's step, a pointer, and freehand ink. Marks
// and ink stay at what they were made on while the views below zoom and scroll.
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

// A place of a stroke that does not depend on how the view below is zoomed: `sheet` says which
// view's coordinates it is in, 0 those of the glass itself.
struct InkPoint {
  int sheet = 0;
  QPointF at;
};

class MarksLayer : public QWidget {
  Q_OBJECT
 public:
  enum class Tool { None, Pointer, Pen };

  // Pixels of the glass; std::nullopt: it is not to be seen now.
  using Place = std::function<std::optional<QRectF>(const MarkTarget& target)>;
  // To and from the coordinates of the view that is under a pixel.
  using ToInk = std::function<InkPoint(const QPointF& pixel)>;
  using FromInk = std::function<QPointF(const InkPoint& point)>;
  // What is seen of a sheet, in pixels of the glass.
  using Sheet = std::function<QRectF(int sheet)>;

  // Covers its parent.
  MarksLayer(Place place, ToInk toInk, FromInk fromInk, Sheet sheet, QWidget* parent);

  void setMarks(std::vector<Mark> marks);
  const std::vector<Mark>& marks() const { return m_marks; }
  // Where each mark stands now; std::nullopt: nowhere.
  std::vector<std::optional<QRectF>> places() const { return m_places; }
  void setTool(Tool tool);
  Tool tool() const { return m_tool; }
  void clearInk();
  std::size_t strokes() const { return m_strokes.size(); }
  // Places everything anew; cheap if nothing has moved.
  void follow();
  // Finds the places of the marks' words for what the views show now. It happens by itself when
  // marks are set, and when the views have stood still for a moment.
  void settle();

 signals:
  void inkChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  std::vector<QPolygonF> inkNow() const;
  std::vector<std::optional<QRectF>> placesNow() const;
  QFont wordsFont() const;
  QRectF room() const;
  QRectF wordsAt(std::size_t mark) const;

  Place m_place;
  ToInk m_toInk;
  FromInk m_fromInk;
  Sheet m_sheet;
  std::vector<Mark> m_marks;
  std::vector<std::optional<QRectF>> m_places;  // of the marks
  std::vector<QPointF> m_offsets;               // of their words, from the middle of each place
  std::vector<std::vector<InkPoint>> m_strokes;
  std::vector<QPolygonF> m_ink;  // the strokes in pixels
  Tool m_tool = Tool::None;
  QPointF m_mouse;
  QTimer m_soon, m_later;
  bool m_measuring = false;  // the views are painted without the glass
};

// One mark at its place, with its words in the box `words`, which has their size.
void paintMark(QPainter& painter, const Mark& mark, const QRectF& place, const QRectF& words,
               const QFont& font, const QPalette& palette);

// The boxes of all marks' words within `room`; null for a mark without words, and without place.
std::vector<QRectF> wordsOf(std::span<const Mark> marks,
                            std::span<const std::optional<QRectF>> places, const QRectF& room,
                            const QFont& font, const Clutter& clutter);

}  // namespace tileloom
