// SPDX-License-Identifier: GPL-3.0-or-later
// A page is one view of the window: its name, its key, its widget, and what the window, exports,
// `render` and sessions need from it. They loop over the list of pages (app/session/pages.def) and
// name none of them.
//
// To add one, make a folder app/pages/NAME/ with a class derived from Page and its row, and add one
// line to app/session/pages.def. CONTRIBUTING.md describes it step by step.
#pragma once

#include <QDate>
#include <QKeyCombination>
#include <QKeySequence>
#include <QObject>
#include <QPointer>
#include <QSizeF>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/export/export.h"
#include "kernels/tile/placement.h"
#include "viz/base/paint/sheet.h"
#include "viz/base/scene.h"
#include "viz/lecture/mark.h"

class QCPPainter;
class QMenu;

namespace tileloom {

class Page;
class Comparison;
struct Services;
struct Session;

// What every page may read and change; all of it outlives the pages.
struct PageContext {
  Services& services;
  Comparison& comparison;
};

// The place of a page in the window.
enum class PagePlace { Loom, Below };

// What is known of a page without making it. Texts are marked for translation in the context
// "tileloom::Page".
struct PageRow {
  const char* id;     // "banks": for sessions, links, the command line and file names
  PagePlace place;    // one page alone is the loom
  const char* title;  // of its tab: "Memory access"
  const char* menu;   // of the View menu: "Memory access: sectors and ban&ks"; the loom has none
  // That shows it: Qt::Key_B, or Qt::SHIFT | Qt::Key_B. The loom has none.
  std::optional<QKeyCombination> key;
  const char* tip;       // of its tab, without the key: "Which banks the latest access touches"
  const char* exported;  // of the Export menu: "The &timeline…"
  std::unique_ptr<Page> (*make)(PageContext& context);

  bool hidesSourceStrip = false;      // the source strip below the window gives way to it
  bool hidesTimeStrip = false;        // the strip of the timeline under the loom would repeat it
  bool saysWhatAPairTeaches = false;  // the line above the loom would repeat it
  // During a comparison: the page shows both sides, or all rungs.
  bool showsBothSides = false;
  bool moves = false;  // another step changes the picture: it can be animated
  // Otherwise: why it shows the present tile alone, as a sentence above it.
  const char* whyAlone = nullptr;
  bool exportsData = false;  // also as CSV and JSON
  const char* earlierMenu =
      nullptr;  // `menu` of an earlier version, if it was another text: saved shortcuts name it
  int exportKey = 0;         // Qt::Key with Ctrl and Shift that exports it; 0: none
  int pictureHeight = 1000;  // of the picture that `render` makes by default
  // Where the picture needs only a scene: `render` opens no window for it.
  ScenePainter paintScene = nullptr;
};

// All pages: the loom, then those below it from left to right.
std::span<const PageRow* const> pageRows();
// nullptr: there is no page of this name.
const PageRow* pageRow(std::string_view id);
QString pageTitle(const PageRow& row);
// The key that shows it, until the user changes it; empty: none.
QKeySequence keyOf(const PageRow& row);

// How a view becomes a file.
struct ViewExport {
  QSizeF size;       // with the caption; 0: as on the screen, or as large as the view needs
  double scale = 2;  // pixels of a PNG for each of these
  std::optional<QDate> caption = std::nullopt;  // the date in the caption
  bool text = false;                            // words of an SVG are text, see SvgSetup
  bool grows = false;                           // no height was given: the picture may be higher
  double captionRoom = 0;                       // the caption takes at least this height
};

class Page : public QObject {
  Q_OBJECT
 public:
  Page(const PageRow& row, PageContext& context) : m_row(row), m_context(context) {}

  const PageRow& row() const { return m_row; }
  // Made by the page, owned by the window that shows it.
  QWidget* widget() const { return m_widget; }

  // Whether this page's tab is in front. A hidden page need not keep up to date; refresh() is
  // called when it comes to the front.
  bool inFront() const { return m_inFront; }
  void setInFront(bool inFront);

  // The explorer shows something else, or the baseline at the same instant does.
  virtual void showScene(const Scene&) {}
  virtual void showBaseline(const Scene&) {}

  // Writes and reads its part of a session.
  virtual void save(Session&) const {}
  virtual void restore(const Session&) {}

