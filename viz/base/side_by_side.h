// SPDX-License-Identifier: GPL-3.0-or-later
// One view alone, or beside the same view of the baseline, each under its name. Where two have no
// room beside one another, the baseline may stand above.
#pragma once

#include <QWidget>

class QLabel;
class QSplitter;

namespace tileloom {

class SideBySide : public QWidget {
  Q_OBJECT
 public:
  // Takes both; the baseline stands on the left and is hidden until there is one.
  SideBySide(QWidget* baseline, QWidget* now, QWidget* parent = nullptr);

  // What stands above the two; empty: the present view is alone and has no name.
  void setTitles(const QString& baseline, const QString& now);
  // Beside the names, or below them where there is no room, where the two stand at different steps:
  // which; empty: they stand at the same.
  void setMoments(const QString& baseline, const QString& now);
  bool comparing() const { return m_comparing; }
  // From now on the baseline stands above the present view where each would have less than this
  // many letters of width; by default the two share whatever there is.
  void standAboveBelow(int letters);
  bool oneAboveTheOther() const;
  // Whether two stand one above the other in a picture of this width.
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
  void arrangeNames();

  QWidget* m_left;
  QSplitter* m_splitter;
  int m_letters = 0;  // of one view, below which it takes the whole width; 0: it never does
  QWidget* m_views[2];
  QLabel* m_baselineTitle;
  QLabel* m_nowTitle;
  QLabel* m_baselineMoment;
  QLabel* m_nowMoment;
  bool m_comparing = false;
};

}  // namespace tileloom
