// SPDX-License-Identifier: GPL-3.0-or-later
// Labels that keep their manners when the text of the whole program grows.
#pragma once

#include <QLabel>

namespace tileloom {

// In the fonts' role of a title, at every size of text: the label's own font stays that of its
// parent, for one of its own would keep the size that it was born with.
class Heading : public QLabel {
  Q_OBJECT
 public:
  using QLabel::QLabel;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

// One line that ends in "…" where there is no room for more, and never asks for room.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  using QLabel::QLabel;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

// What a label's words are: quieter than others, or of something wrong.
enum class Ink { Soft, Trouble };

// The label's words in the theme's colour for that, also when the theme changes.
void setInk(QLabel& label, Ink ink);

}  // namespace tileloom
