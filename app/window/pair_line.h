// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the compared example, above the views: all of it in a high window, and one line in a
// low one, until the user folds or unfolds it; another button closes it until the next example.
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace tileloom {

class Comparison;

class PairLine : public QWidget {
  Q_OBJECT
 public:
  explicit PairLine(const Comparison& comparison, QWidget* parent = nullptr);

  // Whether there is room, and no other view shows the same text.
  void setNeeded(bool needed);
  bool unfolded() const { return m_unfolded; }

 private:
  void take(const QString& words);
  void unfold(bool unfolded);
  void place();

  QToolButton* m_fold = nullptr;
  QLabel* m_short = nullptr;  // one line
  QLabel* m_whole = nullptr;
  bool m_needed = true, m_unfolded = false, m_closed = false;
  bool m_chosen = false;  // set by the user: unfolded or not
};

}  // namespace tileloom
