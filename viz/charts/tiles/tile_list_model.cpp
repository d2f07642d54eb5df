// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_list_model.h"

#include <map>
#include <string>

#include "kernels/tile/words.h"
#include "viz/base/text/figure_text.h"

namespace tileloom {

void TileListModel::setFigures(const Stage& stage, std::vector<tuning::TileFigure> figures,
                               Other other) {
  if (m_stage == &stage && figures == m_figures && other == m_other) return;
  beginResetModel();
  m_stage = &stage;
  m_figures = std::move(figures);
  m_other = std::move(other);
  const auto key = [&stage](const TileShape& tile) { return tileloom::tileText(stage, tile); };
  std::map<std::string, double> known;
  for (const tuning::TileFigure& f : m_other.figures) known[key(f.tile)] = f.gflops.median;
  m_beside.clear();
  for (const tuning::TileFigure& f : m_figures) {
    const auto found = known.find(key(f.tile));
    m_beside.push_back(found == known.end() ? 0 : found->second);
  }
  endResetModel();
}

int TileListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_figures.size());
}

int TileListModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant TileListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const tuning::TileFigure& f = m_figures[static_cast<std::size_t>(index.row())];
  const double share = 100 * f.gflops.median / m_figures.front().gflops.median;
  if (role == Qt::TextAlignmentRole) {
    const bool words = index.column() == Tile || index.column() == Origin;
    return QVariant::fromValue((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole && role != kSortRole) return {};
  const bool sorting = role == kSortRole;
  switch (index.column()) {
    case Place:
      return index.row() + 1;
    case Speed:
      return sorting ? QVariant(f.gflops.median) : figures::speedText(f.gflops.median);
    case Spread:
      return sorting ? QVariant(f.gflops.spread()) : figures::spreadText(f.gflops);
    case Share:
      return sorting ? QVariant(share) : figures::percentText(share);
    case Beside:
    case Ratio: {
      const double beside = m_beside[static_cast<std::size_t>(index.row())];
      const double ratio = beside / f.gflops.median;
      if (sorting) return index.column() == Beside ? beside : ratio;
      if (!(beside > 0)) return m_other.device.isEmpty() ? QVariant() : tr("–");
      return index.column() == Beside ? figures::speedText(beside)
                                      : figures::percentText(100 * ratio);
    }
    case Tile:
      return figures::tileText(m_stage, f.tile);
    case Registers:
      return f.registers < 0 ? QVariant(sorting ? QVariant(-1) : tr("–")) : QVariant(f.registers);
    case Blocks:
      return f.blocksPerSm;
    case Origin:
      return f.kind == tuning::TileFigure::Kind::Live ? tr("live") : tr("recorded");
    default:
      return {};
  }
}

QVariant TileListModel::headerData(int section, Qt::Orientation way, int role) const {
  if (way != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Place:
      return tr("rank");
    case Speed:
      return tr("GFLOP/s");
    case Spread:
      return tr("95 %");
    case Share:
      return tr("% of the fastest");
    case Beside:
      return tr("%1, GFLOP/s").arg(m_other.device);
    case Ratio:
      return tr("%1, % of the first").arg(m_other.device);
    case Tile:
      return tr("tile");
    case Registers:
      return tr("registers");
    case Blocks:
      return tr("blocks per SM");
    case Origin:
      return tr("origin");
    default:
      return {};
  }
}

}  // namespace tileloom
