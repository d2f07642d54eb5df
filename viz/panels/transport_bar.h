// SPDX-License-Identifier: GPL-3.0-or-later
// Play, pause, step, speed, and scrubbing by instruction, k and K tile.
#pragma once

#include <QWidget>

#include "viz/base/scene.h"
#include "viz/base/widgets/pace.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace tileloom {

class ScrubBar;

class TransportBar : public QWidget {
  Q_OBJECT
 public:
  explicit TransportBar(QWidget* parent = nullptr);

  void setScene(const Scene& scene);
  void setPlaying(bool playing);
  Pace pace() const;
  void setPace(Pace pace);
  ScrubBar* scrubBar() const { return m_scrub; }

  // The size with two rows, which are used if the bar is too narrow for one, as with large text.
  QSize minimumSizeHint() const override;

 signals:
  void playToggled();
  void stepped(int direction);  // by one instruction
  void indexAsked(int index);
  void warpAsked(int warp);
  // dot -1: the tile's first instruction; a tile after the last one: the epilogue.
  void placeAsked(int kTile, int dot);
  void paceChanged(tileloom::Pace pace);

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  int dot(int shown) const;  // index; -1: none
  void arrange();

  QBoxLayout* m_rows;
  QToolButton* m_play;
  QSpinBox* m_warp;
  QSpinBox* m_tile;
  QSpinBox* m_dot;
  int m_depth = 1;  // the distance of two k of a K tile
  QSpinBox* m_index;
  QLabel* m_of;
  QComboBox* m_pace;
  ScrubBar* m_scrub;
  bool m_updating = false;
};

}  // namespace tileloom
