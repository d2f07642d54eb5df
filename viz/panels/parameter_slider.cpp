// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/parameter_slider.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/marks.h"
#include "viz/base/widgets/note_tip.h"

namespace tileloom {
namespace {

// Pixels between labels: in large text, too, two numbers do not look like one.
double labelGap(const QFontMetricsF& metrics) {
  return std::max(3.0, 0.5 * metrics.horizontalAdvance(QLatin1Char('0')));
}

// Tile parameters are powers of two or near them: equal ratios get equal distances.
double scaleOf(int value) {
  return std::log2(static_cast<double>(std::max(1, value)));
}

}  // namespace

ParameterSlider::ParameterSlider(QWidget* parent) : PaintedView(parent) {
  setFocusPolicy(Qt::TabFocus);  // a drag changes the parameter without taking the keys for playing
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ParameterSlider::setMarks(std::vector<Mark> marks, int value, bool blamed) {
  // Most sliders do not change when another one is moved.
  if (marks == m_marks && value == m_value && blamed == m_blamed) return;
  m_blamed = blamed;
  if (marks != m_marks) {
    m_marks = std::move(marks);
    updateGeometry();
  }
  m_value = value;
  setAccessibleDescription(tr("value %1").arg(value));
  update();
}

void ParameterSlider::setCliffs(std::vector<Cliff> cliffs) {
  if (cliffs == m_cliffs) return;
  m_cliffs = std::move(cliffs);
  update();
}

bool ParameterSlider::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Mark* mark = markAt(help->pos().x());
    for (const Cliff& cliff : m_cliffs) {
      if (mark == nullptr || cliff.value != mark->value) continue;
      QToolTip::showText(help->globalPos(), tr("at %1, %2").arg(cliff.value).arg(cliff.words),
                         this);
      return true;
    }
    if (m_explain) {
      NoteTip::showBeside(help->globalPos(), m_explain(), *this);
      return true;
    }
  }
  return PaintedView::event(event);
}

// A flag above each value where an SM gains or loses warps: a triangle for the direction, and the
// new number of warps. Flags that are close together have shorter words, and those without room
// appear only in tool tips.
std::vector<ParameterSlider::Flag> ParameterSlider::flags() const {
  const QFontMetricsF metrics(m_fonts.small);
  const double side = metrics.height() * 0.17;
  std::vector<const Cliff*> order;
  for (const Cliff& cliff : m_cliffs) order.push_back(&cliff);
  std::ranges::stable_sort(order, {}, [this](const Cliff* cliff) {
    return std::abs(scaleOf(cliff->value) - scaleOf(m_value));
  });
  std::vector<Flag> placed;
  for (int words = 0; words < 4; ++words) {
    placed.clear();
    bool all = true;
    for (const Cliff* cliff : order) {
      const QString change = tr("%1 → %2").arg(cliff->now).arg(cliff->warps);
      const QString label = words == 0   ? tr("%1 warps per SM").arg(change)
                            : words == 1 ? tr("%1 warps").arg(change)
                            : words == 2 ? change
                                         : QString::number(cliff->warps);
      const double x = positionOf(cliff->value),
                   reach = 2 * side + metrics.horizontalAdvance(label);
      const bool before = x + reach > width();
      const Flag flag{cliff, label, x, before ? x - reach : x - side, before ? x + side : x + reach,
                      before};
      const bool free = flag.left >= 0 && std::ranges::none_of(placed, [&](const Flag& other) {
                          return flag.left < other.end + side && other.left < flag.end + side;
                        });
      if (free) placed.push_back(flag);
      all = all && free;
    }
    if (all) break;
  }
  return placed;
}

