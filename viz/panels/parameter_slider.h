// SPDX-License-Identifier: GPL-3.0-or-later
// A slider that stops at legal values only. Legal values are dots; common illegal values are hollow
// squares, so that users see the excluded values and can click them for the reason.
#pragma once

#include <functional>
#include <vector>

#include "viz/base/widgets/painted_view.h"

namespace tileloom {

class ParameterSlider : public PaintedView {
  Q_OBJECT
 public:
  struct Mark {
    int value = 0;
    bool legal = true;
    bool operator==(const Mark&) const = default;
  };

  // A value at which an SM would hold a different number of warps.
  struct Cliff {
    int value = 0;
    int warps = 0;      // per SM, at this value
    int now = 0;        // per SM, at the present value
    bool fewer = true;  // than now
    QString words;      // "169 registers: 12 warps become 8"
    bool operator==(const Cliff&) const = default;
  };

  explicit ParameterSlider(QWidget* parent = nullptr);

  // `marks` ascend by value; `value` need not be among them. `blamed`: the tile is illegal, and
  // this tile parameter is one of the reasons.
  void setMarks(std::vector<Mark> marks, int value, bool blamed = false);
  void setCliffs(std::vector<Cliff> cliffs);
  const std::vector<Cliff>& cliffs() const { return m_cliffs; }
  // The flags that fit, with the places of their triangles and labels. Those next to the present
  // value have precedence.
  struct Flag {
    const Cliff* cliff = nullptr;
    QString label;  // "12 → 8 warps per SM", or shorter where flags are close together
    double x = 0;   // of the triangle, over its value
    double left = 0, end = 0;
    bool before = false;  // the label is left of its triangle, because the slider ends there
  };
  std::vector<Flag> flags() const;
  // Makes the tool tip away from flags.
  void setExplanation(std::function<QString()> explain) { m_explain = std::move(explain); }
  int value() const { return m_value; }
  bool blamed() const { return m_blamed; }
  const std::vector<Mark>& marks() const { return m_marks; }
  // The values that are written below the groove, with their places. Those at its ends have
  // precedence.
  struct Label {
    const Mark* mark = nullptr;
    QRectF room;
  };
  std::vector<Label> labels() const;
  // Pixel position of a value along the groove.
  double positionOf(int value) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  bool wantsArrows() const override { return true; }

 signals:
  void moved(int value);  // by the user: a legal value, or an illegal mark that was clicked

 protected:
  bool event(QEvent* event) override;  // tool tips of single marks
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  std::function<QString()> m_explain;
  void take(int value);
  void step(int direction);
  int nearestLegal(double x) const;
  const Mark* markAt(double x) const;

  void paintCliffs(QPainter& p, double y) const;
  std::vector<Mark> m_marks;
  std::vector<Cliff> m_cliffs;
  int m_value = 0;
  bool m_blamed = false;
  int m_wheel = 0;
  bool m_dragged = false;
};

}  // namespace tileloom
