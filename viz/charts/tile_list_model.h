// SPDX-License-Identifier: GPL-3.0-or-later
// Measured tiles as a table, fastest first; sorts by any column.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "kernels/tuning/tile_map.h"

namespace tileloom {

class TileListModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  enum Column { Place, Speed, Spread, Share, Tile, Registers, Blocks, Origin, kColumns };
  static constexpr int kSortRole = Qt::UserRole;

  // Fastest first, as figuresOf gives them.
  void setFigures(const Stage& stage, std::vector<tuning::TileFigure> figures);
  const std::vector<tuning::TileFigure>& figures() const { return m_figures; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation way, int role) const override;

 private:
  const Stage* m_stage = nullptr;
  std::vector<tuning::TileFigure> m_figures;
};

}  // namespace tileloom
