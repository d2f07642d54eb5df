// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/mark_picker.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>

#include "viz/base/theme.h"
#include "viz/lecture/mark_words.h"
#include "viz/lecture/marks_layer.h"

namespace tileloom {
namespace {

constexpr double kFar = 12, kNear = 1;  // pixels per arrow key
constexpr double kCross = 9;

}  // namespace

MarkPicker::MarkPicker(Find find, Place place, QWidget* parent)
    : QWidget(parent), m_find(std::move(find)), m_place(std::move(place)) {
  setObjectName(QStringLiteral("markPicker"));
  setAccessibleName(tr("Choose what the mark points at"));
  setAttribute(Qt::WA_NoSystemBackground);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::CrossCursor);
  hide();
  parent->installEventFilter(this);
}

void MarkPicker::start() {
  setGeometry(parentWidget()->rect());
  show();
  raise();
  activateWindow();
  setFocus();
  const QPointF mouse = mapFromGlobal(QCursor::pos());
  lookAt(QRectF(rect()).contains(mouse) ? mouse : QRectF(rect()).center());
}

void MarkPicker::cancel() {
  if (!picking()) return;
  hide();
  emit ended();
}

void MarkPicker::lookAt(const QPointF& pixel) {
  m_at = {std::clamp(pixel.x(), 0.0, width() - 1.0), std::clamp(pixel.y(), 0.0, height() - 1.0)};
  m_found = m_find(m_at);
  m_shown = 0;
  m_refusal.clear();
  update();
}

void MarkPicker::take(const MarkTarget& target) {
  hide();
  emit picked(target);
  emit ended();
}

void MarkPicker::pickAt(const QPointF& pixel) {
  lookAt(pixel);
  if (m_found.empty()) {
    m_refusal =
        tr("nothing here can be marked: choose something in the loom, the ladder, the tile panel "
           "or the page below");
    emit refused(m_refusal);
    return;
  }
  if (m_found.size() == 1 && m_found.front().thing != MarkTarget::Thing::Area)
    return take(MarkTarget(m_found.front()));
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("markTargets"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const bool areaAlone = m_found.size() == 1;
  if (areaAlone) {
    menu->addAction(tr("Nothing smaller can be marked here:"))->setEnabled(false);
    menu->addSeparator();
  }
  QAction* first = nullptr;
  uint number = 0;
  for (const MarkTarget& target : m_found) {
    QAction* entry = menu->addAction(targetName(target).replace(u'&', QLatin1String("&&")), this,
                                     [this, target] { take(target); });
    entry->setData(number++);
    if (first == nullptr) first = entry;
  }
  // An entry is shown in the window before it is chosen.
  connect(menu, &QMenu::hovered, this, [this](const QAction* entry) {
    m_shown = entry->data().isValid() ? entry->data().toUInt() : 0;
    update();
  });
  menu->popup(mapToGlobal(m_at.toPoint()));
  menu->setActiveAction(first);  // Enter takes it
}

bool MarkPicker::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parent() && event->type() == QEvent::Resize && picking())
    setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

// Its keys do not trigger shortcuts of the window.
bool MarkPicker::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    constexpr std::array kOurs = {Qt::Key_Escape, Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space,
                                  Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Up,    Qt::Key_Down};
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (std::ranges::find(kOurs, key) != kOurs.end()) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void MarkPicker::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!m_found.empty()) {
    Mark mark;
    mark.target = m_found[std::min(m_shown, m_found.size() - 1)];
    mark.text = targetName(mark.target).toStdString();
    QFont font = this->font();
    font.setBold(true);
    const std::optional<QRectF> place = m_place(mark.target);
    if (place) {
      const auto words = wordsOf({&mark, 1}, {&place, 1}, rect(), font, Clutter());
      paintMark(painter, mark, *place, words.front(), font, palette());
    }
  }
  const Theme theme = Theme::of(palette());
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [ink, width] : {std::pair(theme.ground, 5), std::pair(theme.accent, 2)}) {
    painter.setPen(QPen(ink, width));
    painter.drawLine(m_at - QPointF(kCross, 0), m_at + QPointF(kCross, 0));
    painter.drawLine(m_at - QPointF(0, kCross), m_at + QPointF(0, kCross));
  }
  // The instruction, at the upper edge.
  const QString words =
      !m_refusal.isEmpty()
          ? m_refusal
          : tr("Click what the mark points at, or use the arrow keys and Enter. Escape cancels.");
  const QRectF room = QRectF(rect()).adjusted(20, 8, -20, 0);
  const QRectF needed = painter.boundingRect(room, Qt::AlignHCenter | Qt::TextWordWrap, words);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.accent);
  painter.drawRoundedRect(needed.adjusted(-10, -4, 10, 4), 4, 4);
  painter.setPen(Theme::ink(theme.accent));
  painter.drawText(needed, Qt::AlignHCenter | Qt::TextWordWrap, words);
}

void MarkPicker::mouseMoveEvent(QMouseEvent* event) {
  lookAt(event->position());
}

void MarkPicker::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) pickAt(event->position());
}

void MarkPicker::keyPressEvent(QKeyEvent* event) {
  const double far = (event->modifiers() & Qt::ShiftModifier) != 0 ? kNear : kFar;
  switch (event->key()) {
    case Qt::Key_Escape:
      return cancel();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      return pickAt(m_at);
    case Qt::Key_Left:
      return lookAt(m_at - QPointF(far, 0));
    case Qt::Key_Right:
      return lookAt(m_at + QPointF(far, 0));
    case Qt::Key_Up:
      return lookAt(m_at - QPointF(0, far));
    case Qt::Key_Down:
      return lookAt(m_at + QPointF(0, far));
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace tileloom
