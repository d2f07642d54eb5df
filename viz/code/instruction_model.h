// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions of a block as rows: what stands on which line, how often it is executed, what it
// costs.
#pragma once

#include <QAbstractTableModel>
#include <QPixmap>
#include <vector>

#include "kernels/analysis/line_costs.h"
#include "kernels/analysis/product_cost.h"
#include "viz/base/theme.h"

namespace tileloom {

struct InstructionRow {
  analysis::LineCost cost;  // kind, line, array, width in bytes; executions are warp instructions
  std::uint64_t fmas = 0;   // of threads, or of warps on tensor cores
};

// Of all warps and everything traced, by line.
std::vector<InstructionRow> instructionRows(const emulator::Trace& trace);

// Whether such an instruction passes the banks of shared memory: it has wavefronts.
bool passesBanks(emulator::Kind kind);

// Of a warpgroup's product, this warp's part.
analysis::ProductCost productCost(const emulator::Trace& trace, const emulator::WarpInterval& view,
                                  std::size_t number);

// The mark of trouble as an icon of a table.
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
  // The row of this instruction, which is marked; -1: none.
  int mark(const analysis::Moment& moment);
  int marked() const { return m_marked; }
  void setStyle(const Theme& theme, const QFont& font);
  // As kGroupRole says it.
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
