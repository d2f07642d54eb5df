// SPDX-License-Identifier: GPL-3.0-or-later
// Theme, text size and motion of the window. They are kept between runs.
#pragma once

#include <QFont>
#include <QObject>

#include "viz/base/theme.h"

class QAction;
class QActionGroup;
class QMenu;

namespace tileloom {

class Sight : public QObject {
  Q_OBJECT
 public:
  // Adds its entries to the View menu. The theme and the font are those of the whole application.
  explicit Sight(QMenu& view, QObject* parent = nullptr);
  ~Sight() override;

  Look look() const;
  void setLook(Look look);
  int textSize() const { return m_textSize; }  // percent of the usual one
  void setTextSize(int percent);
  bool reducedMotion() const;
  void setReducedMotion(bool on);
  // As the user has set it, in this run or an earlier one.
  void load();

 signals:
  void textSizeChanged();
  void motionChanged(bool reduced);
  // Whether arrow keys move within the focused view.
  void cursorAsked();

 private:
  void addLooks(QMenu& view);
  void addTextSizes(QMenu& view);
  void showLook();

  QActionGroup* m_looks = nullptr;
  QAction* m_still = nullptr;
  QFont m_usualFont;  // at 100 percent
  int m_textSize = 100;
};

}  // namespace tileloom
