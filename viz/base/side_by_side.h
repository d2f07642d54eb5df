// SPDX-License-Identifier: GPL-3.0-or-later
// One view alone, or beside the same view of the baseline, each under its name.
#pragma once

#include <QWidget>

class QLabel;

namespace tileloom {

class SideBySide : public QWidget {
  Q_OBJECT
 public:
  // Takes both; the baseline stands on the left and is hidden until there is one.
  SideBySide(QWidget* baseline, QWidget* now, QWidget* parent = nullptr);

  // What stands above the two; empty: the present view is alone and has no name.
  void setTitles(const QString& baseline, const QString& now);
  // Beside the names, where the two stand at different steps: which; empty: they stand at the same.
  void setMoments(const QString& baseline, const QString& now);
  bool comparing() const { return m_comparing; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void restyle();
  void shareWidth();

  QWidget* m_left;
  QWidget* m_views[2];
  QLabel* m_baselineTitle;
  QLabel* m_nowTitle;
  QLabel* m_baselineMoment;
  QLabel* m_nowMoment;
  bool m_comparing = false;
};

}  // namespace tileloom
