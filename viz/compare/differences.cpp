// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/compare/differences.h"

#include <QCoreApplication>
#include <cmath>
#include <limits>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/format.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using analysis::Totals;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Differences)
};

enum class Wanted { Either, Less, More };

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double ratio(auto a, auto b) {
  return b == 0 ? kUnknown : static_cast<double>(a) / static_cast<double>(b);
}

QString number(double value, const QString& unit = {}) {
  if (std::isnan(value)) return QStringLiteral("–");
  const double size = std::abs(value);
  const bool whole = value == std::round(value);
  const int digits = whole || size >= 1000 ? 0 : size >= 100 ? 1 : 2;
  return figures::grouped(value, digits) + (unit.isEmpty() ? QString() : u' ' + unit);
}

// Equal up to the rounding of a quotient.
bool same(double baseline, double now) {
  return std::abs(now - baseline) <= 1e-9 * std::abs(baseline);
}

QString factor(double baseline, double now) {
  if (std::isnan(baseline) || std::isnan(now)) return {};
  if (same(baseline, now)) return QStringLiteral("=");
  if (baseline == 0) return QStringLiteral("+ ") + number(now);
  if (now == 0) return QStringLiteral("− ") + number(baseline);
  const double x = now / baseline;
  const bool little = std::abs(x - 1) < 0.005;  // two digits would show it as equal
  const int digits = x >= 100 ? 0 : x >= 10 ? 1 : little ? 4 : x < 0.1 ? 3 : 2;
  return QStringLiteral("× ") + figures::grouped(x, digits);
}

Verdict verdictOf(double baseline, double now, Wanted wanted) {
  if (std::isnan(baseline) || std::isnan(now)) return Verdict::None;
  if (same(baseline, now)) return Verdict::Same;
  if (wanted == Wanted::Either) return Verdict::None;
  return (now > baseline) == (wanted == Wanted::More) ? Verdict::Better : Verdict::Worse;
}

class Builder {
 public:
  Builder(const Side& baseline, const Side& now) : a_(baseline), b_(now) {}

  void group(const QString& name) { group_ = name; }

  // `of` returns a figure of one side; NaN: it has none.
  template <typename Of>
  void add(const QString& name, Of of, Wanted wanted, const QString& why,
           const QString& unit = {}) {
    const double x = of(a_), y = of(b_);
    rows_.push_back({group_, name, number(x, unit), number(y, unit), factor(x, y),
                     verdictOf(x, y, wanted), why});
  }

  template <typename Of>
  void say(const QString& name, Of of, const QString& why) {
    const QString x = of(a_), y = of(b_);
    rows_.push_back({group_, name, x, y, x == y ? QStringLiteral("=") : QString(),
                     x == y && x != QStringLiteral("–") ? Verdict::Same : Verdict::None, why});
  }

  void measured(const QString& name, const runs::Interval HistoryPoint::*of, double scale,
                const QString& why) {
    const auto text = [&](const Side& s) {
      if (!s.speed || !((*s.speed).*of).known()) return QStringLiteral("–");
      const runs::Interval& i = (*s.speed).*of;
      QString line = scale == 1 ? figures::grouped(scale * i.median, 0)
                                : figures::grouped(scale * i.median, 1);
      line += u' ' + figures::spreadText(i);
      if (s.speed->freshness == Freshness::Recorded) line += Words::tr(", recorded");
      if (s.speed->freshness == Freshness::Stale) line += Words::tr(", stale");
      return line;
    };
    Difference d{group_, name, text(a_), text(b_), {}, Verdict::None, why};
    const bool known =
        a_.speed && b_.speed && ((*a_.speed).*of).known() && ((*b_.speed).*of).known();
    if (known && a_.speed->device != b_.speed->device) {
      d.change = Words::tr("other devices");
    } else if (known) {
      const runs::Interval &x = (*a_.speed).*of, &y = (*b_.speed).*of;
      const bool noisy = x.spread() > runs::kNoisySpread || y.spread() > runs::kNoisySpread;
      d.change = factor(x.median, y.median);
      d.verdict = x.overlaps(y)         ? Verdict::Tied
                  : noisy               ? Verdict::Noisy
                  : y.median > x.median ? Verdict::Better
                                        : Verdict::Worse;
    }
    rows_.push_back(std::move(d));
  }

