// SPDX-License-Identifier: GPL-3.0-or-later
// Base of all painted widgets: its theme and fonts follow the palette and the font.
#pragma once

#include <QPen>
#include <QWidget>

#include "viz/base/theme.h"

namespace tileloom {

class PaintedView : public QWidget {
  Q_OBJECT
 public:
  explicit PaintedView(QWidget* parent = nullptr);

  // true: arrows, Home, End and page keys go to this view while it has the focus, not to playback.
  virtual bool wantsArrows() const { return false; }

 protected:
  void changeEvent(QEvent* event) override;
  // The size of this many letters and lines at any font size: a view's minimum. In less room, its
  // page scrolls.
  QSize roomFor(int letters, int lines) const;
  // Called when theme or fonts have changed: recompute what was derived from them.
  virtual void restyle() {}

  Theme m_theme;
  Fonts m_fonts;
};

// A line of the same width on paper and on a dense screen.
inline QPen hairline(const QColor& color, double width = 1.0, Qt::PenStyle style = Qt::SolidLine) {
  QPen pen(color, width, style);
  pen.setCosmetic(true);
  return pen;
}

}  // namespace tileloom
