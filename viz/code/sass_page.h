// SPDX-License-Identifier: GPL-3.0-or-later
// A listing's instructions, one per line: a bracket marks the loop, a letter and a stripe the
// class, a bar the number of live registers, another bar the samples of warps there.
#pragma once

#include "kernels/tile/parameters.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/code/stall_facts.h"

namespace tileloom {

class SassPage : public PaintedView {
  Q_OBJECT
 public:
  explicit SassPage(QWidget* parent = nullptr);

  void setFacts(std::shared_ptr<const SassFacts> facts,
                std::shared_ptr<const StallFacts> stalls = nullptr);
  const SassFacts* facts() const { return m_facts.get(); }
  int rows() const { return m_facts ? m_facts->size() : 0; }
  int cursor() const { return m_cursor; }  // index of an instruction; -1: none
  void moveCursor(int index);
  void setRowsSeen(int rows) { m_rowsSeen = std::max(1, rows); }  // for Page Up and Down

  QRectF rowOf(int index) const;
  int rowAt(const QPointF& at) const;  // -1: none
  double headHeight() const;
  void paintHead(QPainter& p, const QRectF& head, double left) const;
  // Paints the headings and as many rows as fit, beginning with `first`.
  void paintTo(QPainter& p, const QSizeF& size, int first) const;
  // The row to open at: the loop's instruction with the most samples; without samples, the loop's
  // first multiply-add.
  int openingRow() const;
  // The first row of a picture of this height that has the row `index` in the middle.
  int firstAround(int index, double height) const;
  // The width in pixels at which no line is cut off.
  double widthNeeded() const;

  bool wantsArrows() const override { return true; }

 signals:
  void cursorMoved(int index);

 protected:
  bool event(QEvent* event) override;
  void restyle() override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Columns {
    double bracket = 0, address = 0, live = 0, bar = 0, what = 0, lost = 0, sampled = 0, line = 0,
           text = 0;
  };
  // `compact`: without the column of live registers.
  Columns columnsOf(bool compact) const;  // left edges, from the fonts
  bool showsLost() const { return m_facts == nullptr || m_facts->banksKnown(); }
  void measure();
  void paintRow(QPainter& p, int index) const;
  void paintSampled(QPainter& p, const QRectF& row, int index) const;
  QString describeRow(int index) const;
  void describe();

  std::shared_ptr<const SassFacts> m_facts;
  std::shared_ptr<const StallFacts> m_stalls;
  int m_cursor = -1;
  int m_rowsSeen = 10;
  double m_textWidth = 0;
  Columns m_columns;
};

}  // namespace tileloom
