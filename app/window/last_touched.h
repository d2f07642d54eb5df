// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window that the user clicked, turned to or moved to last: what F1 explains and
// what "This view" exports. Many pages take no keyboard focus, so the focus alone does not say.
#pragma once

#include <QObject>
#include <QPointer>

namespace tileloom {

class Window;
class Page;
class PageTabs;

class LastTouched : public QObject {
  Q_OBJECT
 public:
  // A child of the window.
  explicit LastTouched(Window& window);
  static const LastTouched& of(const Window& window);

  // The widget that was clicked or focused last; nullptr: none, or it is hidden now.
  QWidget* widget() const;
  // The page below the loom if the user turned to it, clicked it or gave it the focus last, and it
  // is in view; else the loom.
  Page& page() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void touch(QWidget& widget);

  Window& m_window;
  QPointer<QWidget> m_widget;
  QPointer<PageTabs> m_tabs;  // nullptr: the window was never shown
  bool m_below = false;
};

}  // namespace tileloom
