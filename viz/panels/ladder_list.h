// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the ladder's rungs, in which one is picked.
#pragma once

#include <QListWidget>

#include <optional>
#include <string_view>
#include <vector>

#include "kernels/tile/stage.h"
#include "viz/charts/ladder_setbacks.h"

namespace tileloom {

class LadderList : public QListWidget {
  Q_OBJECT
 public:
  // Rungs of one ladder stand together; a line above the second ladder's first rung names it.
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
  // "2.8 % slower than rung 6" where this row says so in words: in all such rows of a list that is
  // high enough, else in the current one or, in the lowest lists, in none. Empty: it does not.
  QString setbackOf(int row) const;
  // What the bars of a ladder are: "speed in % of cuBLAS". Each ladder has its own 100 %.
  QString barsHead(Ladder ladder) const;
  // Whether a line above this row names another ladder than the one before.
  bool beginsLadder(int row) const;
  // Where they were measured: "recorded on H100"; empty without bars.
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
  bool m_follows = true;  // the current row is to be seen, until the person scrolls
  bool m_low = false;     // too low for all the ideas
  // Which slower rungs have room to say by how much in words.
  enum class Told { None, Current, All } m_told = Told::All;
};

}  // namespace tileloom
