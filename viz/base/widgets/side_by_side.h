// SPDX-License-Identifier: GPL-3.0-or-later
// Shows one view alone, or beside the same view of the baseline, each under its name. In a narrow
// window the baseline may be above.
#pragma once

#include <QWidget>
#include <utility>

class QLabel;
class QSplitter;

namespace tileloom {

class SideBySide : public QWidget {
  Q_OBJECT
 public:
  // Owns both. The baseline is on the left and hidden until there is one.
  SideBySide(QWidget* baseline, QWidget* now, QWidget* parent = nullptr);

  // Names above the two; empty: the present view is alone and has no name.
  void setTitles(const QString& baseline, const QString& now);
  // The steps of both sides, shown beside the names or below them; empty: both are at the same
  // step.
  void setMoments(const QString& baseline, const QString& now);
  bool comparing() const { return m_comparing; }
  // Stacks the baseline above the present view if each would be narrower than this many letters.
  // Default: the two always share the width.
  void standAboveBelow(int letters);
  bool oneAboveTheOther() const;
  // Whether two are stacked in a picture of this width.
  static bool oneAboveTheOther(int letters, double letter, double width) {
    return letters > 0 && width < 2 * letters * letter;
  }

  QSize minimumSizeHint() const override;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void restyle();
  void shareWidth();
  void arrange();
  void nameSides();
  void arrangeNames();

  QWidget* m_left;
  QSplitter* m_splitter;
  int m_letters = 0;  // of one view, below which the two are stacked; 0: never
  QWidget* m_views[2];
  QLabel* m_baselineTitle;
  QLabel* m_nowTitle;
  QLabel* m_baselineMoment;
  QLabel* m_nowMoment;
  std::pair<QString, QString> m_names;  // of the baseline and of the present side
  bool m_comparing = false;
};

}  // namespace tileloom