void ParameterSlider::paintCliffs(QPainter& p, double y) const {
  const QFontMetricsF metrics(m_fonts.small);
  const double side = metrics.height() * 0.17;
  const double base = y - metrics.height() * 0.87;  // its descent is above the handle
  p.setFont(m_fonts.small);
  for (const Flag& flag : flags()) {
    const bool fewer = flag.cliff->fewer;
    QPolygonF triangle;
    triangle << QPointF(flag.x - side, base + (fewer ? -side : side))
             << QPointF(flag.x + side, base + (fewer ? -side : side))
             << QPointF(flag.x, base + (fewer ? side : -side));
    p.setPen(Qt::NoPen);
    p.setBrush(fewer ? m_theme.trouble : m_theme.good);
    p.drawPolygon(triangle);
    p.setPen(fewer ? m_theme.trouble : m_theme.good);
    const QRectF room(
        QPointF(flag.before ? flag.left : flag.x + 2 * side, base - metrics.height() / 2),
        QPointF(flag.before ? flag.x - 2 * side : flag.end + 1, base + metrics.height() / 2));
    p.drawText(room, Qt::AlignVCenter | (flag.before ? Qt::AlignRight : Qt::AlignLeft), flag.label);
  }
}

QSize ParameterSlider::sizeHint() const {
  const QSize least = minimumSizeHint();
  return {std::max(190, least.width()), least.height()};
}
// Room for both ends and the present value.
QSize ParameterSlider::minimumSizeHint() const {
  const QFontMetricsF metrics(m_fonts.small);
  double label = 0;
  for (const Mark& mark : m_marks)
    label = std::max(label, metrics.horizontalAdvance(QString::number(mark.value)));
  const double least = 3 * label + 4 * labelGap(metrics);
  return {std::max(60, static_cast<int>(std::ceil(least))),
          static_cast<int>(metrics.height() * 2.6)};
}

double ParameterSlider::positionOf(int value) const {
  const double margin = QFontMetricsF(m_fonts.small).height() * 0.7;
  if (m_marks.empty()) return margin;
  const double low = scaleOf(m_marks.front().value), high = scaleOf(m_marks.back().value);
  const double room = width() - 2 * margin;
  if (high - low < 1e-9) return margin + room / 2;
  const double share = std::clamp((scaleOf(value) - low) / (high - low), 0.0, 1.0);
  return margin + share * room;
}

int ParameterSlider::nearestLegal(double x) const {
  int best = m_value;
  double distance = 1e9;
  for (const Mark& mark : m_marks) {
    const double d = std::abs(positionOf(mark.value) - x);
    if (mark.legal && d < distance) {
      distance = d;
      best = mark.value;
    }
  }
  return best;
}

const ParameterSlider::Mark* ParameterSlider::markAt(double x) const {
  const Mark* best = nullptr;
  double distance = 7.0;
  for (const Mark& mark : m_marks) {
    const double d = std::abs(positionOf(mark.value) - x);
    if (d < distance) {
      distance = d;
      best = &mark;
    }
  }
  return best;
}

void ParameterSlider::take(int value) {
  if (value == m_value) return;
  m_value = value;
  update();
  emit moved(value);
}

void ParameterSlider::step(int direction) {
  if (direction > 0) {
    for (const Mark& mark : m_marks) {
      if (mark.legal && mark.value > m_value) return take(mark.value);
    }
  } else {
    for (auto mark = m_marks.rbegin(); mark != m_marks.rend(); ++mark) {
      if (mark->legal && mark->value < m_value) return take(mark->value);
    }
  }
}

std::vector<ParameterSlider::Label> ParameterSlider::labels() const {
  const QFontMetricsF metrics(m_fonts.small);
  const double top = metrics.height() * 1.61, gap = labelGap(metrics);
  std::vector<const Mark*> order;
  for (const Mark& mark : m_marks) order.push_back(&mark);
  // The present value and the ends show the range; then legal values, if they fit.
  std::stable_sort(order.begin(), order.end(), [this](const Mark* a, const Mark* b) {
    const auto rank = [this](const Mark* m) {
      const bool power = (m->value & (m->value - 1)) == 0;
      const bool end = m == &m_marks.front() || m == &m_marks.back();
      return m->value == m_value ? 0 : end ? 1 : m->legal ? (power ? 2 : 3) : 4;
    };
    return rank(a) < rank(b);
  });
  std::vector<Label> labels;
  for (const Mark* mark : order) {
    const double w = metrics.horizontalAdvance(QString::number(mark->value));
    QRectF room(positionOf(mark->value) - w / 2, top, w, metrics.height());
    room.moveLeft(std::clamp(room.left(), 0.0, std::max(0.0, width() - w)));
    const QRectF wide = room.adjusted(-gap, 0, gap, 0);
    const bool free = std::none_of(labels.begin(), labels.end(),
                                   [&](const Label& l) { return l.room.intersects(wide); });
    if (free) labels.push_back({mark, room});
  }
  return labels;
}

