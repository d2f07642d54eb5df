// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/layout_model.h"

#include <QPixmap>
#include <utility>

#include "kernels/analysis/recording.h"
#include "viz/base/text/figure_text.h"
#include "viz/code/instruction_model.h"

namespace tileloom {

using analysis::LayoutLine;

void LayoutModel::setExperiment(const LayoutExperiment& e) {
  beginResetModel();
  m_rows.clear();
  m_marked = -1;
  if (e.ready()) {
    const auto& arrays = e.recording->trace.arrays;
    for (const LayoutLine& line : e.cost.linesAbout(e.array)) {
      InstructionRow instruction;
      instruction.cost.kind = line.kind;
      instruction.cost.array = arrays[line.array].name;
      instruction.cost.width = 4 * line.width;
      m_rows.push_back({instructionText(instruction), line});
    }
    const auto sum = [&](const QString& words, std::optional<std::uint32_t> array) {
      LayoutLine line;
      line.before = e.cost.sum(false, analysis::LayoutCost::Part::All, array);
      line.possible = e.cost.possible();
      if (line.possible) line.after = e.cost.sum(true, analysis::LayoutCost::Part::All, array);
      m_rows.push_back({words, line});
    };
    sum(tr("all of %1").arg(e.name), e.array);
    sum(tr("all shared memory"), std::nullopt);
  }
  endResetModel();
}

void LayoutModel::mark(const analysis::Moment* access) {
  int found = -1;
  for (int row = 0; access != nullptr && row < rowCount() && found < 0; ++row) {
    const LayoutLine* line = lineOf(row);
    if (line != nullptr && line->line == access->instruction.line &&
        line->kind == access->instruction.kind && line->array == access->instruction.array &&
        line->width == access->width)
      found = row;
  }
  if (found == m_marked) return;
  for (const int row : {std::exchange(m_marked, found), found}) {
    if (row >= 0) emit dataChanged(index(row, 0), index(row, kColumns - 1));
  }
}

void LayoutModel::setStyle(const Theme& theme, const QFont& font) {
  m_theme = theme;
  m_font = font;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

const LayoutLine* LayoutModel::lineOf(int row) const {
  const LayoutLine& line = m_rows[static_cast<std::size_t>(row)].line;
  return line.line == 0 ? nullptr : &line;
}

int LayoutModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int LayoutModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant LayoutModel::shown(const Row& row, int column) const {
  const LayoutLine& l = row.line;
  switch (column) {
    case Line:
      return l.line == 0 ? QString() : QString::number(l.line);
    case Access:
      return row.access;
    case Executed:
      return figures::grouped(l.before.accesses);
    case Before:
      return figures::grouped(l.before.wavefronts);
    case ConflictsBefore:
      return figures::grouped(l.before.conflicts);
    case After:
      // An incomplete sum is not shown.
      return l.possible    ? figures::grouped(l.after.wavefronts)
             : l.line == 0 ? tr("–")
                           : tr("split");
    case ConflictsAfter:
      return l.possible ? figures::grouped(l.after.conflicts) : tr("–");
    default:
      return {};
  }
}

QVariant LayoutModel::data(const QModelIndex& at, int role) const {
  const Row& row = m_rows[static_cast<std::size_t>(at.row())];
  const LayoutLine& l = row.line;
  const bool trouble = (at.column() == ConflictsBefore && l.before.conflicts > 0) ||
                       (at.column() == ConflictsAfter && l.possible && l.after.conflicts > 0) ||
                       (at.column() == After && !l.possible && l.line != 0);
  switch (role) {
    case Qt::DisplayRole:
      return shown(row, at.column());
    case Qt::TextAlignmentRole:
      return QVariant::fromValue((at.column() == Access ? Qt::AlignLeft : Qt::AlignRight) |
                                 Qt::AlignVCenter);
    case Qt::ForegroundRole:
      return trouble ? QVariant(m_theme.trouble) : QVariant();
    case Qt::DecorationRole:
      return trouble ? QVariant(troubleMark(m_theme)) : QVariant();
    case Qt::BackgroundRole:
      return at.row() == m_marked ? QVariant(m_theme.well) : QVariant();
    case Qt::FontRole:
      if (l.line == 0 || at.row() == m_marked) {
        QFont bold = m_font;
        bold.setWeight(QFont::DemiBold);
        return bold;
      }
      return {};
    default:
      return {};
  }
}

QVariant LayoutModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((section == Access ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case Executed:
        return tr("warp instructions of the block that move elements of its first K tile");
      case Before:
        return tr("wavefronts as recorded");
      case ConflictsBefore:
      case ConflictsAfter:
        return tr("of these wavefronts, those by bank conflicts");
      case After:
        return tr("wavefronts in the other layout, calculated");
      default:
        return {};
    }
  }
  if (role != Qt::DisplayRole) return {};
  const QString names[kColumns] = {tr("line"),        tr("access"),       tr("executed"),
                                   tr("recorded"),    tr("by conflicts"), tr("calculated"),
                                   tr("by conflicts")};
  return names[section];
}

}  // namespace tileloom
