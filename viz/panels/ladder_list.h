// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the ladder's rungs, from which the user picks one.
#pragma once

#include <QListWidget>

#include <optional>
#include <string_view>
#include <vector>

#include "kernels/tile/placement.h"
#include "kernels/tile/stage.h"
#include "viz/charts/ladder/ladder_setbacks.h"

namespace tileloom {

class LadderList : public QListWidget {
  Q_OBJECT
 public:
  // Rungs of one ladder are together; a line above the second ladder's first rung names it.
  explicit LadderList(std::span<const Stage* const> stages, QWidget* parent = nullptr);

  void setCurrent(const Stage& stage);
  // Shows a bar under each rung for its share of cuBLAS. `bars` are in the order of the rungs. A
  // rung that is slower than the one before it says so.
  void setBars(std::vector<LadderBar> bars);
  const std::vector<LadderBar>& bars() const { return m_bars; }
  const std::vector<charts::LadderSetback>& setbacks() const { return m_setbacks; }
  // Whether this row shows its rung's idea: all rows in a list that is high enough, else only the
  // current one.
  bool tellsIdea(int row) const;
  // "2.8 % slower than rung 6" if this row says so: all such rows of a list that is high enough do,
  // else only the current one or, in the lowest lists, none. Empty: it does not.
  QString setbackOf(int row) const;
  // The unit of a ladder's bars: "speed in % of cuBLAS". Each ladder has its own 100 %.
  QString barsHead(Ladder ladder) const;
  // Whether a line above this row names a new ladder.
  bool beginsLadder(int row) const;
  // Where the bars were measured: "recorded on H100"; empty without bars.
  QString barsOrigin() const;

  // The row of a rung in pixels of viewport(); std::nullopt: it is not in the list, or scrolled
  // away.
  std::optional<QRectF> placeOf(std::string_view id) const;

  // Scrolls the row of a rung into view; one that is not in the list changes nothing.
  void reveal(std::string_view id);

  QSize sizeHint() const override;

 signals:
  void picked(const tileloom::Stage* stage);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  class Head;

  void arrange();
  void showCurrent();

  std::vector<const Stage*> m_stages;
  std::vector<LadderBar> m_bars;
  std::vector<charts::LadderSetback> m_setbacks;
  Head* m_head = nullptr;
  bool m_follows = true;  // keeps the current row visible, until the user scrolls
  bool m_low = false;     // too low for all the ideas
  // Which slower rungs have room to say how much slower.
  enum class Told { None, Current, All } m_told = Told::All;
};

}  // namespace tileloom
