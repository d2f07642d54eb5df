// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the ladder's rungs, in which one is picked.
#pragma once

#include <QListWidget>

#include <vector>

#include "kernels/tile/stage.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

class LadderList : public QListWidget {
  Q_OBJECT
 public:
  explicit LadderList(std::span<const Stage> stages, QWidget* parent = nullptr);

  void setCurrent(const Stage& stage);
  // Shows a bar under each rung for its share of cuBLAS. `bars` are in the order of the rungs.
  void setBars(std::vector<LadderBar> bars);
  const std::vector<LadderBar>& bars() const { return m_bars; }
  // Whether this row shows its rung's idea: all rows in a list that is high enough, else only the
  // current one.
  bool tellsIdea(int row) const;

  QSize sizeHint() const override;

 signals:
  void picked(const tileloom::Stage* stage);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::span<const Stage> m_stages;
  std::vector<LadderBar> m_bars;
  bool m_low = false;  // too low for all the ideas
};

}  // namespace tileloom
