// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions of a block as table rows: line, executions and costs of each.
#pragma once

#include <QAbstractTableModel>
#include <QPixmap>
#include <vector>

#include "kernels/analysis/counts/line_costs.h"
#include "kernels/analysis/tensor/product_cost.h"
#include "viz/base/theme.h"

namespace tileloom {

struct InstructionRow {
  analysis::LineCost cost;  // kind, line, array, width in bytes; executions are warp instructions
  std::uint64_t fmas = 0;   // of threads, or of warps on tensor cores
};

// Of all warps, over the whole trace, by line.
std::vector<InstructionRow> instructionRows(const emulator::Trace& trace);

// Whether such an instruction accesses the banks of shared memory and has wavefronts.
bool passesBanks(emulator::Kind kind);

// This warp's part of a wgmma.
analysis::ProductCost productCost(const emulator::Trace& trace, const emulator::WarpInterval& view,
                                  std::size_t number);

// The mark of trouble as a table icon.
QPixmap troubleMark(const Theme& theme);
// "128-bit shared load of As"
QString instructionText(const InstructionRow& row);

class InstructionModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Line, What, Executed, Wavefronts, PerLoad, Conflicts, Sectors, PerRequest, Used };
  static constexpr int kColumns = 9;
  static constexpr int kSortRole = Qt::UserRole;
  static constexpr int kGroupRole =
      Qt::UserRole + 1;  // "global", "shared", "arithmetic", "barrier"

  using QAbstractTableModel::QAbstractTableModel;

  void setRows(std::vector<InstructionRow> rows);
  const InstructionRow& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }
  // Marks the row of this instruction and returns it; -1: none.
  int mark(const analysis::Moment& moment);
  int marked() const { return m_marked; }
  void setStyle(const Theme& theme, const QFont& font);
  // The value of kGroupRole.
  static QString groupOf(emulator::Kind kind);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<InstructionRow> m_rows;
  int m_marked = -1;
  Theme m_theme;
  QFont m_font;
};

}  // namespace tileloom
