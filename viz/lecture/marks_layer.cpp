// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/marks_layer.h"

#include <QApplication>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <cmath>
#include <utility>

#include "viz/base/painted_view.h"
#include "viz/base/theme.h"
#include "viz/lecture/lecture_panel.h"

namespace tileloom {
namespace {

constexpr double kStroke = 3, kArrow = 46, kHead = 12, kGap = 6;

// Lines that are seen on any ground: the accent's with an edge in the ground's colour.
void drawEdged(QPainter& p, const QPainterPath& path, const QColor& ink, const QColor& edge) {
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(edge, kStroke + 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPath(path);
  p.setPen(QPen(ink, kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPath(path);
}

// The box of a mark's words: beside `anchor`, within the room.
QRectF boxFor(const QString& text, const QPointF& anchor, const QRectF& room, const QFont& font) {
  const QFontMetricsF metrics(font);
  const QSizeF size(metrics.horizontalAdvance(text) + 14, metrics.height() + 6);
  QRectF box(anchor - QPointF(size.width() / 2, size.height()), size);
  box.moveLeft(std::clamp(box.left(), room.left() + 4,
                          std::max(room.left() + 4, room.right() - 4 - size.width())));
  box.moveTop(std::clamp(box.top(), room.top() + 4,
                         std::max(room.top() + 4, room.bottom() - 4 - size.height())));
  return box;
}

void drawWords(QPainter& p, const QString& text, const QRectF& box, const QFont& font,
               const Theme& theme) {
  p.setPen(Qt::NoPen);
  p.setBrush(theme.accent);
  p.drawRoundedRect(box, 4, 4);
  p.setFont(font);
  p.setPen(Theme::ink(theme.accent));
  p.drawText(box, Qt::AlignCenter, text);
}

}  // namespace

void paintMark(QPainter& painter, const Mark& mark, const QRectF& place, const QRectF& room,
               const QFont& font, const QPalette& palette, std::vector<QRectF>& taken) {
  const Theme theme = Theme::of(palette);
  const QString text = QString::fromStdString(mark.text);
  painter.setRenderHint(QPainter::Antialiasing);
  // A word's cell is small: the ring has a size that is seen.
  const double grow = std::max(4.0, (22 - std::min(place.width(), place.height())) / 2);
  // A row of a list has its neighbours right above and below.
  const bool row =
      mark.target.thing == MarkTarget::Thing::Line || mark.target.thing == MarkTarget::Thing::Knob;
  const bool area = mark.target.thing == MarkTarget::Thing::Area;
  constexpr double kInside = 3;  // areas touch each other
  const QRectF ring = area  ? place.adjusted(kInside, kInside, -kInside, -kInside)
                      : row ? place.adjusted(-4, -1, 4, 1)
                            : place.adjusted(-grow, -grow, grow, grow);
  const double line = QFontMetricsF(font).height();
  const bool bank = mark.target.thing == MarkTarget::Thing::Bank;
  const bool roomInside =
      place.height() > 3 * line && place.width() > QFontMetricsF(font).horizontalAdvance(text) + 30;
  QPointF words(place.center().x(), place.top() - kGap);
  // The words of an area stand in it: beside it there is another one.
  if (mark.form != MarkForm::Arrow && roomInside && !bank)
    words = place.center() + QPointF(0, line / 2 + 3);
  // What is named as a whole is seen: its name stands on the lower edge.
  if (area) words = {place.center().x(), place.bottom() - kGap};
  if (mark.form == MarkForm::Ring) {
    QPainterPath path;
    path.addRoundedRect(ring, 8, 8);
    drawEdged(painter, path, theme.accent, theme.ground);
    if (!roomInside && !area) words = {ring.center().x(), ring.top() - kGap};
    if (bank) words.setY(ring.bottom() + line + 2 * kGap);  // above it are headings
    // Code stands at the left of its line.
    if (mark.target.thing == MarkTarget::Thing::Line) {
      words = {place.right() - QFontMetricsF(font).horizontalAdvance(text) / 2 - 20,
               place.center().y() + line / 2 + 3};
    }
    // A ring around all that there is has its words inside.
    if (!area && words.y() - line < room.top()) words.setY(ring.top() + line + 2 * kGap);
  } else if (mark.form == MarkForm::Arrow) {
    // From above, or from below where there is no room.
    const bool above = !bank && place.top() - room.top() > kArrow + 30;
    const double into = std::min(place.height() / 2, 12.0);
    QPointF tip(place.center().x(), above ? place.top() + into : place.bottom() - into);
    if (place.height() > 3 * line) tip = bank ? QPointF(tip.x(), place.bottom()) : place.center();
    const double away = above ? -1 : 1;
    const QPointF tail = tip + QPointF(-kArrow * 0.5, away * kArrow);
    const QPointF along = (tail - tip) / std::hypot(tail.x() - tip.x(), tail.y() - tip.y());
    const QPointF across(-along.y(), along.x());
    QPainterPath path(tail);
    path.lineTo(tip);
    path.moveTo(tip + (along + across * 0.5) * kHead);
    path.lineTo(tip);
    path.lineTo(tip + (along - across * 0.5) * kHead);
    drawEdged(painter, path, theme.accent, theme.ground);
    words = above ? tail : tail + QPointF(0, QFontMetricsF(font).height() + kGap);
  }
  if (text.isEmpty()) return;
  QRectF box = boxFor(text, words, room, font);
  // Below those that are there already, or above them where the room ends.
  for (const double way : {1.0, -1.0}) {
    QRectF moved = box;
    bool free = false;
    for (int tries = 0; tries < 8 && !free; ++tries) {
      const auto other = std::ranges::find_if(
          taken, [&moved](const QRectF& there) { return there.intersects(moved); });
      free = other == taken.end();
      if (!free) moved.moveTop(way > 0 ? other->bottom() + 3 : other->top() - 3 - moved.height());
    }
    if (!free || moved.bottom() > room.bottom() || moved.top() < room.top()) continue;
    box = moved;
    break;
  }
  taken.push_back(box);
  drawWords(painter, text, box, font, theme);
}

MarksLayer::MarksLayer(Place place, ToInk toInk, FromInk fromInk, QWidget* parent)
    : QWidget(parent),
      m_place(std::move(place)),
      m_toInk(std::move(toInk)),
      m_fromInk(std::move(fromInk)) {
  setObjectName(QStringLiteral("marks"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setMouseTracking(true);
  setFocusPolicy(Qt::NoFocus);
  m_soon.setSingleShot(true);
  m_soon.setInterval(0);
  connect(&m_soon, &QTimer::timeout, this, &MarksLayer::follow);
  qApp->installEventFilter(this);
  setGeometry(parent->rect());
}

void MarksLayer::setMarks(std::vector<Mark> marks) {
  m_marks = std::move(marks);
  m_places.clear();
  follow();
  update();
}

void MarksLayer::setTool(Tool tool) {
  m_tool = tool;
  setAttribute(Qt::WA_TransparentForMouseEvents, tool == Tool::None);
  setCursor(tool == Tool::Pen       ? Qt::CrossCursor
            : tool == Tool::Pointer ? Qt::BlankCursor
                                    : Qt::ArrowCursor);
  m_mouse = mapFromGlobal(QCursor::pos());
  raise();
  update();
}

void MarksLayer::clearInk() {
  if (m_strokes.empty()) return;
  m_strokes.clear();
  m_ink.clear();
  emit inkChanged();
  update();
}

std::vector<QPolygonF> MarksLayer::inkNow() const {
  std::vector<QPolygonF> ink;
  for (const auto& stroke : m_strokes) {
    QPolygonF line;
    for (const InkPoint& point : stroke) line << m_fromInk(point);
    ink.push_back(std::move(line));
  }
  return ink;
}

std::vector<std::optional<QRectF>> MarksLayer::placesNow() const {
  std::vector<std::optional<QRectF>> places;
  for (const Mark& mark : m_marks) places.push_back(m_place(mark.target));
  return places;
}

void MarksLayer::follow() {
  if (!isVisible() && m_marks.empty()) return;
  std::vector<std::optional<QRectF>> places = placesNow();
  std::vector<QPolygonF> ink = inkNow();
  if (places == m_places && ink == m_ink) return;
  m_places = std::move(places);
  m_ink = std::move(ink);
  update();
}

// Whatever is painted in the window may have moved. The glass itself does not count.
bool MarksLayer::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parent() && event->type() == QEvent::Resize) {
    setGeometry(parentWidget()->rect());
    raise();
  }
  const bool something = !m_marks.empty() || !m_strokes.empty();
  if (something && event->type() == QEvent::Paint && watched != this && watched->isWidgetType() &&
      static_cast<QWidget*>(watched)->window() == window())
    m_soon.start();
  return false;
}

void MarksLayer::paintEvent(QPaintEvent* event) {
  // What is painted beneath stands where it does now, whenever the marks hear of that.
  const auto places = std::exchange(m_places, placesNow());
  const auto ink = std::exchange(m_ink, inkNow());
  // Where they stood before has to be painted, too.
  if ((places != m_places || ink != m_ink) && event->rect() != rect()) update();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = this->font();
  font.setBold(true);
  // The lecture's own words are not written over.
  const auto* panel = parentWidget()->findChild<LecturePanel*>();
  const int left = panel != nullptr && panel->isVisible() ? panel->geometry().right() + 1 : 0;
  const QRectF room = QRectF(rect()).adjusted(left, 0, 0, 0);
  std::vector<QRectF> taken;
  for (std::size_t i = 0; i < m_places.size() && i < m_marks.size(); ++i) {
    if (m_places[i]) paintMark(painter, m_marks[i], *m_places[i], room, font, palette(), taken);
  }
  const Theme theme = Theme::of(palette());
  for (const QPolygonF& line : m_ink) {
    QPainterPath path;
    path.addPolygon(line);
    drawEdged(painter, path, theme.trouble, theme.ground);
  }
  if (m_tool == Tool::Pointer) {
    painter.setPen(QPen(theme.ground, 2));
    painter.setBrush(Theme::faded(theme.trouble, 0.85));
    painter.drawEllipse(m_mouse, 9, 9);
  }
}

void MarksLayer::mousePressEvent(QMouseEvent* event) {
  if (m_tool != Tool::Pen) return event->ignore();
  m_strokes.push_back({m_toInk(event->position())});
  follow();
}

void MarksLayer::mouseMoveEvent(QMouseEvent* event) {
  m_mouse = event->position();
  if (m_tool == Tool::Pointer) return update();
  if (m_tool != Tool::Pen || (event->buttons() & Qt::LeftButton) == 0 || m_strokes.empty()) return;
  m_strokes.back().push_back(m_toInk(event->position()));
  follow();
}

void MarksLayer::mouseReleaseEvent(QMouseEvent*) {
  if (m_tool == Tool::Pen) emit inkChanged();
}

}  // namespace tileloom
