// SPDX-License-Identifier: GPL-3.0-or-later
// The whole source of the stage: a page that scrolls below fixed headings and follows the executing
// line. A click on a line goes to its next execution.
#pragma once

#include <QScrollArea>
#include <vector>

#include "viz/code/source_page.h"

namespace tileloom {

class SourceView : public QScrollArea {
  Q_OBJECT
 public:
  explicit SourceView(QWidget* parent = nullptr);
  void setScene(const Scene& scene);
  void setStalls(std::shared_ptr<const StallFacts> stalls);
  SourcePage* page() const { return m_page; }
  // Keeps as many of these lines visible as fit, the first ones first, until another line executes.
  // Empty: it follows the executing line again.
  void keepInSight(std::vector<int> lines);

 signals:
  void lineAsked(int line);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void open();
  void follow(int line);
  void reveal(int line);
  void showWanted();
  void showKept();
  void showAgain();  // after the size has changed

  SourcePage* m_page;
  QWidget* m_head;
  Scene m_scene;
  std::vector<int> m_kept;
  // The line to keep visible, as soon as there is room for it, until the user scrolls; 0: none.
  int m_wanted = 0;
  bool m_opened = false;    // the view has not moved since the recording came
  bool m_scrolled = false;  // the user has scrolled this source
  bool m_pending = false;   // the view is hidden and applies the scene when it is shown
};

}  // namespace tileloom
