// SPDX-License-Identifier: GPL-3.0-or-later
// A page is one view of the window: its name, its key, its widget, and what window, export,
// `render` and sessions want of it. They loop over the list of pages (app/session/pages.def) and
// know none by name.
//
// To add one, make a folder app/pages/NAME/ with a class derived from Page and its row, and add one
// line to app/session/pages.def. CONTRIBUTING.md goes through it step by step.
#pragma once

#include <QDate>
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
#include "viz/base/scene.h"
#include "viz/base/sheet.h"
#include "viz/lecture/mark.h"

class QCPPainter;
class QMenu;

namespace tileloom {

class Page;
class Comparison;
struct Services;
struct Session;

// What every page may look at and act upon; all of it outlives the pages.
struct PageContext {
  Services& services;
  Comparison& comparison;
};

// Where a page stands in the window.
enum class PagePlace { Loom, Below };

// What is known of a page without making it. Texts are marked for translation in the context
// "tileloom::Page".
struct PageRow {
  const char* id;        // "banks": for sessions, links, the command line and file names
  PagePlace place;       // one page alone is the loom
  const char* title;     // of its tab: "Memory access"
  const char* menu;      // of the View menu: "Memory access: sectors and ban&ks"; the loom has none
  int key;               // Qt::Key, perhaps with Qt::SHIFT, which shows it; 0: none
  const char* tip;       // of its tab, without the key: "Which banks the latest access touches"
  const char* exported;  // of the Export menu: "The &timeline…"
  std::unique_ptr<Page> (*make)(PageContext& context);

  bool hidesSourceStrip = false;      // the lines of source below the window make room for it
  bool hidesTimeStrip = false;        // the strip of the timeline under the loom would say it again
  bool saysWhatAPairTeaches = false;  // the line above the loom would say it again
  // While something is compared: the page shows both sides, or all rungs.
  bool showsBothSides = false;
  bool moves = false;  // another step is another picture: it can be animated
  // Otherwise, why it shows the present tile alone, as a sentence above it.
  const char* whyAlone = nullptr;
  bool exportsData = false;           // as CSV and JSON, too
  const char* earlierMenu = nullptr;  // `menu` of the version before, if it was another text
  int exportKey = 0;                  // Qt::Key with Ctrl and Shift that exports it; 0: none
  int pictureHeight = 1000;  // that `render` gives its picture where nobody asks for another one
  // A scene is all that this picture needs: no window has to be opened for it.
  std::optional<Picture::View> ofScene = std::nullopt;
};

// All pages: the loom, then those below it from left to right.
std::span<const PageRow* const> pageRows();
// nullptr: there is none of this name.
const PageRow* pageRow(std::string_view id);
QString pageTitle(const PageRow& row);

// How a view becomes a file.
struct ViewExport {
  QSizeF size;       // with the caption; 0: as on the screen, or as much as the view needs
  double scale = 2;  // pixels of a PNG for each of these
  std::optional<QDate> caption = std::nullopt;  // with this date in it
  bool text = false;                            // words of an SVG are text, see SvgSetup
  bool grows = false;                           // no height is wanted: the picture may be higher
  double captionRoom = 0;                       // the caption takes this at least
};

class Page : public QObject {
  Q_OBJECT
 public:
  Page(const PageRow& row, PageContext& context) : m_row(row), m_context(context) {}

  const PageRow& row() const { return m_row; }
  // Made by the page, owned by the window that it is put into.
  QWidget* widget() const { return m_widget; }

  // Whether this page's tab is in front. A page that is behind need not keep up to date; refresh()
  // is called when it comes to the front.
  bool inFront() const { return m_inFront; }
  void setInFront(bool inFront);

  // What the explorer shows has changed, or the baseline at the same instant has.
  virtual void showScene(const Scene&) {}
  virtual void showBaseline(const Scene&) {}

  // What it shows of a session, and its part of one.
  virtual void save(Session&) const {}
  virtual void restore(const Session&) {}

  // Entries of its own at the top of the View menu.
  virtual void addActions(QMenu&) {}
  // What a key that means "this view" gives the focus to.
  virtual QWidget* focusTarget() const { return m_widget; }
  // As it was when the window opened.
  virtual void resetView() {}
  // Pixels of height below the loom in which all of it is seen; 0: what it has is enough.
  virtual int heightWanted() const { return 0; }
  // Nothing flies or glides.
  virtual void setStill(bool) {}

