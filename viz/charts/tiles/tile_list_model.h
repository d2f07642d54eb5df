// SPDX-License-Identifier: GPL-3.0-or-later
// Measured tiles as a table, fastest first; it can be sorted by any column.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "kernels/tuning/tile_map.h"

namespace tileloom {

class TileListModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  // Beside and Ratio are about another device, and empty if there is none.
  enum Column {
    Place,
    Tile,
    Speed,
    Spread,
    Share,
    Beside,
    Ratio,
    Registers,
    Blocks,
    Origin,
    kColumns
  };
  static constexpr int kSortRole = Qt::UserRole;

  // The figures of another device.
  struct Other {
    QString device;  // "H200"; empty: there is none
    std::vector<tuning::TileFigure> figures;
    bool operator==(const Other&) const = default;
  };
  // `figures`: fastest first, as from figuresOf().
  void setFigures(const Stage& stage, std::vector<tuning::TileFigure> figures, Other other = {});
  const std::vector<tuning::TileFigure>& figures() const { return m_figures; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation way, int role) const override;

 private:
  const Stage* m_stage = nullptr;
  std::vector<tuning::TileFigure> m_figures;
  Other m_other;
  std::vector<double> m_beside;  // GFLOP/s of the other device for each figure's tile; 0: none
};

}  // namespace tileloom
