// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of one stage. Each has a slider over its legal values and a spin box that takes any
// number. Below them the panel says what is wrong with the tile and offers legal ones.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "kernels/tile/stage.h"
#include "viz/base/theme.h"
#include "viz/panels/knob_slider.h"

class QGridLayout;
class QLabel;
class QSpinBox;
class QVBoxLayout;

namespace tileloom {

// A legal tile that the panel offers in place of an illegal one.
struct TileOffer {
  QString label;
  TileShape tile;
};

class KnobPanel : public QWidget {
  Q_OBJECT
 public:
  explicit KnobPanel(QWidget* parent = nullptr);
  // With the sliders in lines of their own.
  QSize minimumSizeHint() const override;

  void setStage(const Stage& stage);
  // Shows this tile, legal or not, with the verdict of the constraint table. `moved`: the knob that
  // the user moved last; its values are offered first.
  void setTile(const TileShape& tile, std::optional<Knob> moved = std::nullopt);

  // The next move is told against this tile, and nothing is told of how it came about.
  void beginHere();
  // The values at which each knob would change the number of warps per SM. They are removed when
  // the tile changes.
  void setCliffs(const std::map<Knob, std::vector<KnobSlider::Cliff>>& cliffs);

  const TileShape& tile() const { return m_tile; }
  QString verdict() const;
  QString note() const;  // what the last legal move changed; empty before the first
  KnobSlider* slider(Knob knob) const;
  QSpinBox* spinBox(Knob knob) const;

 signals:
  void edited(const tileloom::TileShape& tile, tileloom::Knob moved);

 protected:
  bool eventFilter(QObject* watched,
                   QEvent* event) override;  // tool tips that are made when asked for
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Row {
    Knob knob;
    QLabel* label;
    KnobSlider* slider;
    QSpinBox* box;
  };
  void fitRow(const Row& row) const;
  // Where there is no room for a slider between its name and its number, it goes below them.
  void arrange();
  void place(const Row& row, int line);
  void showMarks(std::optional<Knob> moved);
  void showVerdict(std::optional<Knob> moved);
  void change(Knob knob, int value);
  void tellStep();

  const Stage* m_stage = nullptr;
  TileShape m_tile;
  TileShape m_lastLegal;  // the note tells the change from this to the present tile
  std::vector<Row> m_rows;
  QGridLayout* m_grid;
  QLabel* m_message;
  QLabel* m_note;
  QVBoxLayout* m_offers;
  bool m_updating = false;
  bool m_narrow = false;  // sliders stand in lines of their own
};

}  // namespace tileloom
