// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/instruction_pairs.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "kernels/analysis/access_cost.h"
#include "kernels/emulator/fragment_layout.h"
#include "viz/base/figure_text.h"

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;

namespace {

// What makes two instructions the same: kind, array and bytes per lane.
using Key = std::tuple<Kind, std::string, std::uint32_t>;
struct Entry {
  InstructionRow what;
  InstructionUse use;
};
using Uses = std::map<Key, Entry>;

bool namesArray(Kind kind) {
  return emulator::isMemory(kind) || kind == Kind::BoxLoad || kind == Kind::BoxStore;
}

Uses usesOf(const emulator::Trace& trace) {
  Uses uses;
  const std::uint32_t last = trace.kTilesTraced - std::min(trace.kTilesTraced, 1u);
  const double more = trace.kTiles - trace.kTilesTraced;
  const auto times = [&](const Instruction& i) { return i.kTile == last ? 1 + more : 1; };
  const auto entry = [&](const Instruction& i, std::uint32_t width) -> Entry& {
    const std::string array = namesArray(i.kind) ? trace.arrays[i.array].name : std::string();
    Entry& of = uses[{i.kind, array, width}];
    of.what.cost.kind = i.kind;
    of.what.cost.array = array;
    of.what.cost.width = width;
    if (of.use.line == 0 || i.line < of.use.line) of.use.line = i.line;
    of.use.executed += times(i);
    return of;
  };
  analysis::forEachAccess(
      trace, analysis::accessesOf(trace),
      [&](const Instruction& i, const analysis::Access& access, const analysis::AccessCost& cost) {
        Entry& of = entry(i, 4 * access.width);
        of.what.cost.turned = i.turned != 0;
        of.use.wavefronts += times(i) * cost.wavefronts();
        of.use.conflicts += times(i) * cost.conflicts();
        of.use.sectors += times(i) * cost.global.sectors;
      });
  double products = 0;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      for (const Instruction& i : trace.at(warp, interval).instructions) {
        if (emulator::isMemory(i.kind)) continue;
        entry(i, 0);
        if (i.kind == Kind::Fma) products += times(i) * std::popcount(i.mask);
        if (i.kind == Kind::Mma) products += times(i) * emulator::kMmaProducts;
        if (i.kind == Kind::Product) products += times(i) * i.width * emulator::kMmaProducts;
      }
    }
  }
  const double share = products > 0 ? kMultiplyAdds / products : 1;
  for (auto& [key, of] : uses) {
    for (double* figure :
         {&of.use.executed, &of.use.wavefronts, &of.use.conflicts, &of.use.sectors})
      *figure *= share;
  }
  return uses;
}

bool isBaselines(int column) {
  return column != InstructionPairModel::What &&
         (column == InstructionPairModel::BaselineLine ||
          (column > InstructionPairModel::What && column % 2 == 1));
}

// Few figures of what is rare, whole numbers of the rest.
QString rounded(double value) {
  return figures::grouped(value, value == 0 || value >= 100 ? 0
                                 : value >= 10              ? 1
                                 : value >= 1               ? 2
                                                            : 3);
}

}  // namespace

std::vector<InstructionPair> instructionPairs(const emulator::Trace& baseline,
                                              const emulator::Trace& now) {
  Uses before = usesOf(baseline);
  std::vector<InstructionPair> pairs;
  for (auto& [key, entry] : usesOf(now)) {
    InstructionPair pair{std::move(entry.what), std::nullopt, entry.use};
    const auto there = before.find(key);
    if (there != before.end()) {
      pair.baseline = there->second.use;
      before.erase(there);
    }
    pairs.push_back(std::move(pair));
  }
  for (auto& [key, entry] : before)
    pairs.push_back({std::move(entry.what), entry.use, std::nullopt});
  std::ranges::stable_sort(pairs, {}, [](const InstructionPair& pair) {
    return std::pair(!pair.now.has_value(), pair.now ? pair.now->line : pair.baseline->line);
  });
  return pairs;
}

void InstructionPairModel::setPairs(std::vector<InstructionPair> pairs) {
  beginResetModel();
  m_pairs = std::move(pairs);
  m_marked[0] = m_marked[1] = -1;
  endResetModel();
}

int InstructionPairModel::rowOf(const analysis::Moment& moment, bool baseline) const {
  for (int row = 0; row < rowCount(); ++row) {
    const InstructionPair& p = pair(row);
    const analysis::LineCost& c = p.what.cost;
    if (!(baseline ? p.baseline : p.now) || c.kind != moment.instruction.kind) continue;
    if (namesArray(c.kind) && c.array != moment.array) continue;
    if (!emulator::isMemory(c.kind) || c.width == 4 * moment.width) return row;
  }
  return -1;
}

