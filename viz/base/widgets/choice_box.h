// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box that is as wide as its widest choice, also after the font or the choices have
// changed. Qt keeps the minimum width of the first choices in the first font.
#pragma once

#include <QComboBox>
#include <algorithm>

namespace tileloom {

class ChoiceBox : public QComboBox {
  Q_OBJECT
 public:
  explicit ChoiceBox(QWidget* parent = nullptr) : QComboBox(parent) {
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
  }
  // Qt's margin around the text does not grow with the font.
  QSize sizeHint() const override {
    constexpr int kUsualLine = 20, kShare = 8;
    const int more = std::max(0, (fontMetrics().height() - kUsualLine) / kShare);
    return QComboBox::sizeHint().grownBy({0, 0, more, 0});
  }
  QSize minimumSizeHint() const override { return sizeHint(); }
};

}  // namespace tileloom
