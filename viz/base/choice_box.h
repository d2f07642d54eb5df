// SPDX-License-Identifier: GPL-3.0-or-later
// A box of choices that is as wide as the widest of them, also after the text has grown or other
// choices have come. Qt remembers the least width of the first ones in the first font.
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
  // Qt's room around the words does not grow with them.
  QSize sizeHint() const override {
    constexpr int kUsualLine = 20, kShare = 8;
    const int more = std::max(0, (fontMetrics().height() - kUsualLine) / kShare);
    return QComboBox::sizeHint().grownBy({0, 0, more, 0});
  }
  QSize minimumSizeHint() const override { return sizeHint(); }
};

}  // namespace tileloom
