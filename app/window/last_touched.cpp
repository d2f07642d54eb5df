// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/last_touched.h"

#include <QApplication>
#include <QMouseEvent>

#include "app/pages/page.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/window.h"

namespace tileloom {
namespace {

bool isIn(const QWidget& widget, const QWidget* part) {
  return part != nullptr && (&widget == part || part->isAncestorOf(&widget));
}

// The focus goes to a part of the window by a key, and not back to where it was before.
bool movesTo(Qt::FocusReason reason) {
  return reason != Qt::MouseFocusReason && reason != Qt::ActiveWindowFocusReason &&
         reason != Qt::PopupFocusReason && reason != Qt::MenuBarFocusReason;
}

}  // namespace

LastTouched::LastTouched(Window& window) : QObject(&window.frame()), m_window(window) {
  qApp->installEventFilter(this);
}

const LastTouched& LastTouched::of(const Window& window) {
  return *window.view<LastTouched>();
}

QWidget* LastTouched::widget() const {
  return m_widget && m_widget->isVisible() ? m_widget.data() : nullptr;
}

Page& LastTouched::page() const {
  const bool below =
      m_below && m_tabs != nullptr && !m_tabs->isHidden() && !m_window.middle().folded();
  return below ? *m_window.page(m_window.currentPage()) : *m_window.pages().front();
}

void LastTouched::touch(QWidget& widget) {
  m_widget = &widget;
  if (isIn(widget, m_tabs)) m_below = true;
  if (isIn(widget, m_window.pages().front()->widget())) m_below = false;
}

bool LastTouched::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type != QEvent::MouseButtonPress && type != QEvent::FocusIn && type != QEvent::Show)
    return false;
  if (!watched->isWidgetType()) return false;
  auto& widget = static_cast<QWidget&>(*watched);
  if (widget.window() != &m_window.frame()) return false;
  if (type == QEvent::MouseButtonPress) {
    // A press that a child ignores comes again for its parents.
    const QPoint at = static_cast<QMouseEvent*>(event)->globalPosition().toPoint();
    QWidget* exact = m_window.frame().childAt(m_window.frame().mapFromGlobal(at));
    touch(exact != nullptr && widget.isAncestorOf(exact) ? *exact : widget);
  } else if (type == QEvent::FocusIn) {
    if (movesTo(static_cast<QFocusEvent*>(event)->reason())) touch(widget);
  } else if (m_tabs == nullptr) {
    // What the window shows at first was not chosen.
    if (&widget == &m_window.frame()) m_tabs = m_window.view<PageTabs>();
  } else if (&widget == m_tabs->currentWidget()) {
    touch(widget);  // another page came to the front, by its tab, a key or the menu
  }
  return false;
}

}  // namespace tileloom
