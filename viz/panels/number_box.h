// SPDX-License-Identifier: GPL-3.0-or-later
// A box for a number that is usually replaced, not edited: a click selects all of it, so that
// typing replaces it. Typed text is entered when the keyboard focus leaves. It is dropped, and
// nothing is emitted, when the box is hidden or disabled: then the window changes, and the box may
// already be for something else.
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