void ParameterSlider::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(m_fonts.small);
  const double y = metrics.height() * 1.21;
  const double small = metrics.height() * 0.15, large = metrics.height() * 0.40;
  p.setPen(QPen(m_theme.line, 2.0, Qt::SolidLine, Qt::RoundCap));
  if (!m_marks.empty()) {
    p.drawLine(QPointF(positionOf(m_marks.front().value), y),
               QPointF(positionOf(m_marks.back().value), y));
  }
  for (const Mark& mark : m_marks) {
    const double x = positionOf(mark.value);
    if (mark.legal) {
      p.setPen(Qt::NoPen);
      p.setBrush(m_theme.soft);
      p.drawEllipse(QPointF(x, y), small, small);
    } else {
      p.setPen(QPen(m_theme.faint, 1.2));
      p.setBrush(m_theme.panel);
      p.drawRect(QRectF(x - small, y - small, 2 * small, 2 * small));
    }
  }
  p.setFont(m_fonts.small);
  for (const auto& [mark, room] : labels()) {
    p.setPen(mark->value == m_value ? m_theme.text : mark->legal ? m_theme.soft : m_theme.faint);
    p.drawText(room, Qt::AlignCenter, QString::number(mark->value));
  }
  paintCliffs(p, y);
  const QPointF at(positionOf(m_value), y);
  if (hasFocus()) {
    p.setPen(QPen(m_theme.soft, 1.5));
    p.setBrush(Qt::NoBrush);
    p.drawEllipse(at, large + 3, large + 3);
  }
  if (!m_blamed) {
    p.setPen(Qt::NoPen);
    p.setBrush(m_theme.accent);
    p.drawEllipse(at, large, large);
  } else {
    const QRectF handle(at.x() - large, at.y() - large, 2 * large, 2 * large);
    figures::fillTrouble(p, handle, m_theme);
    p.setPen(QPen(m_theme.trouble, 2.0));
    p.setBrush(Qt::NoBrush);
    p.drawRect(handle);
  }
}

void ParameterSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_dragged = false;
}

void ParameterSlider::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) == 0) return;
  m_dragged = true;
  take(nearestLegal(event->position().x()));
}

void ParameterSlider::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || m_dragged) return;
  // A click on an illegal mark selects it, so that the panel says why it is illegal.
  const Mark* mark = markAt(event->position().x());
  take(mark != nullptr ? mark->value : nearestLegal(event->position().x()));
}

void ParameterSlider::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
      return step(1);
    case Qt::Key_Left:
    case Qt::Key_Down:
      return step(-1);
    case Qt::Key_Home:
      for (int i = 0, last = -1; last != m_value && i < 1000; ++i) {
        last = m_value;
        step(-1);
      }
      return;
    case Qt::Key_End:
      for (int i = 0, last = -1; last != m_value && i < 1000; ++i) {
        last = m_value;
        step(1);
      }
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void ParameterSlider::wheelEvent(QWheelEvent* event) {
  // Only with focus: scrolling the panel must not change parameters.
  if (!hasFocus()) return event->ignore();
  m_wheel += event->angleDelta().y();
  for (; m_wheel >= 120; m_wheel -= 120) step(1);
  for (; m_wheel <= -120; m_wheel += 120) step(-1);
  event->accept();
}

}  // namespace tileloom
