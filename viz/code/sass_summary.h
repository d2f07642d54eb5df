// SPDX-License-Identifier: GPL-3.0-or-later
// A summary of a kernel's SASS for a lecture hall: the figures of the loop in large numbers, its
// ribbon, and a legend of the stripes.
#pragma once

#include <vector>

#include "viz/base/widgets/painted_view.h"
#include "viz/code/loop/ribbon_geometry.h"

namespace tileloom {

// One figure: "16.0" over "FFMA per LDS".
struct SassFigure {
  QString value;
  QString label;
  bool predicted = false;
};
std::vector<SassFigure> sassFigures(const SassFacts& facts);

// The places of all parts on a canvas of this size.
struct SassSummaryLayout {
  struct Key {
    QRectF room;
    sass::Class what = sass::Class::Other;
    QString text;  // "F  FFMA 1,024"
  };
  QRectF origin, caption;
  std::vector<QRectF> cells;  // one per figure, in their order
  std::vector<Key> keys;
  RibbonGeometry ribbon;

  static SassSummaryLayout of(const QRectF& canvas, const SassSide& side, const Fonts& fonts);
};

void paintSassSummary(QPainter& p, const SassSummaryLayout& layout, const SassSide& side,
                      const Theme& theme, const Fonts& fonts, int cursor);

class SassSummary : public PaintedView {
  Q_OBJECT
 public:
  explicit SassSummary(QWidget* parent = nullptr);

  void setSide(const SassSide& side);
  void setCursor(int index);
  const SassSummaryLayout& layoutNow() const { return m_layout; }
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

 signals:
  void picked(int index);

 protected:
  bool event(QEvent* event) override;
  void restyle() override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  void lay();

  SassSide m_side;
  SassSummaryLayout m_layout;
  int m_cursor = -1;
};

}  // namespace tileloom
