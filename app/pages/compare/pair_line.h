// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the compared example: all of it in a high window, and one line in a low one, until
// the user folds or unfolds it. A text that fits on one line has nothing to unfold. Above the views
// another button closes it until the next example; the page Compare keeps it.
#pragma once

#include <QWidget>

class QLabel;
class QResizeEvent;
class QToolButton;

namespace tileloom {

class Comparison;

class PairLine : public QWidget {
  Q_OBJECT
 public:
  enum class Closing { ByButton, Never };
  explicit PairLine(const Comparison& comparison, Closing closing, QWidget* parent = nullptr);

  // Whether there is room, and no other view shows the same text.
  void setNeeded(bool needed);
  bool unfolded() const { return m_unfolded; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  bool fitsOneLine() const;
  void take(const QString& words);
  void unfold(bool unfolded);
  void place();

  QToolButton* m_fold = nullptr;
  QToolButton* m_close = nullptr;  // nullptr: it has none
  QLabel* m_short = nullptr;       // one line
  QLabel* m_whole = nullptr;
  bool m_needed = true, m_unfolded = false, m_closed = false;
  bool m_chosen = false;  // set by the user: unfolded or not
};

}  // namespace tileloom
