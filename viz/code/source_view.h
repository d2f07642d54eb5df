// SPDX-License-Identifier: GPL-3.0-or-later
// The whole source of the stage: a page that scrolls below fixed headings and follows the executing
// line. A click on a line asks for its next execution.
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
  // Scrolls so that as many of these lines as have room are seen, the first ones before the others,
  // and keeps them so until another line executes. None: it follows the executing line again.
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
  void showAgain();  // what is to be seen, where the room for it is another one

  SourcePage* m_page;
  QWidget* m_head;
  Scene m_scene;
  std::vector<int> m_kept;
  // The line that is to be seen as soon as there is room for it, and stays so until the person
  // scrolls; 0: none.
  int m_wanted = 0;
  bool m_opened = false;    // nothing has been looked at since the recording came
  bool m_scrolled = false;  // the person has, and sees that part of this source
  bool m_pending = false;   // the view is hidden and takes the scene when it is shown
};

}  // namespace tileloom