  // Speeds that are not comparable: each side alone.
  void apart(const QString& name, const runs::Interval HistoryPoint::*of, double scale,
             const QString& why) {
    measured(name, of, scale, why);
    rows_.back().change = Words::tr("other format");
    rows_.back().verdict = Verdict::None;
  }

  std::vector<Difference> take() { return std::move(rows_); }

 private:
  const Side &a_, &b_;
  QString group_;
  std::vector<Difference> rows_;
};

// Totals of the representative K tiles in the main loop: in a short trace the epilogue would weigh
// too much.
Totals loop(const Side& s) {
  return analysis::loopTotals(*s.recording).totals;
}

Derived derived(const Side& s) {
  return derive(*s.recording->trace.rung(), s.recording->trace.tile);
}

bool isTensor(const Side& s) {
  return s.recording->trace.rung()->ladder == Ladder::Tensor;
}

// Scalar multiply-adds, on FMA units or tensor cores.
std::uint64_t multiplyAdds(const Totals& t) {
  return t.ffmaThreadInstructions + t.tensorMultiplyAdds();
}

// "bf16": the format of the side.
std::string_view formatOf(const Side& s) {
  return rowOf(s.recording->trace.format).name;
}

void addSpeed(Builder& rows, const Side& a, const Side& b) {
  rows.group(Words::tr("Speed"));
  if (a.recording->trace.format != b.recording->trace.format) {
    rows.apart(Words::tr("GFLOP/s"), &HistoryPoint::gflops, 1,
               Words::tr("The two use different number formats on different units: their speeds "
                         "are not comparable."));
    return;
  }
  rows.measured(Words::tr("GFLOP/s"), &HistoryPoint::gflops, 1,
                Words::tr("Median with its 95 % interval. One is called better only if the "
                          "intervals do not overlap and neither is noisy."));
  rows.measured(
      Words::tr("% of cuBLAS"), &HistoryPoint::ratio, 100,
      Words::tr("Of %1, %2: %3. %4")
          .arg(figures::libraryName(b.recording->trace.format), figures::libraryOfSameRun(),
               figures::ratioMeaning(), figures::whyLibraryDiffers()));
}

void addOccupancy(Builder& rows) {
  rows.group(Words::tr("Occupancy"));
  const auto kernel = [](auto member) {
    return [member](const Side& s) {
      return s.kernel && (*s.kernel).*member >= 0 ? double((*s.kernel).*member) : kUnknown;
    };
  };
  rows.add(Words::tr("registers per thread"), kernel(&KernelFacts::registers), Wanted::Either,
           Words::tr("Allocated by the compiler. More registers hold more results, fewer leave "
                     "room for more warps."));
  rows.add(Words::tr("bytes spilled"), kernel(&KernelFacts::spillBytes), Wanted::Less,
           Words::tr("Register values that did not fit and are in local memory."));
  rows.add(Words::tr("blocks per SM"), kernel(&KernelFacts::blocks), Wanted::Either,
           Words::tr("Resident at once, limited by registers, shared memory and threads."));
  rows.add(Words::tr("warps per SM"), kernel(&KernelFacts::warps), Wanted::Either,
           Words::tr("Resident at once. More warps hide more latency; they do not do more work."));
  rows.say(
      Words::tr("limited by"),
      [](const Side& s) {
        return s.kernel && !s.kernel->limitedBy.isEmpty() ? s.kernel->limitedBy
                                                          : QStringLiteral("–");
      },
      Words::tr("The resource that leaves no room for another block."));
}

