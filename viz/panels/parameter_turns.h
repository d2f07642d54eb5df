// SPDX-License-Identifier: GPL-3.0-or-later
// The effect of one step of each tile parameter on the speed: a row per parameter, with the next
// legal value below and above. A click uses that tile.
#pragma once

#include <optional>
#include <vector>

#include "kernels/tile/parameters.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {

struct ParameterTurn {
  int value = 0;
  double ratio = 1;       // speed over that of the present tile
  bool measured = false;  // by runs of both; else predicted
  bool guessed = false;   // predicted, with guessed registers
  QString tip;
};

struct ParameterTurnRow {
  Parameter parameter{};
  int now = 0;
  std::optional<ParameterTurn> below, above;  // std::nullopt: no such legal value
};

class ParameterTurns : public PaintedView {
  Q_OBJECT
 public:
  explicit ParameterTurns(QWidget* parent = nullptr);
  void setRows(std::vector<ParameterTurnRow> rows);
  const std::vector<ParameterTurnRow>& rows() const { return m_rows; }
  void setStale(bool stale);
  // The clickable place of a step.
  QRectF turnRect(int row, bool above) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void picked(tileloom::Parameter parameter, int value);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void restyle() override { updateGeometry(); }

 private:
  struct Hit {
    const ParameterTurnRow* row = nullptr;
    const ParameterTurn* turn = nullptr;
  };
  Hit hitAt(const QPointF& at) const;
  double rowHeight() const;

  std::vector<ParameterTurnRow> m_rows;
  bool m_stale = false;
};

}  // namespace tileloom