  // Its own entries at the top of the View menu.
  virtual void addActions(QMenu&) {}
  // The widget that gets the focus from a key that means "this view".
  virtual QWidget* focusTarget() const { return m_widget; }
  // Returns to the view with which the window opened.
  virtual void resetView() {}
  // Height below the loom, in pixels, at which the page shows everything; 0: any height.
  virtual int heightWanted() const { return 0; }
  // Turns animations off.
  virtual void setStill(bool) {}

  // Where a target of a lecture's mark is, in pixels of widget(); std::nullopt: it is not visible
  // now.
  virtual std::optional<QRectF> placeOf(const MarkTarget&) const { return std::nullopt; }

  // The reverse: what a mark could point at there, the most exact first.
  virtual std::vector<MarkTarget> targetsAt(const QPointF&) const { return {}; }

  // Scrolls to these targets of a lecture where the page scrolls, the first taking precedence,
  // until the user scrolls. Empty: the page scrolls freely again.
  virtual void reveal(std::span<const MarkTarget>) {}

  // During a comparison: whether the picture shows both sides, or all rungs.
  virtual bool showsBoth() const { return m_row.showsBothSides; }
  // The caption of its picture, made from one with rung, tile, size, instant and device: of both
  // sides during a comparison if the page shows both.
  virtual Caption caption(Caption usual) const { return usual; }
  // Brings a hidden page up to date before a picture is made; may run the event loop.
  virtual void prepare() {}
  // Before a picture is made without a user: animations go to a fixed time.
  virtual void pose() {}
  // Pixels of a picture without a given size; `screen` is the size of the page in the window.
  virtual QSizeF naturalSize(const QSizeF& screen) const { return screen; }
  // Whether `render` leaves the picture's width and height to naturalSize() unless they are given.
  virtual bool knowsWidth() const { return false; }
  virtual bool knowsHeight() const { return false; }
  // A narrower picture would cut something off; 0: any width is enough.
  virtual double leastWidth() const { return 0; }
  // A lower picture of this width would lose something; 0: any height is enough.
  virtual double leastHeight(double /*width*/, const QFont& /*font*/) const { return 0; }
  // Empty, or a sentence on why this page has nothing to show of the present kernel: its tab is
  // grey then, with this tool tip.
  virtual QString whyNothing() const { return {}; }

  // Empty, or a sentence on why there is nothing to write into this file: by default whyNothing().
  virtual QString whyEmpty(const QString& file) const;
  // Paints the picture into (0, 0, sheet.size).
  virtual void paintTo(QCPPainter& painter, const Sheet& sheet) const = 0;
  // Writes the picture, or the data if row().exportsData. `asOnScreen`: no height was given, and a
  // list is scrolled as in the window. Empty, or one sentence on why it was not written.
  virtual QString write(const QString& file, const Sheet& sheet, bool asOnScreen) const;

 protected:
  // The page has come to the front, or has left it.
  virtual void cameToFront() {}
  virtual void leftFront() {}
  // Makes the widget show the present data.
  virtual void refresh() {}
  // From now on, while in front, refresh() is called when a speed, a kernel, a roof, the totals of
  // a launch or the choice of tile changes, and cameToFront() when the worker's state does.
  void refreshWithFigures();
  // For prepare(): refresh(), with the totals of all rungs that it requests; runs the event loop.
  void refreshWithAllTotals();

  // Adds a line above it that says why the baseline is not shown, if the row has one.
  void setWidget(QWidget* widget);
  Services& services() const { return m_context.services; }
  Comparison& comparison() const { return m_context.comparison; }
  PageContext& context() const { return m_context; }

 private:
  const PageRow& m_row;
  PageContext& m_context;
  QPointer<QWidget> m_widget;
  bool m_inFront = false;
};

// For PageRow::make: `row` is the function that returns the row.
template <class P, const PageRow& (*row)()>
std::unique_ptr<Page> makePage(PageContext& context) {
  return std::make_unique<P>(row(), context);
}

// The page of this id among these; nullptr: none has it.
Page* pageOf(const std::vector<std::unique_ptr<Page>>& pages, std::string_view id);

// A rectangle of a widget inside `whole`, in pixels of `whole`.
QRectF within(const QWidget& whole, const QWidget& inner, const QRectF& place);

// In a scroll area: with large text a page may need more room than it has.
QWidget* scrolled(QWidget* content);

}  // namespace tileloom
