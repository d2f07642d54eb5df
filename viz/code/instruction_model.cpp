// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/instruction_model.h"

#include <QFont>
#include <QPainter>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "kernels/emulator/fragment_layout.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/kind_text.h"

namespace tileloom {

using emulator::Kind;

namespace {

// std::nullopt: the column does not apply to this instruction.
std::optional<double> valueOf(const InstructionRow& row, int column) {
  const analysis::LineCost& c = row.cost;
  const bool shared = passesBanks(c.kind);
  const bool global = emulator::isGlobal(c.kind) || c.kind == Kind::AsyncCopy;
  const auto executions = static_cast<double>(c.executions);
  const auto of = [](std::uint64_t value) { return static_cast<double>(value); };
  switch (column) {
    case InstructionModel::Line:
      return c.line;
    case InstructionModel::Executed:
      return executions;
    case InstructionModel::Wavefronts:
      if (shared) return of(c.wavefronts);
      break;
    case InstructionModel::PerLoad:
      if (shared) return of(c.wavefronts) / executions;
      break;
    case InstructionModel::Conflicts:
      if (shared) return of(c.conflicts);
      break;
    case InstructionModel::Sectors:
      if (global) return of(c.sectors);
      break;
    case InstructionModel::PerRequest:
      if (global) return of(c.sectors) / executions;
      break;
    case InstructionModel::Used:
      if (global && c.sectors > 0)
        return 100 * of(c.usefulBytes) / (of(c.sectors) * analysis::kSectorBytes);
      break;
    default:
      break;
  }
  return std::nullopt;
}

// The tool tip of a row; empty: nothing beyond the columns.
QString tipOf(const InstructionRow& row, bool conflicts) {
  QStringList lines;
  if (conflicts)
    lines += InstructionModel::tr("up to %1-way bank conflict: different words of one bank at once")
                 .arg(row.cost.degree);
  switch (row.cost.kind) {
    case Kind::Fma:
      lines += InstructionModel::tr("%1 multiply-adds of single threads").arg(row.fmas);
      break;
    case Kind::Mma:
      lines +=
          InstructionModel::tr("%1 multiply-adds, %2 per warp instruction")
              .arg(figures::grouped(row.fmas), figures::grouped(row.fmas / row.cost.executions));
      break;
    case Kind::Product:
      lines += InstructionModel::tr("%1 multiply-adds: each warp has 16 of the 64 rows of A")
                   .arg(figures::grouped(row.fmas));
      break;
    case Kind::MatrixStore:
    case Kind::MatrixLoad:
      lines += row.cost.turned ? InstructionModel::tr(
                                     "four matrices of 8 × 8 elements, each transposed; each lane "
                                     "gives the address of a row of 16 bytes")
                               : InstructionModel::tr(
                                     "four matrices of 8 × 8 elements; each lane gives the address "
                                     "of a row of 16 bytes");
      break;
    default:
      break;
  }
  return lines.join(u'\n');
}

}  // namespace

QPixmap troubleMark(const Theme& theme) {
  constexpr int kEdge = 12;
  QPixmap picture(kEdge, kEdge);
  picture.fill(Qt::transparent);
  QPainter p(&picture);
  p.fillRect(picture.rect(), theme.troublePattern());
  return picture;
}

analysis::ProductCost productCost(const emulator::Trace& trace, const emulator::WarpInterval& view,
                                  std::size_t number) {
  return analysis::costOfPart(trace.products[view.warp][view.payload(number, 0)[0]], view.warp);
}

bool passesBanks(Kind kind) {
  // wgmma reads its operands from shared memory.
  return emulator::isShared(kind) || kind == Kind::Product;
}

std::vector<InstructionRow> instructionRows(const emulator::Trace& trace) {
  std::vector<InstructionRow> rows;
  for (analysis::LineCost& cost : analysis::lineCosts(trace)) rows.push_back({std::move(cost), 0});
  std::map<std::tuple<std::uint16_t, Kind, std::string>, InstructionRow> others;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const emulator::WarpInterval view = trace.at(warp, interval);
      for (std::size_t number = 0; number < view.instructions.size(); ++number) {
        const emulator::Instruction& i = view.instructions[number];
        if (emulator::isMemory(i.kind)) continue;
        const std::string array = i.kind == Kind::BoxLoad || i.kind == Kind::BoxStore
                                      ? trace.arrays[i.array].name
                                      : std::string();
        InstructionRow& row = others[{i.line, i.kind, array}];
        row.cost.line = i.line;
        row.cost.kind = i.kind;
        row.cost.array = array;
        row.cost.executions += 1;
        row.fmas += i.multiplyAdds();
        if (i.kind == Kind::Product) {
          const analysis::ProductCost cost = productCost(trace, view, number);
          row.cost.wavefronts += cost.wavefronts;
          row.cost.conflicts += cost.conflicts;
        }
      }
    }
  }
  for (auto& [key, row] : others) rows.push_back(std::move(row));
  std::ranges::stable_sort(rows, {}, [](const InstructionRow& row) { return row.cost.line; });
  return rows;
}

