// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions of two blocks beside each other, for equal work: how often each side executes an
// instruction, and what that costs. Different tiles mean different amounts of work per block and
// different numbers of recorded K tiles, so all counts are per kMultiplyAdds.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "viz/code/instruction_model.h"

namespace tileloom {

// Counts of one kind of instruction per kMultiplyAdds of a launch, prologue and epilogue included;
// the last recorded K tile represents those that are not recorded.
struct InstructionUse {
  int line = 0;  // source line, the first one that has it
  double executed = 0, wavefronts = 0, conflicts = 0, sectors = 0;
};
inline constexpr std::uint32_t kMultiplyAdds = 1u << 20;

struct InstructionPair {
  InstructionRow what;                          // kind, array and width only
  std::optional<InstructionUse> baseline, now;  // std::nullopt: that side has none
};

// By the lines of `now`, then what only the baseline has.
std::vector<InstructionPair> instructionPairs(const emulator::Trace& baseline,
                                              const emulator::Trace& now);

class InstructionPairModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  // For each figure the baseline's, then the present one.
  enum Column {
    BaselineLine,
    NowLine,
    What,
    BaselineExecuted,
    NowExecuted,
    BaselineWavefronts,
    NowWavefronts,
    BaselineConflicts,
    NowConflicts,
    BaselineSectors,
    NowSectors
  };
  static constexpr int kColumns = 11;

  using QAbstractTableModel::QAbstractTableModel;

  void setPairs(std::vector<InstructionPair> pairs);
  const InstructionPair& pair(int row) const { return m_pairs[static_cast<std::size_t>(row)]; }
  // Marks the row of each side's instruction; -1: none.
  void mark(const analysis::Moment& baseline, const analysis::Moment& now);
  int marked() const { return m_marked[1]; }
  void setStyle(const Theme& theme, const QFont& font);
  // Whether this cell belongs to the baseline.
  bool ofBaseline(int row, int column) const;
  // Columns without any value.
  std::vector<int> emptyColumns() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::optional<double> valueOf(int row, int column) const;
  int rowOf(const analysis::Moment& moment, bool baseline) const;

  std::vector<InstructionPair> m_pairs;
  int m_marked[2] = {-1, -1};  // of the baseline and of the present side
  Theme m_theme;
  QFont m_font;
};

}  // namespace tileloom