void InstructionPairModel::mark(const analysis::Moment& baseline, const analysis::Moment& now) {
  const int found[2] = {rowOf(baseline, true), rowOf(now, false)};
  if (std::ranges::equal(found, m_marked)) return;
  std::ranges::copy(found, m_marked);
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void InstructionPairModel::setStyle(const Theme& theme, const QFont& font) {
  m_theme = theme;
  m_font = font;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

bool InstructionPairModel::ofBaseline(int row, int column) const {
  const InstructionPair& p = pair(row);
  return !p.now || (isBaselines(column) && p.baseline);
}

std::vector<int> InstructionPairModel::emptyColumns() const {
  std::vector<int> empty;
  // A figure that one side alone has keeps both of its columns; conflicts that nobody has say
  // nothing.
  for (const int column : {BaselineWavefronts, BaselineConflicts, BaselineSectors}) {
    bool any = false;
    for (int row = 0; row < rowCount() && !any; ++row) {
      for (const int side : {0, 1}) any = any || valueOf(row, column + side).value_or(0) > 0;
    }
    if (!any) empty.insert(empty.end(), {column, column + 1});
  }
  return empty;
}

int InstructionPairModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_pairs.size());
}
int InstructionPairModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

std::optional<double> InstructionPairModel::valueOf(int row, int column) const {
  const InstructionPair& p = pair(row);
  const auto& use = isBaselines(column) ? p.baseline : p.now;
  if (!use) return std::nullopt;
  const Kind kind = p.what.cost.kind;
  const bool shared = emulator::isShared(kind);
  const bool global = emulator::isGlobal(kind) || kind == Kind::AsyncCopy;
  switch (column) {
    case BaselineLine:
    case NowLine:
      return use->line;
    case BaselineExecuted:
    case NowExecuted:
      return use->executed;
    case BaselineWavefronts:
    case NowWavefronts:
      return shared ? std::optional(use->wavefronts) : std::nullopt;
    case BaselineConflicts:
    case NowConflicts:
      return shared ? std::optional(use->conflicts) : std::nullopt;
    case BaselineSectors:
    case NowSectors:
      return global ? std::optional(use->sectors) : std::nullopt;
    default:
      return std::nullopt;
  }
}

QVariant InstructionPairModel::data(const QModelIndex& at, int role) const {
  const InstructionPair& p = pair(at.row());
  const int column = at.column();
  const auto value = valueOf(at.row(), column);
  const bool conflicts =
      (column == BaselineConflicts || column == NowConflicts) && value.value_or(0) > 0;
  const bool lines = column == BaselineLine || column == NowLine;
  const bool marked =
      column == What ? at.row() == m_marked[1] : at.row() == m_marked[isBaselines(column) ? 0 : 1];
  switch (role) {
    case Qt::DisplayRole:
      if (column == What) return instructionText(p.what);
      if (value) return lines ? QString::number(static_cast<int>(*value)) : rounded(*value);
      // A side that never executes it says so once.
      if (column == BaselineExecuted || column == NowExecuted) return QStringLiteral("–");
      return {};
    case InstructionModel::kSortRole:
      if (column == What) return instructionText(p.what);
      // What the present side lacks stands behind its lines.
      return value ? *value : column == NowLine ? 1e6 + p.baseline->line : -1.0;
    case InstructionModel::kGroupRole:
      return InstructionModel::groupOf(p.what.cost.kind);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue((column == What ? Qt::AlignLeft : Qt::AlignRight) |
                                 Qt::AlignVCenter);
    case Qt::ForegroundRole:
      if (conflicts) return m_theme.trouble;
      return column == BaselineLine || column == NowLine ? QVariant(m_theme.soft) : QVariant();
    case Qt::DecorationRole:
      return conflicts ? QVariant(troubleMark(m_theme)) : QVariant();
    case Qt::BackgroundRole:
      return marked ? QVariant(m_theme.well) : QVariant();
    case Qt::FontRole:
      if (marked) {
        QFont font = m_font;
        font.setBold(true);
        return font;
      }
      return {};
    case Qt::ToolTipRole:
      return tr("A click goes to its next execution on the side that the column is of.");
    default:
      return {};
  }
}

QVariant InstructionPairModel::headerData(int section, Qt::Orientation orientation,
                                          int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((section == What ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case BaselineLine:
      case NowLine:
        return tr("the line of the source, of the baseline and of the present tile");
      case BaselineExecuted:
      case NowExecuted:
        return tr("warp instructions: the baseline's, then the present tile's");
      case BaselineWavefronts:
      case NowWavefronts:
        return tr(
            "passes of the shared memory's 32 banks: the baseline's, then the present "
            "tile's");
      case BaselineConflicts:
      case NowConflicts:
        return tr(
            "wavefronts beyond those that the same lanes would need without conflicts: the "
            "baseline's, then the present tile's");
      case BaselineSectors:
      case NowSectors:
        return tr(
            "32-byte pieces of global memory that were fetched or written: the baseline's, "
            "then the present tile's");
      default:
        return {};
    }
  }
  if (role != Qt::DisplayRole) return {};
  if (section == What) return tr("instruction");
  const QString figures[] = {tr("line"), tr("executed"), tr("wavefronts"), tr("conflicts"),
                             tr("sectors")};
  const int figure = section < What ? 0 : 1 + (section - BaselineExecuted) / 2;
  return QStringLiteral("%1\n%2").arg(figures[figure],
                                      isBaselines(section) ? tr("baseline") : tr("now"));
}

}  // namespace tileloom
