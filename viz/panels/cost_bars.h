// SPDX-License-Identifier: GPL-3.0-or-later
// The costs in time, as ranked bars: name, share, and below it where the cost arises and what
// changes it. The effects of a move are such bars, too: to the left for time saved, to the right
// for time added.
#pragma once

#include <vector>

#include "viz/base/widgets/painted_view.h"

namespace tileloom {

struct CostBar {
  QString name;
  double share = 0;  // of the time, 0 to 1; for a change its growth, above or below 0
  bool counted = false;
  QString note;  // empty: the row has no second line
  QString tip;
  int line = 0;  // of the source; 0: none
  bool change = false;
  QString figure = {};  // instead of the share in percent, if the share is only the bar's length
  bool operator==(const CostBar&) const = default;
};

class CostBars : public PaintedView {
  Q_OBJECT
 public:
  explicit CostBars(QWidget* parent = nullptr);
  void setBars(std::vector<CostBar> bars);
  const std::vector<CostBar>& bars() const { return m_bars; }
  // The bars are of another tile than the parameters show, or are about to change.
  void setStale(bool stale);
  QRectF rowRect(int bar) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void lineAsked(int line);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void restyle() override { updateGeometry(); }

 private:
  int barAt(const QPointF& at) const;
  double changeScale() const;  // the change that fills half a groove

  std::vector<CostBar> m_bars;
  bool m_stale = false;
};

}  // namespace tileloom
