// SPDX-License-Identifier: GPL-3.0-or-later
// A box for a number that is usually replaced and not edited: a click selects all of it, so that
// what is typed next replaces it. What is typed and not entered is entered when the keyboard focus
// goes elsewhere. It is dropped, and nothing is emitted, when the box is hidden or disabled: then
// the window changes, and what the box stands for may be another thing already.
#pragma once

#include <QSpinBox>

namespace tileloom {

class NumberBox : public QSpinBox {
  Q_OBJECT
 public:
  explicit NumberBox(QWidget* parent = nullptr);

 protected:
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;  // of its line edit

 private:
  void drop();

  bool m_entered = false;  // this press gave the box the keyboard focus
};

}  // namespace tileloom
