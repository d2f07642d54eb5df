// SPDX-License-Identifier: GPL-3.0-or-later
// What one turn of each knob would do to the speed: a row per knob, with the next legal value below
// and above. A click takes that tile.
#pragma once

#include <optional>
#include <vector>

#include "kernels/tile/knobs.h"
#include "viz/base/painted_view.h"

namespace tileloom {

struct KnobTurn {
  int value = 0;
  double ratio = 1;       // speed over that of the present tile
  bool measured = false;  // by runs of both; else predicted
  bool guessed = false;   // predicted, with guessed registers
  QString tip;
};

struct KnobTurnRow {
  Knob knob{};
  int now = 0;
  std::optional<KnobTurn> below, above;  // std::nullopt: no such value is legal
};

class KnobTurns : public PaintedView {
  Q_OBJECT
 public:
  explicit KnobTurns(QWidget* parent = nullptr);
  void setRows(std::vector<KnobTurnRow> rows);
  const std::vector<KnobTurnRow>& rows() const { return m_rows; }
  void setStale(bool stale);
  // The place of a turn, to be clicked on.
  QRectF turnRect(int row, bool above) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void picked(tileloom::Knob knob, int value);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void restyle() override { updateGeometry(); }

 private:
  struct Hit {
    const KnobTurnRow* row = nullptr;
    const KnobTurn* turn = nullptr;
  };
  Hit hitAt(const QPointF& at) const;
  double rowHeight() const;

  std::vector<KnobTurnRow> m_rows;
  bool m_stale = false;
};

}  // namespace tileloom
