// SPDX-License-Identifier: GPL-3.0-or-later
// What all painted widgets share: theme and fonts that follow the palette and the font.
#pragma once

#include <QPen>
#include <QWidget>

#include "viz/base/theme.h"

namespace tileloom {

class PaintedView : public QWidget {
  Q_OBJECT
 public:
  explicit PaintedView(QWidget* parent = nullptr);

  // Arrows, Home, End and pages are for this view while it has the focus, not for playing.
  virtual bool wantsArrows() const { return false; }

 protected:
  void changeEvent(QEvent* event) override;
  // The room of so many letters and lines, whatever the size of the text: what a view asks for at
  // least. Where there is less, its page scrolls.
  QSize roomFor(int letters, int lines) const;
  // Theme or fonts have changed: whatever was derived from them is to be made anew.
  virtual void restyle() {}

  Theme m_theme;
  Fonts m_fonts;
};

// A line as thin on paper and on a dense screen as it is here.
inline QPen hairline(const QColor& color, double width = 1.0, Qt::PenStyle style = Qt::SolidLine) {
  QPen pen(color, width, style);
  pen.setCosmetic(true);
  return pen;
}

}  // namespace tileloom
