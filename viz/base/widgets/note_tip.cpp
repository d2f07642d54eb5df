// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/widgets/note_tip.h"

#include <QApplication>
#include <QEvent>
#include <QScreen>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QStylePainter>
#include <QToolTip>
#include <algorithm>

namespace tileloom {

NoteTip::NoteTip(QWidget& owner)
    : QLabel(&owner, Qt::ToolTip | Qt::BypassGraphicsProxyWidget | Qt::WindowTransparentForInput) {
  setTextFormat(Qt::RichText);
  setWordWrap(true);
  setForegroundRole(QPalette::ToolTipText);
  setBackgroundRole(QPalette::ToolTipBase);
  setAttribute(Qt::WA_ShowWithoutActivating);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFrameStyle(QFrame::NoFrame);
  setAlignment(Qt::AlignLeft);
}

void NoteTip::showBeside(const QPoint& global, const QString& html, QWidget& owner) {
  QToolTip::hideText();
  auto* tip = owner.findChild<NoteTip*>(QString(), Qt::FindDirectChildrenOnly);
  if (tip == nullptr) tip = new NoteTip(owner);
  tip->showAt(global, html);
}

void NoteTip::showAt(const QPoint& global, const QString& html) {
  setFont(QToolTip::font());
  setPalette(QToolTip::palette());
  ensurePolished();
  setMargin(1 + style()->pixelMetric(QStyle::PM_ToolTipLabelFrameWidth, nullptr, this));
  setText(html);
  resize(sizeHint());
  // Beside the pointer, because nothing is readable below it, and on the screen.
  const QPoint beside(2, QFontMetrics(font()).height() + 4);
  const QScreen* screen = QGuiApplication::screenAt(global);
  QPoint at = global + beside;
  if (screen != nullptr) {
    const QRect room = screen->geometry();
    if (at.y() + height() > room.bottom()) at.setY(global.y() - height() - 4);
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())));
    at.setY(std::max(at.y(), room.top()));
  }
  move(at);
  if (!isVisible()) qApp->installEventFilter(this);
  setVisible(true);
}

bool NoteTip::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Leave:
      if (watched == this) break;
      [[fallthrough]];
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::WindowDeactivate:
    case QEvent::FocusOut:
      qApp->removeEventFilter(this);
      hide();
      break;
    default:
      break;
  }
  return false;
}

void NoteTip::paintEvent(QPaintEvent* event) {
  QStylePainter painter(this);
  QStyleOptionFrame option;
  option.initFrom(this);
  painter.drawPrimitive(QStyle::PE_PanelTipLabel, option);
  painter.end();
  QLabel::paintEvent(event);
}

}  // namespace tileloom
