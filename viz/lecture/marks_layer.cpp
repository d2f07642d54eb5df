// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/marks_layer.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QTabBar>
#include <cmath>
#include <utility>

#include "viz/base/theme.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/lecture/lecture_panel.h"

namespace tileloom {
namespace {

constexpr double kStroke = 3, kArrow = 26, kHead = 12, kGap = 6;
constexpr double kBeside = 14, kAbove = 6;  // of a label, both sides of its text together
constexpr int kStill = 150;  // milliseconds without a change, after which labels are placed again

// Lines that are visible on any ground: the accent with an edge in the ground's colour.
void drawEdged(QPainter& p, const QPainterPath& path, const QColor& ink, const QColor& edge) {
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(edge, kStroke + 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPath(path);
  p.setPen(QPen(ink, kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPath(path);
}

void drawWords(QPainter& p, const QString& text, const QRectF& box, const QFont& font,
               const Theme& theme) {
  p.setPen(Qt::NoPen);
  p.setBrush(theme.accent);
  p.drawRoundedRect(box, 4, 4);
  p.setFont(font);
  p.setPen(Theme::ink(theme.accent));
  const bool wrapped = box.height() > 1.5 * QFontMetricsF(font).height() + kBeside;
  p.drawText(box, wrapped ? Qt::AlignCenter | Qt::TextWordWrap : Qt::AlignCenter, text);
}

// The ring, and the end of an arrow.
struct Shape {
  QRectF ring;
  bool area = false, row = false, bank = false;
};

Shape shapeOf(const Mark& mark, const QRectF& place) {
  using Thing = MarkTarget::Thing;
  Shape shape;
  shape.area = mark.target.thing == Thing::Area;
  shape.row = mark.target.thing == Thing::Line || mark.target.thing == Thing::Parameter;
  shape.bank = mark.target.thing == Thing::Bank;
  // A word's cell is small: the ring has a minimum size.
  const double grow = std::max(4.0, (22 - std::min(place.width(), place.height())) / 2);
  constexpr double kInside = 3;  // areas touch each other
  // A row of a list has neighbours directly above and below.
  shape.ring = shape.area  ? place.adjusted(kInside, kInside, -kInside, -kInside)
               : shape.row ? place.adjusted(-4, -2, 4, 2)
                           : place.adjusted(-grow, -grow, grow, grow);
  return shape;
}

// A label that would take more than half of the room has two lines or more.
QSizeF sizeOf(const Mark& mark, const QFont& font, const QRectF& room) {
  const QFontMetricsF metrics(font);
  const QString text = QString::fromStdString(mark.text);
  const double width = metrics.horizontalAdvance(text), most = room.width() / 2 - kBeside;
  if (width <= most || most < metrics.averageCharWidth() * 8)
    return {width + kBeside, metrics.height() + kAbove};
  // Lines of about equal length.
  const double lines = std::ceil(width / most);
  QRectF box;
  for (double wide = width / lines; box.isNull() || wide <= most; wide += 8) {
    box = metrics.boundingRect(QRectF(0, 0, wide, 1e4), Qt::AlignCenter | Qt::TextWordWrap, text);
    if (box.height() <= (lines + 0.5) * metrics.lineSpacing() && box.width() <= wide) break;
  }
  return {std::ceil(box.width()) + kBeside + 2, std::ceil(box.height()) + kAbove};
}

// Where the tip of its line may be. A small target has letters: the tip is at its edge, not on
// them.
std::optional<QRectF> coreOf(const Mark& mark, const Shape& shape, const QRectF& place,
                             const QFont& font) {
  const double large = 3 * QFontMetricsF(font).height();
  if (shape.area) return std::nullopt;
  if (mark.form == MarkForm::Ring) return shape.ring.adjusted(6, 0, -6, 0);
  if (mark.form != MarkForm::Arrow) return std::nullopt;
  if (shape.bank) return place.adjusted(place.width() / 2, 0, -place.width() / 2, 0);
  const bool wide = place.width() > large, high = place.height() > large;
  if (wide && high) return QRectF(place.center(), QSizeF());
  if (shape.row || wide) return place.adjusted(0, place.height() / 2, 0, -place.height() / 2);
  const double x = std::min(place.width() / 2, 3.0);
  return place.adjusted(x, 0, -x, 0);
}

LabelWish wishOf(const Mark& mark, const QRectF& place, const QFont& font, const QRectF& room) {
  const Shape shape = shapeOf(mark, place);
  LabelWish wish;
  wish.size = sizeOf(mark, font, room);
  wish.within = shape.area;
  wish.target = mark.form == MarkForm::Ring ? shape.ring : place;
  wish.away = mark.form == MarkForm::Arrow ? kArrow : kGap;
  wish.core = coreOf(mark, shape, place, font);
  return wish;
}

// From the label to its target.
void drawArrow(QPainter& p, const QLineF& line, const Theme& theme) {
  const QPointF tip = line.p2(), tail = line.p1();
  const double length = std::hypot(tail.x() - tip.x(), tail.y() - tip.y());
  if (length < kHead) return;  // the label is on it
  const QPointF along = (tail - tip) / length;
  const QPointF across(-along.y(), along.x());
  QPainterPath path(tail);
  path.lineTo(tip);
  path.moveTo(tip + (along + across * 0.5) * kHead);
  path.lineTo(tip);
  path.lineTo(tip + (along - across * 0.5) * kHead);
  drawEdged(p, path, theme.accent, theme.ground);
}

}  // namespace

void paintMark(QPainter& painter, const Mark& mark, const QRectF& place, const QRectF& words,
               const QFont& font, const QPalette& palette) {
  const Theme theme = Theme::of(palette);
  painter.setRenderHint(QPainter::Antialiasing);
  const Shape shape = shapeOf(mark, place);
  const bool named = !mark.text.empty();
  const QRectF box = named ? words : QRectF(place.center() - QPointF(kArrow / 2, kArrow), QSizeF());
  if (mark.form == MarkForm::Ring) {
    QPainterPath path;
    path.addRoundedRect(shape.ring, 8, 8);
    if (const auto core = coreOf(mark, shape, place, font);
        named && core && !shape.ring.intersects(box)) {  // a line leads to a label farther away
      const QLineF line = leadingLine(box, *core);
      path.moveTo(line.p1());
      path.lineTo(line.p2());
    }
    drawEdged(painter, path, theme.accent, theme.ground);
  } else if (const auto core = coreOf(mark, shape, place, font)) {
    drawArrow(painter, leadingLine(box, *core), theme);
  }
  if (named) drawWords(painter, QString::fromStdString(mark.text), box, font, theme);
}

std::vector<QRectF> wordsOf(std::span<const Mark> marks,
                            std::span<const std::optional<QRectF>> places, const QRectF& room,
                            const QFont& font, const Clutter& clutter,
                            std::span<const QRectF> kept) {
  std::vector<LabelWish> wishes;
  for (std::size_t i = 0; i < marks.size() && i < places.size(); ++i)
    if (places[i] && !marks[i].text.empty())
      wishes.push_back(wishOf(marks[i], *places[i], font, room));
  const std::vector<QRectF> found = labelPlaces(wishes, room, clutter, kept);
  std::vector<QRectF> words(marks.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < marks.size() && i < places.size(); ++i)
    if (places[i] && !marks[i].text.empty()) words[i] = found[next++];
  return words;
}

MarksLayer::MarksLayer(Place place, ToInk toInk, FromInk fromInk, Sheet sheet, QWidget* parent)
    : QWidget(parent),
      m_place(std::move(place)),
      m_toInk(std::move(toInk)),
      m_fromInk(std::move(fromInk)),
      m_sheet(std::move(sheet)) {
  setObjectName(QStringLiteral("marks"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setMouseTracking(true);
  setFocusPolicy(Qt::NoFocus);
  m_soon.setSingleShot(true);
  m_soon.setInterval(0);
  connect(&m_soon, &QTimer::timeout, this, &MarksLayer::follow);
  qApp->installEventFilter(this);
  m_later.setSingleShot(true);
  m_later.setInterval(kStill);
  connect(&m_later, &QTimer::timeout, this, &MarksLayer::settle);
  setGeometry(parent->rect());
}

void MarksLayer::setMarks(std::vector<Mark> marks) {
  m_marks = std::move(marks);
  m_places.clear();
  m_offsets.clear();
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
  if (m_offsets.size() != m_marks.size()) settle();
  update();
}

void MarksLayer::settle() {
  m_later.stop();
  if (m_marks.empty() || m_measuring || !isVisible()) return;
  m_places = placesNow();
  const QFont font = wordsFont();
  // Only what is near a mark is painted.
  QRect near;
  for (std::size_t i = 0; i < m_marks.size(); ++i) {
    if (!m_places[i] || m_marks[i].text.empty()) continue;
    const double x = kFarthestLabel + sizeOf(m_marks[i], font, room()).width();
    near |= m_places[i]->adjusted(-x, -kFarthestLabel, x, kFarthestLabel).toAlignedRect();
  }
  near &= rect();
  Clutter clutter;
  if (!near.isEmpty()) {
    QImage picture(near.size(), QImage::Format_RGB32);
    m_measuring = true;
    parentWidget()->render(&picture, QPoint(), near,
                           QWidget::DrawWindowBackground | QWidget::DrawChildren);
    m_measuring = false;
    clutter = Clutter(picture, near.topLeft());
  }
  const std::vector<QRectF> words = wordsOf(m_marks, m_places, room(), font, clutter, kept());
  std::vector<QPointF> offsets(m_marks.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (m_places[i]) offsets[i] = words[i].topLeft() - m_places[i]->center();
  if (offsets == m_offsets) return;
  m_offsets = std::move(offsets);
  update();
}

// Names, values, tabs and controls around the pictures: their letters stay readable. The letters of
// the pictures are found in their pixels.
std::vector<QRectF> MarksLayer::kept() const {
  constexpr int kControl = 60;  // pixels of height, of a painted one at most
  std::vector<QRectF> kept;
  const auto* panel = parentWidget()->findChild<LecturePanel*>();
  for (const QWidget* widget : parentWidget()->findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget == this) continue;
    if (panel != nullptr && panel->isAncestorOf(widget)) continue;
    const auto* label = qobject_cast<const QLabel*>(widget);
    const bool named = label != nullptr && !label->text().isEmpty();
    const bool control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                         qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
                         qobject_cast<const QLineEdit*>(widget) != nullptr ||
                         qobject_cast<const QTabBar*>(widget) != nullptr ||
                         (qobject_cast<const PaintedView*>(widget) != nullptr &&
                          widget->focusPolicy() != Qt::NoFocus && widget->height() <= kControl);
    if (!named && !control) continue;
    QRect seen = widget->visibleRegion().boundingRect();
    if (named) {  // a label may be wider than its text
      const QSize text = label->sizeHint().boundedTo(widget->size());
      seen &=
          QStyle::alignedRect(widget->layoutDirection(), label->alignment(), text, widget->rect());
    }
    if (!seen.isEmpty())
      kept.emplace_back(QRect(widget->mapTo(parentWidget(), seen.topLeft()), seen.size()));
  }
  return kept;
}

QFont MarksLayer::wordsFont() const {
  QFont font = this->font();
  font.setBold(true);
  return font;
}

// Labels do not cover the lecture's panel.
QRectF MarksLayer::room() const {
  constexpr double kMargin = 4;
  const auto* panel = parentWidget()->findChild<LecturePanel*>();
  const int left = panel != nullptr && panel->isVisible() ? panel->geometry().right() + 1 : 0;
  return QRectF(rect()).adjusted(left + kMargin, kMargin, -kMargin, -kMargin);
}

// The label keeps its offset while its mark moves.
QRectF MarksLayer::wordsAt(std::size_t mark) const {
  const QRectF all = room();
  const QSizeF size = sizeOf(m_marks[mark], wordsFont(), all);
  QRectF box(m_places[mark]->center() + m_offsets[mark], size);
  box.moveLeft(
      std::clamp(box.left(), all.left(), std::max(all.left(), all.right() - size.width())));
  box.moveTop(std::clamp(box.top(), all.top(), std::max(all.top(), all.bottom() - size.height())));
  return box;
}

std::vector<QRectF> MarksLayer::labels() const {
  std::vector<QRectF> boxes(m_marks.size());
  for (std::size_t i = 0; i < m_marks.size(); ++i)
    if (m_places[i] && !m_marks[i].text.empty()) boxes[i] = wordsAt(i);
  return boxes;
}

// Anything painted in the window may have moved. The overlay itself does not count.
bool MarksLayer::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parent() && event->type() == QEvent::Resize) {
    setGeometry(parentWidget()->rect());
    raise();
    emit roomChanged();
  }
  const bool something = !m_measuring && (!m_marks.empty() || !m_strokes.empty());
  if (something && event->type() == QEvent::Paint && watched != this && watched->isWidgetType() &&
      static_cast<QWidget*>(watched)->window() == window()) {
    m_soon.start();
    m_later.start();  // what the labels cover may have changed
  }
  return false;
}

void MarksLayer::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  m_later.start();
  emit roomChanged();
}

void MarksLayer::paintEvent(QPaintEvent* event) {
  if (m_measuring) return;
  // The views below are already at their new places when this event arrives.
  const auto places = std::exchange(m_places, placesNow());
  const auto ink = std::exchange(m_ink, inkNow());
  // Their old places have to be repainted, too.
  if ((places != m_places || ink != m_ink) && event->rect() != rect()) update();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < m_places.size() && i < m_offsets.size(); ++i)
    if (m_places[i])
      paintMark(painter, m_marks[i], *m_places[i], wordsAt(i), wordsFont(), palette());
  const Theme theme = Theme::of(palette());
  for (std::size_t i = 0; i < m_ink.size(); ++i) {
    QPainterPath path;
    path.addPolygon(m_ink[i]);
    // Ink on a single view stays on it at any zoom.
    const int sheet = m_strokes[i].front().sheet;
    const bool alone = std::ranges::all_of(
        m_strokes[i], [sheet](const InkPoint& at) { return at.sheet == sheet; });
    painter.setClipRect(alone ? m_sheet(sheet) : QRectF(rect()));
    drawEdged(painter, path, theme.trouble, theme.ground);
  }
  painter.setClipping(false);
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
