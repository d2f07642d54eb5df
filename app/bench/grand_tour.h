// SPDX-License-Identifier: GPL-3.0-or-later
// Leads the window through everything that it can hold: every rung with two of its tiles, sizes of
// the problem, every page, baselines that come and go. It counts the recordings that are still
// there.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "app/window/main_window.h"

namespace tileloom::app {

class GrandTour : public QObject {
  Q_OBJECT
 public:
  explicit GrandTour(MainWindow& window);

  int stops() const;  // of a round
  // Goes there and waits until the window shows it. In another round the rung has another page.
  void visit(int round, int stop);
  void visitAll(int round);
  // Waits until the window shows the recording of what is chosen.
  void settle();

  // Of everything that the window has shown since this tour was made.
  int recordingsMade() const { return m_made; }
  int recordingsAlive();

 private:
  void note(const Scene& scene);

  MainWindow& m_window;
  std::vector<std::weak_ptr<const analysis::Recording>> m_seen;
  int m_made = 0;
};

}  // namespace tileloom::app
