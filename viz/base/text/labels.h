// SPDX-License-Identifier: GPL-3.0-or-later
// Labels that stay correct when the font size of the program changes.
#pragma once

#include <QHash>
#include <QLabel>

namespace tileloom {

// A title in the font of that role, at every font size. The label inherits its parent's font,
// because a font of its own would keep its first size. A long title wraps.
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

// One line that shows what fits (see fitted()) and never requests room.
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

// Several lines of selectable text. Qt lays such text out again whenever a layout asks for its
// height, several times per change in its panel; this class caches the answers.
class Prose : public QLabel {
  Q_OBJECT
 public:
  explicit Prose(QWidget* parent = nullptr);
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 private:
  // Cached results of a text's layout.
  struct Sizes {
    QHash<int, int> heights;  // by width
    QSize hint, least;        // invalid: not asked yet
  };
  // For the present text and font. A slider that moves back and forth shows the same texts again,
  // and their layout takes longer than painting them.
  Sizes& sizes() const;

  mutable QHash<QString, Sizes> m_known;  // by text, in m_font
  mutable QFont m_font;
};

// The role of a label's text: secondary, or about an error.
enum class Ink { Soft, Trouble };

// Gives the label the theme's colour for that role, also when the theme changes.
void setInk(QLabel& label, Ink ink);

// Sets the widget's font to `base`, scaled by `by`. Call it again when the base changes.
void scaleFont(QWidget& widget, const QFont& base, double by, bool bold = false);

}  // namespace tileloom
