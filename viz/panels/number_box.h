// SPDX-License-Identifier: GPL-3.0-or-later
// A box for a number that is usually replaced and not edited: a click selects all of it, so that
// what is typed next replaces it.
#pragma once

#include <QSpinBox>

namespace tileloom {

class NumberBox : public QSpinBox {
  Q_OBJECT
 public:
  explicit NumberBox(QWidget* parent = nullptr);

 protected:
  void focusInEvent(QFocusEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;  // of its line edit

 private:
  bool m_entered = false;  // this press gave the box the keyboard focus
};

}  // namespace tileloom
