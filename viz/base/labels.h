// SPDX-License-Identifier: GPL-3.0-or-later
// Labels that keep their manners when the text of the whole program grows.
#pragma once

#include <QHash>
#include <QLabel>

namespace tileloom {

// In the fonts' role of a title, at every size of text: the label's own font stays that of its
// parent, for one of its own would keep the size that it was born with. Where its line is too short
// it goes on in the next.
class Heading : public QLabel {
  Q_OBJECT
 public:
  explicit Heading(const QString& text = {}, QWidget* parent = nullptr);
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
};

// One line, as much of it as has room (see fitted()), which never asks for room.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  using QLabel::QLabel;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

// As wide as its widest text, so that nothing beside it moves when it shows another one.
class SteadyLabel : public QLabel {
  Q_OBJECT
 public:
  SteadyLabel(const QString& text, const QString& widest, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 private:
  QString m_widest;
};

// Several lines that can be selected. Qt sets such text anew whenever a layout asks how high it is,
// several times for each change anywhere in its panel; this one remembers what it answered.
class Prose : public QLabel {
  Q_OBJECT
 public:
  explicit Prose(QWidget* parent = nullptr);
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 private:
  // What laying a text out has told.
  struct Sizes {
    QHash<int, int> heights;  // by width
    QSize hint, least;        // invalid: not asked yet
  };
  // Of the present text in the present font. A slider that goes to and fro shows the same texts
  // again, and laying them out would take more time than painting them.
  Sizes& sizes() const;

  mutable QHash<QString, Sizes> m_known;  // by text, in m_font
  mutable QFont m_font;
};

// What a label's words are: quieter than others, or of something wrong.
enum class Ink { Soft, Trouble };

// The label's words in the theme's colour for that, also when the theme changes.
void setInk(QLabel& label, Ink ink);

// The widget's font is `base`, `by` times as large. Call it again when the base has changed.
void scaleFont(QWidget& widget, const QFont& base, double by, bool bold = false);

}  // namespace tileloom