// `like`: both are of this ladder. Otherwise more products are not better.
void addTensorReuse(Builder& rows, bool like) {
  const Wanted wanted = like ? Wanted::More : Wanted::Either;
  rows.say(
      Words::tr("multiplies on"),
      [](const Side& s) {
        return isTensor(s) ? Words::tr("tensor cores, %1").arg(toQString(formatOf(s)))
                           : Words::tr("FMA units, FP32");
      },
      Words::tr("The units of an SM that multiply, and the format of the operands."));
  rows.add(
      Words::tr("tensor instructions, % of these and memory accesses"),
      [](const Side& s) {
        const Totals t = loop(s);
        const std::uint64_t memory = t.sharedLoadInstructions + t.matrixLoadInstructions +
                                     t.fillInstructions() + t.globalLoadRequests;
        const std::uint64_t products = t.tensorInstructions + t.productInstructions;
        return isTensor(s) ? 100 * ratio(products, products + memory + t.boxInstructions)
                           : kUnknown;
      },
      Wanted::Either,
      Words::tr("Tensor core instructions, of all warp instructions in the main loop that use "
                "tensor cores or access memory. Each makes 2,048 products or more. Address "
                "arithmetic and branches are not counted here; the page SASS counts them."),
      QStringLiteral("%"));
  rows.add(
      Words::tr("multiply-adds per load"),
      [](const Side& s) {
        const Totals t = loop(s);
        return ratio(multiplyAdds(t), t.sharedLoadInstructions + t.matrixLoadInstructions);
      },
      wanted,
      Words::tr("Of a warp, per instruction that loads from shared memory: ldmatrix, or a load of "
                "all lanes."));
  rows.add(
      Words::tr("multiply-adds per wavefront"),
      [](const Side& s) {
        const Totals t = loop(s);
        return ratio(multiplyAdds(t), analysis::servedWavefronts(t, *s.recording->trace.rung()));
      },
      wanted,
      Words::tr("Counts all wavefronts that shared memory serves, including those in which the "
                "tensor core reads operands itself; for a copy, those that it writes. Per cycle, "
                "an SM of an H100 makes 2,048 multiply-adds of 16-bit operands on its tensor cores "
                "or 128 on its FMA units, and serves one wavefront: below that ratio, shared "
                "memory takes longer than the arithmetic."));
}

void addReuse(Builder& rows, const Side& a, const Side& b) {
  rows.group(Words::tr("Work and reuse"));
  rows.add(
      Words::tr("threads per block"), [](const Side& s) { return double(derived(s).threads); },
      Wanted::Either, Words::tr("Follows from the tile."));
  rows.add(
      Words::tr("results per thread"), [](const Side& s) { return double(derived(s).results); },
      Wanted::Either, Words::tr("Elements of C that a thread keeps in registers."));
  if (isTensor(a) || isTensor(b)) {
    addTensorReuse(rows, isTensor(a) && isTensor(b));
    return;
  }
  rows.add(
      Words::tr("FMAs per shared load"),
      [](const Side& s) {
        return ratio(loop(s).ffmaThreadInstructions, loop(s).sharedLoadThreadInstructions);
      },
      Wanted::More, Words::tr("Multiply-adds per load instruction of a thread."));
  rows.add(
      Words::tr("warp FMAs per wavefront"),
      [](const Side& s) {
        const Totals t = loop(s);
        return ratio(t.ffmaThreadInstructions, 32 * (t.sharedLoadWavefronts + t.fillWavefronts()));
      },
      Wanted::More,
      Words::tr("An SM issues four warp FMAs per cycle and serves one wavefront: below four, "
                "shared memory takes longer than the FMAs."));
}

void addLoads(Builder& rows) {
  rows.add(
      Words::tr("wavefronts per load"),
      [](const Side& s) {
        return ratio(loop(s).sharedLoadWavefronts, loop(s).sharedLoadInstructions);
      },
      Wanted::Either,
      Words::tr("Passes of the banks for one warp instruction. A wide load needs more than a "
                "narrow one, and loads more."));
  rows.add(
      Words::tr("words per wavefront"),
      [](const Side& s) { return ratio(loop(s).sharedLoadFloats, loop(s).sharedLoadWavefronts); },
      Wanted::More,
      Words::tr("Words that lanes receive per pass of the banks: 32 without conflicts, more with "
                "broadcasts."));
  rows.add(
      Words::tr("conflicts, loads"),
      [](const Side& s) {
        return 100 * ratio(loop(s).sharedLoadConflicts, loop(s).sharedLoadWavefronts);
      },
      Wanted::Less, Words::tr("Share of the wavefronts of loads that bank conflicts add."),
      QStringLiteral("%"));
}

void addMatrixLoads(Builder& rows) {
  rows.add(
      Words::tr("wavefronts per ldmatrix"),
      [](const Side& s) {
        return ratio(loop(s).matrixLoadWavefronts, loop(s).matrixLoadInstructions);
      },
      Wanted::Less,
      Words::tr("Passes of the banks for the four 8 × 8 matrices of one instruction: 4 at best."));
  rows.add(
      Words::tr("conflicts, ldmatrix"),
      [](const Side& s) {
        return 100 * ratio(loop(s).matrixLoadConflicts, loop(s).matrixLoadWavefronts);
      },
      Wanted::Less, Words::tr("Share of the wavefronts of ldmatrix that bank conflicts add."),
      QStringLiteral("%"));
}

