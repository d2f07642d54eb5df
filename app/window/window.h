// SPDX-License-Identifier: GPL-3.0-or-later
// The window, as its parts see it: lecture, layouts, sessions, export and menus use this, and only
// the program that opens a window includes main_window.h.
#pragma once

#include <QMainWindow>
#include <memory>
#include <string_view>
#include <vector>

#include "app/pages/page.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "app/window/frame/view_in.h"

namespace tileloom {

class Comparison;
class Layouts;
class LectureMenu;
class LectureMode;
class LoomAndPages;
class SessionFiles;
class Sight;

class Window {
 public:
  // Its widget: the parent of dialogs, and what a picture of the window shows.
  virtual QMainWindow& frame() = 0;
  virtual const QMainWindow& frame() const = 0;
  virtual QSize usualSize() const = 0;

  virtual Services& services() = 0;
  virtual const Services& services() const = 0;
  virtual Comparison& comparison() = 0;
  virtual const Comparison& comparison() const = 0;

  // Its parts. The first page is the loom, then come those below it from left to right.
  virtual const std::vector<std::unique_ptr<Page>>& pages() const = 0;
  virtual LoomAndPages& middle() = 0;
  virtual const LoomAndPages& middle() const = 0;
  virtual Sight& sight() = 0;
  virtual Layouts& layouts() = 0;
  virtual LectureMode& lecture() = 0;
  virtual LectureMenu& lectureMenu() = 0;
  virtual SessionFiles& sessions() = 0;

  virtual Session session() const = 0;
  virtual void restore(const Session& session) = 0;
  // Undo ends at the present state.
  virtual void beginUndoHere() = 0;

  // Menus, tabs, transport and status bar; a presentation hides them.
  virtual void showBars(bool shown) = 0;
  // Everything but the loom with its strip of time, the panels beside it and the transport bar.
  virtual void showSurroundings(bool shown) = 0;
  // Shows a message in the status bar for a few seconds.
  virtual void say(const QString& message) = 0;

  Explorer& explorer() { return services().explorer; }
  Lab& lab() { return services().lab; }
  // nullptr: no page has this id.
  Page* page(std::string_view id) const;
  void showPage(std::string_view id);  // see LoomAndPages
  std::string_view currentPage() const;
  // The window's one widget of this class, such as view<LoomView>(), or that of the baseline.
  template <class T>
  T* view() const {
    return viewIn<T>(frame());
  }
  template <class T>
  T* baselineView() const {
    return viewIn<T>(frame(), true);
  }

 protected:
  ~Window() = default;
};

}  // namespace tileloom