  // Where something that a lecture points at stands, in pixels of widget(); std::nullopt: it is not
  // to be seen now.
  virtual std::optional<QRectF> placeOf(const MarkTarget&) const { return std::nullopt; }

  // The way back: what a mark could point at there, the most exact first.
  virtual std::vector<MarkTarget> targetsAt(const QPointF&) const { return {}; }

  // Scrolls to what a lecture points at on this page, where the page scrolls: the first before the
  // others, until the person moves on. Nothing: the page scrolls as it pleases again.
  virtual void reveal(std::span<const MarkTarget>) {}

  // While something is compared: whether the picture shows both sides, or all rungs.
  virtual bool showsBoth() const { return m_row.showsBothSides; }
  // The caption of its picture, from one that says rung, tile, size, instant and device: of both
  // sides while something is compared and the page shows both.
  virtual Caption caption(Caption usual) const { return usual; }
  // Brings up to date what may have been behind, before a picture is made; may turn the event loop.
  virtual void prepare() {}
  // Before a picture is made without a user: what moves by the clock goes to a fixed time.
  virtual void pose() {}
  // Pixels of a picture where nobody asks for a size; `screen` is what the page has in the window.
  virtual QSizeF naturalSize(const QSizeF& screen) const { return screen; }
  // Whether `render` leaves the picture's width and height to naturalSize() where nobody asks for
  // one: what is shown needs neither more nor less.
  virtual bool knowsWidth() const { return false; }
  virtual bool knowsHeight() const { return false; }
  // A narrower picture would cut something off; 0: any width does.
  virtual double leastWidth() const { return 0; }
  // A lower picture of this width would lose something; 0: any height does.
  virtual double leastHeight(double /*width*/, const QFont& /*font*/) const { return 0; }
  // Empty, or a sentence on why this page has nothing to show of the kernel in the window: its tab
  // is grey then, and says so.
  virtual QString whyNothing() const { return {}; }

  // Empty, or a sentence on why there is nothing to write into this file: by default whyNothing().
  virtual QString whyEmpty(const QString& file) const;
  // Paints the picture into (0, 0, sheet.size).
  virtual void paintTo(QCPPainter& painter, const Sheet& sheet) const = 0;
  // Writes the picture, or the data if row().exportsData. `asOnScreen`: nobody asked for a height,
  // and a list stands where it is scrolled to in the window. Empty, or one sentence on why it was
  // not written.
  virtual QString write(const QString& file, const Sheet& sheet, bool asOnScreen) const;

 protected:
  // The page has come to the front, or gone behind.
  virtual void cameToFront() {}
  virtual void leftFront() {}
  // Makes the widget show what is known now.
  virtual void refresh() {}
  // From now on refresh() is called whenever a speed, a kernel, a roof, a launch's totals or the
  // choice of tile is another one, and cameToFront() when the worker's state is: while in front.
  void refreshWithFigures();
  // For prepare(): refresh(), with the totals of all rungs that it asks for; turns the event loop.
  void refreshWithAllTotals();

  // With a line above it that says why the baseline is not shown, where the row has one.
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

// A page whose row says `ofScene`: its picture needs the scene alone, and is painted from it; while
// something is compared, beside that of the baseline.
class ScenePage : public Page {
 public:
  // `letters` and `lines`: what one side of its picture needs at least.
  ScenePage(const PageRow& row, PageContext& context, int letters, int lines)
      : Page(row, context), m_letters(letters), m_lines(lines) {}
  double leastHeight(double width, const QFont& font) const override;
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override;

 protected:
  // As it is on the screen.
  virtual Picture picture(bool baseline) const = 0;

 private:
  int m_letters, m_lines;
};

// For PageRow::make: `row` is the function that gives the row.
template <class P, const PageRow& (*row)()>
std::unique_ptr<Page> makePage(PageContext& context) {
  return std::make_unique<P>(row(), context);
}

// A rectangle of a widget inside of `whole`, in pixels of `whole`.
QRectF within(const QWidget& whole, const QWidget& inner, const QRectF& place);

// In a scroll area: pages keep the room that their words need, which large text may not leave them.
QWidget* scrolled(QWidget* content);

}  // namespace tileloom
