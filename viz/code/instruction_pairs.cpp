// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/instruction_pairs.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "kernels/analysis/memory/access_cost.h"
#include "kernels/emulator/fragment_layout.h"
#include "viz/base/text/figure_text.h"

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;

namespace {

// Two instructions are paired by kind, array and bytes per lane.
using Key = std::tuple<Kind, std::string, std::uint32_t>;
struct Entry {
  InstructionRow what;
  InstructionUse use;       // without the prologue
  InstructionUse prologue;  // that
  bool looped = false;      // it occurs in the last recorded K tile
};
using Uses = std::map<Key, Entry>;

bool namesArray(Kind kind) {
  return emulator::isMemory(kind) || kind == Kind::BoxLoad || kind == Kind::BoxStore;
}

// A prefetching prologue does what the last K tiles of the loop omit, because nothing is left to
// fetch. Those tiles are not recorded, and are counted as if they omitted nothing.
bool runsAhead(Kind kind) {
  return kind == Kind::GlobalLoad || kind == Kind::SharedStore || kind == Kind::AsyncCopy ||
         kind == Kind::BoxLoad || kind == Kind::BarrierExpect;
}

void add(InstructionUse& to, const InstructionUse& use, double times) {
  to.executed += times * use.executed;
  to.wavefronts += times * use.wavefronts;
  to.conflicts += times * use.conflicts;
  to.sectors += times * use.sectors;
}

// Scales the instructions of a trace to a whole launch.
class Counter {
 public:
  explicit Counter(const emulator::Trace& trace)
      : m_trace(trace),
        m_last(trace.kTilesTraced - std::min(trace.kTilesTraced, 1u)),
        m_more(trace.kTiles - trace.kTilesTraced) {}

  Uses uses() {
    findLoops();
    countAccesses();
    countOthers();
    for (auto& [key, of] : m_uses) {
      const bool doubled = m_more > 0 && of.looped && runsAhead(of.what.cost.kind);
      if (!doubled) add(of.use, of.prologue, 1);
      const InstructionUse all = of.use;
      of.use = {.line = all.line};
      add(of.use, all, m_products > 0 ? kMultiplyAdds / m_products : 1);
    }
    return std::move(m_uses);
  }

 private:
  // Finds the interval and instruction at which each warp's main loop begins.
  void findLoops() {
    m_loops.resize(m_trace.warps, {m_trace.intervals(), 0});
    for (std::uint32_t warp = 0; warp < m_trace.warps; ++warp) {
      for (std::uint32_t interval = m_trace.intervals(); interval-- > 0;) {
        const auto instructions = m_trace.at(warp, interval).instructions;
        const auto first = std::ranges::find_if(
            instructions, [](const Instruction& i) { return i.kTile != emulator::kNoTile; });
        if (first != instructions.end())
          m_loops[warp] = {interval, static_cast<std::size_t>(first - instructions.begin())};
      }
    }
  }

  void count(const emulator::WarpInterval& view, std::size_t number, std::uint32_t width,
             InstructionUse use, bool turned) {
    const Instruction& i = view.instructions[number];
    const std::string array = namesArray(i.kind) ? m_trace.arrays[i.array].name : std::string();
    Entry& of = m_uses[{i.kind, array, width}];
    of.what.cost.kind = i.kind;
    of.what.cost.array = array;
    of.what.cost.width = width;
    of.what.cost.turned = turned;
    if (of.use.line == 0 || i.line < of.use.line) of.use.line = i.line;
    use.executed = 1;
    const bool before = std::pair(view.interval, number) < m_loops[view.warp];
    of.looped = of.looped || i.kTile == m_last;
    add(before ? of.prologue : of.use, use, times(i));
  }

  void countAccesses() {
    analysis::forEachAccessInTurn(
        m_trace, analysis::accessesOf(m_trace),
        [&](const emulator::WarpInterval& view, const analysis::Access& access,
            const analysis::AccessCost& cost) {
          const InstructionUse use{.wavefronts = static_cast<double>(cost.wavefronts()),
                                   .conflicts = static_cast<double>(cost.conflicts()),
                                   .sectors = static_cast<double>(cost.global.sectors)};
          count(view, access.lowest, 4 * access.width, use,
                view.instructions[access.lowest].turned != 0);
        });
  }

  void countOthers() {
    for (std::uint32_t interval = 0; interval < m_trace.intervals(); ++interval) {
      for (std::uint32_t warp = 0; warp < m_trace.warps; ++warp) {
        const emulator::WarpInterval view = m_trace.at(warp, interval);
        for (std::size_t number = 0; number < view.instructions.size(); ++number) {
          const Instruction& i = view.instructions[number];
          if (emulator::isMemory(i.kind)) continue;
          InstructionUse use;
          if (i.kind == Kind::Product) {
            const analysis::ProductCost cost = productCost(m_trace, view, number);
            use.wavefronts = cost.wavefronts;
            use.conflicts = cost.conflicts;
          }
          count(view, number, 0, use, false);
          if (i.kTile == emulator::kNoTile) continue;  // additions of the epilogue are not products
          m_products += times(i) * i.multiplyAdds();
        }
      }
    }
  }

  // The last recorded K tile represents those that are not recorded.
  double times(const Instruction& i) const { return i.kTile == m_last ? 1 + m_more : 1; }

  const emulator::Trace& m_trace;
  const std::uint32_t m_last;
  const double m_more;
  std::vector<std::pair<std::uint32_t, std::size_t>> m_loops;  // by warp
  Uses m_uses;
  double m_products = 0;
};

bool isBaselines(int column) {
  return column != InstructionPairModel::What &&
         (column == InstructionPairModel::BaselineLine ||
          (column > InstructionPairModel::What && column % 2 == 1));
}

// Small values have decimals, others are whole numbers.
QString rounded(double value) {
  return figures::grouped(value, value == 0 || value >= 100 ? 0
                                 : value >= 10              ? 1
                                 : value >= 1               ? 2
                                                            : 3);
}

}  // namespace

std::vector<InstructionPair> instructionPairs(const emulator::Trace& baseline,
                                              const emulator::Trace& now) {
  Uses before = Counter(baseline).uses();
  std::vector<InstructionPair> pairs;
  for (auto& [key, entry] : Counter(now).uses()) {
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
  // A figure that only one side has keeps both columns; columns of conflicts that neither side has
  // are left out.
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
  const bool shared = passesBanks(kind);
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
      // A side that never executes it has one dash.
      if (column == BaselineExecuted || column == NowExecuted) return QStringLiteral("–");
      return {};
    case InstructionModel::kSortRole:
      if (column == What) return instructionText(p.what);
      // Rows without a present side sort last.
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
      return tr("Click a column to go to the next execution on its side.");
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
        return tr("source line in the baseline and in the present tile");
      case BaselineExecuted:
      case NowExecuted:
        return tr("warp instructions: the baseline's, then the present tile's");
      case BaselineWavefronts:
      case NowWavefronts:
        return tr(
            "passes of the 32 banks of shared memory: the baseline's, then the present tile's");
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
