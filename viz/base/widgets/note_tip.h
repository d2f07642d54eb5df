// SPDX-License-Identifier: GPL-3.0-or-later
// A tool tip with a table or other formatted text. The program's other tool tips show plain text
// only, because their text may come from files and workers; this one is for fixed text.
#pragma once

#include <QLabel>

namespace tileloom {

class NoteTip : public QLabel {
  Q_OBJECT
 public:
  // Shows the formatted text beside the point until the pointer leaves the widget, or a button, the
  // wheel or a key is used. A widget has one at most.
  static void showBeside(const QPoint& global, const QString& html, QWidget& owner);

  bool eventFilter(QObject* watched, QEvent* event) override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  explicit NoteTip(QWidget& owner);
  void showAt(const QPoint& global, const QString& html);
};

}  // namespace tileloom
