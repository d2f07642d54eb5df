// SPDX-License-Identifier: GPL-3.0-or-later
// The tile parameters of one stage. Each has a slider over its legal values and a spin box that
// takes any number. Below them the panel says what is wrong with the tile and offers legal ones.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "kernels/tile/stage.h"
#include "viz/base/theme.h"
#include "viz/panels/parameter_slider.h"

class QGridLayout;
class QLabel;
class QSpinBox;
class QVBoxLayout;

namespace tileloom {

// A legal tile that the panel offers instead of an illegal one.
struct TileOffer {
  QString label;
  TileShape tile;
};

class ParameterPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ParameterPanel(QWidget* parent = nullptr);
  // With the sliders in their own lines.
  QSize minimumSizeHint() const override;

  void setStage(const Stage& stage);
  // Shows this tile, legal or not, with the verdict of the constraint table. `moved`: the tile
  // parameter that the user moved last; its values are offered first.
  void setTile(const TileShape& tile, std::optional<Parameter> moved = std::nullopt);

  // The next note compares with this tile; there is no note about this tile itself.
  void beginHere();
  // The values at which each tile parameter would change the number of warps per SM. They are
  // removed when the tile changes.
  void setCliffs(const std::map<Parameter, std::vector<ParameterSlider::Cliff>>& cliffs);

  const TileShape& tile() const { return m_tile; }
  QString verdict() const;
  QString note() const;  // what the last legal move changed; empty before the first
  ParameterSlider* slider(Parameter parameter) const;
  QSpinBox* spinBox(Parameter parameter) const;

 signals:
  void edited(const tileloom::TileShape& tile, tileloom::Parameter moved);

 protected:
  bool eventFilter(QObject* watched,
                   QEvent* event) override;  // tool tips, made on demand
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Row {
    Parameter parameter;
    QLabel* label;
    ParameterSlider* slider;
    QSpinBox* box;
  };
  void fitRow(const Row& row) const;
  // A slider that does not fit between its name and its number goes below them.
  void arrange();
  void place(const Row& row, int line);
  void showMarks(std::optional<Parameter> moved);
  void showVerdict(std::optional<Parameter> moved);
  void change(Parameter parameter, int value);
  void tellStep();

  const Stage* m_stage = nullptr;
  TileShape m_tile;
  TileShape m_lastLegal;  // the note gives the change from this to the present tile
  std::vector<Row> m_rows;
  QGridLayout* m_grid;
  QLabel* m_message;
  QLabel* m_note;
  QVBoxLayout* m_offers;
  bool m_updating = false;
  bool m_narrow = false;  // sliders have their own lines
};

}  // namespace tileloom