void addShared(Builder& rows, const Side& a, const Side& b) {
  rows.group(Words::tr("Shared memory"));
  rows.add(
      Words::tr("per block"), [](const Side& s) { return derived(s).sharedBytes / 1024.0; },
      Wanted::Either, Words::tr("Shared memory that each block takes of its SM."),
      Words::tr("KiB"));
  if (isTensor(a) || isTensor(b)) addMatrixLoads(rows);
  // Tensor rungs have no other loads in their main loops.
  if (!isTensor(a) || !isTensor(b)) addLoads(rows);
  rows.add(
      Words::tr("conflicts, stores"),
      [](const Side& s) { return 100 * ratio(loop(s).fillConflicts(), loop(s).fillWavefronts()); },
      Wanted::Less, Words::tr("Share of the wavefronts of stores that bank conflicts add."),
      QStringLiteral("%"));
}

// Useful FLOP of the block's first K tiles per byte that they fetch.
double usefulPerByte(const Side& s) {
  const auto& trace = s.recording->trace;
  const analysis::LoopTotals tiles = analysis::loopTotals(*s.recording);
  const std::uint64_t depth = std::min<std::uint64_t>(std::uint64_t{tiles.kTiles} * trace.stepK,
                                                      static_cast<unsigned>(trace.asked.k));
  const std::uint64_t results =
      analysis::resultsOf(*trace.rung(), trace.tile, trace.asked, Extent{0, 0});
  return ratio(2 * results * depth, 32 * tiles.totals.fetchSectors());
}

// Whether its loads fetch more sectors than their bytes need.
bool readsScattered(const Side& s) {
  return loop(s).fetchSectors() > loop(s).fetchIdealSectors();
}

void addGlobal(Builder& rows) {
  rows.group(Words::tr("Global memory"));
  rows.add(
      Words::tr("sectors per load"),
      [](const Side& s) { return ratio(loop(s).fetchSectors(), loop(s).fetchRequests()); },
      Wanted::Either,
      Words::tr("32-byte sectors for one warp instruction. A wide load needs more than a narrow "
                "one, and loads more."));
  rows.add(
      Words::tr("of these needed"),
      [](const Side& s) {
        return 100 * ratio(loop(s).fetchIdealSectors(), loop(s).fetchSectors());
      },
      Wanted::More,
      Words::tr(
          "The fewest sectors that could hold the same bytes, as a share of the sectors fetched."),
      QStringLiteral("%"));
  rows.add(Words::tr("FLOP per byte fetched"), usefulPerByte, Wanted::More,
           Words::tr("Useful floating-point operations of the main loop, without those of padding, "
                     "per byte of the sectors that it requests from the caches."));
}

}  // namespace

std::vector<Difference> differences(const Side& baseline, const Side& now) {
  Builder rows(baseline, now);
  // Wasted global memory bandwidth decides the speed of such a rung: it comes first.
  const bool scattered = readsScattered(baseline) || readsScattered(now);
  if (scattered) addGlobal(rows);
  addSpeed(rows, baseline, now);
  addOccupancy(rows);
  addReuse(rows, baseline, now);
  addShared(rows, baseline, now);
  if (!scattered) addGlobal(rows);
  return rows.take();
}

QString sideTitle(const analysis::Recording& recording, const analysis::Recording& other) {
  const auto& trace = recording.trace;
  const bool oneRung = trace.rung() == other.trace.rung();
  QStringList differ, same;
  for (const ParameterSpec& spec : trace.rung()->parameters) {
    const int value = trace.tile[spec.parameter];
    const bool shared = other.trace.rung()->spec(spec.parameter) != nullptr;
    (shared && value == other.trace.tile[spec.parameter] ? same : differ) +=
        QStringLiteral("%1=%2").arg(toQString(name(spec.parameter))).arg(value);
  }
  // Two tiles of one rung need only what differs.
  if (oneRung && !differ.isEmpty()) same.clear();
  QStringList parts = {QStringLiteral("%1 %2").arg(figures::rungText(*trace.rung()),
                                                   toQString(trace.rung()->title))};
  for (const QStringList& parameters : {differ, same}) {
    if (!parameters.isEmpty()) parts += parameters.join(u' ');
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace tileloom