QString instructionText(const InstructionRow& row) {
  const analysis::LineCost& c = row.cost;
  const QString words = kindWords(c.kind, c.array);
  return emulator::kindRow(c.kind).sized
             ? InstructionModel::tr("%1-bit %2").arg(8 * c.width).arg(words)
             : words;
}

QString InstructionModel::groupOf(Kind kind) {
  if (emulator::isGlobal(kind)) return QStringLiteral("global");
  if (emulator::isShared(kind)) return QStringLiteral("shared");
  if (emulator::isMultiplyAdd(kind)) return QStringLiteral("arithmetic");
  return QStringLiteral("barrier");
}

void InstructionModel::setRows(std::vector<InstructionRow> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  m_marked = -1;
  endResetModel();
}

int InstructionModel::mark(const analysis::Moment& moment) {
  int found = -1;
  for (int i = 0; i < rowCount() && found < 0; ++i) {
    const analysis::LineCost& c = row(i).cost;
    const bool same = c.line == moment.instruction.line && c.kind == moment.instruction.kind &&
                      c.array == moment.array;
    if (same && (!emulator::isMemory(c.kind) || c.width == 4 * moment.width)) found = i;
  }
  if (found == m_marked) return found;
  for (const int i : {std::exchange(m_marked, found), found}) {
    if (i >= 0) emit dataChanged(index(i, 0), index(i, kColumns - 1));
  }
  return found;
}

void InstructionModel::setStyle(const Theme& theme, const QFont& font) {
  m_theme = theme;
  m_font = font;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int InstructionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int InstructionModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant InstructionModel::data(const QModelIndex& at, int role) const {
  const InstructionRow& r = row(at.row());
  const auto value = valueOf(r, at.column());
  const bool conflicts = at.column() == Conflicts && value.value_or(0) > 0;
  switch (role) {
    case Qt::DisplayRole:
      if (at.column() == What) return instructionText(r);
      if (!value) return {};
      if (at.column() == PerLoad || at.column() == PerRequest) return figures::grouped(*value, 2);
      return figures::grouped(*value, 0);
    case kSortRole:
      return at.column() == What ? QVariant(instructionText(r)) : QVariant(value.value_or(-1));
    case kGroupRole:
      return groupOf(r.cost.kind);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue((at.column() == What ? Qt::AlignLeft : Qt::AlignRight) |
                                 Qt::AlignVCenter);
    case Qt::ForegroundRole:
      if (conflicts) return m_theme.trouble;
      return {};
    case Qt::DecorationRole:
      return conflicts ? QVariant(troubleMark(m_theme)) : QVariant();
    case Qt::BackgroundRole:
      return at.row() == m_marked ? QVariant(m_theme.well) : QVariant();
    case Qt::FontRole:
      if (at.row() == m_marked) {
        QFont font = m_font;
        font.setBold(true);
        return font;
      }
      return {};
    case Qt::ToolTipRole:
      return tipOf(r, conflicts);
    default:
      return {};
  }
}

QVariant InstructionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((section == What ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case Executed:
        return tr("warp instructions of the block; each access to global memory is one request");
      case Wavefronts:
        return tr("passes of the 32 banks of shared memory");
      case Conflicts:
        return tr("wavefronts beyond those that the same lanes would need without conflicts");
      case Sectors:
        return tr("32-byte pieces of global memory that were fetched or written");
      case Used:
        return tr("bytes of these sectors that a lane requested");
      default:
        return {};
    }
  }
  if (role != Qt::DisplayRole) return {};
  const QString names[kColumns] = {tr("line"),       tr("instruction"), tr("executed"),
                                   tr("wavefronts"), tr("each"),        tr("conflicts"),
                                   tr("sectors"),    tr("each"),        tr("used %")};
  return names[section];
}

}  // namespace tileloom
