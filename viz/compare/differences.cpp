// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/compare/differences.h"

#include <QCoreApplication>
#include <cmath>
#include <limits>

#include "kernels/analysis/loop_totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/totals.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/tile/arithmetic.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/knobs.h"
#include "viz/base/figure_text.h"
#include "viz/base/library_text.h"
#include "viz/base/text.h"

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

// But for the rounding of a quotient.
bool same(double baseline, double now) {
  return std::abs(now - baseline) <= 1e-9 * std::abs(baseline);
}

QString factor(double baseline, double now) {
  if (std::isnan(baseline) || std::isnan(now)) return {};
  if (same(baseline, now)) return QStringLiteral("=");
  if (baseline == 0) return QStringLiteral("+ ") + number(now);
  if (now == 0) return QStringLiteral("− ") + number(baseline);
  const double x = now / baseline;
  const bool little = std::abs(x - 1) < 0.005;  // two digits would call it equal
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

  // `of` gives a figure of one side, NaN where there is none.
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

  // Speeds that are no measure of each other: each by itself.
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

// The loop decides: a short trace would count the epilogue far too often.
// Of the K tiles that speak for the launch.
Totals loop(const Side& s) {
  return analysis::loopTotals(*s.recording).totals;
}

Derived derived(const Side& s) {
  return derive(*s.recording->trace.stage, s.recording->trace.tile);
}

bool isTensor(const Side& s) {
  return s.recording->trace.stage->ladder == Ladder::Tensor;
}

// Multiply-adds of single numbers, on either kind of unit.
std::uint64_t multiplyAdds(const Totals& t) {
  return t.ffmaThreadInstructions + t.tensorMultiplyAdds();
}

// "bf16", as the side calculates.
std::string_view arithmeticOf(const Side& s) {
  return rowOf(s.recording->trace.arithmetic).name;
}

void addSpeed(Builder& rows, const Side& a, const Side& b) {
  rows.group(Words::tr("Speed"));
  if (a.recording->trace.arithmetic != b.recording->trace.arithmetic) {
    rows.apart(Words::tr("GFLOP/s"), &HistoryPoint::gflops, 1,
               Words::tr("The two calculate with numbers of different formats on different units: "
                         "their speeds are no measure of each other."));
    return;
  }
  rows.measured(Words::tr("GFLOP/s"), &HistoryPoint::gflops, 1,
                Words::tr("Median with its 95 % interval. A winner is named only where intervals "
                          "are apart and neither is noisy."));
  rows.measured(
      Words::tr("% of cuBLAS"), &HistoryPoint::ratio, 100,
      Words::tr("Of %1, %2: %3. %4")
          .arg(figures::libraryName(b.recording->trace.arithmetic), figures::libraryOfSameRun(),
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
           Words::tr("As the compiler allocates them. More hold more results, fewer admit more "
                     "warps."));
  rows.add(Words::tr("bytes spilled"), kernel(&KernelFacts::spillBytes), Wanted::Less,
           Words::tr("Registers that did not fit and live in local memory."));
  rows.add(Words::tr("blocks per SM"), kernel(&KernelFacts::blocks), Wanted::Either,
           Words::tr("That fit at once, by registers, shared memory and threads."));
  rows.add(Words::tr("warps per SM"), kernel(&KernelFacts::warps), Wanted::Either,
           Words::tr("That fit at once. More warps hide more latency; they do not do more work."));
  rows.say(
      Words::tr("limited by"),
      [](const Side& s) {
        return s.kernel && !s.kernel->limitedBy.isEmpty() ? s.kernel->limitedBy
                                                          : QStringLiteral("–");
      },
      Words::tr("The resource that stops one more block."));
}

// `like`: both are of this ladder; more of another ladder's products is no better.
void addTensorReuse(Builder& rows, bool like) {
  const Wanted wanted = like ? Wanted::More : Wanted::Either;
  rows.say(
      Words::tr("multiplies on"),
      [](const Side& s) {
        return isTensor(s) ? Words::tr("tensor cores, %1").arg(toQString(arithmeticOf(s)))
                           : Words::tr("FMA units, FP32");
      },
      Words::tr("Which units of an SM make the products, and the format of the factors."));
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
      Words::tr(
          "Of the warp instructions in the loop over K that multiply on tensor cores or access "
          "memory: those that multiply, 2,048 products and more each. Address arithmetic "
          "and branches are not counted here; the machine code counts them."),
      QStringLiteral("%"));
  rows.add(
      Words::tr("multiply-adds per load"),
      [](const Side& s) {
        const Totals t = loop(s);
        return ratio(multiplyAdds(t), t.sharedLoadInstructions + t.matrixLoadInstructions);
      },
      wanted,
      Words::tr(
          "Of a warp, for each instruction that loads from shared memory: ldmatrix, or a load "
          "of all lanes."));
  rows.add(
      Words::tr("multiply-adds per wavefront"),
      [](const Side& s) {
        const Totals t = loop(s);
        return ratio(multiplyAdds(t), analysis::servedWavefronts(t, *s.recording->trace.stage));
      },
      wanted,
      Words::tr(
          "Of all wavefronts that shared memory serves, also of those in which the tensor core "
          "reads operands itself; of a copy, those that it writes. The tensor cores of an H100's "
          "SM make 2,048 per cycle with 16-bit "
          "factors, its FMA units 128, and it serves one wavefront: below that, shared memory "
          "takes longer than they do."));
}

void addReuse(Builder& rows, const Side& a, const Side& b) {
  rows.group(Words::tr("Work and reuse"));
  rows.add(
      Words::tr("threads per block"), [](const Side& s) { return double(derived(s).threads); },
      Wanted::Either, Words::tr("From the tile."));
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
      Wanted::More, Words::tr("Multiply-adds for each load instruction of a thread."));
  rows.add(
      Words::tr("warp FMAs per wavefront"),
      [](const Side& s) {
        const Totals t = loop(s);
        return ratio(t.ffmaThreadInstructions, 32 * (t.sharedLoadWavefronts + t.fillWavefronts()));
      },
      Wanted::More,
      Words::tr("An SM issues four warp FMAs per cycle and serves one wavefront: below four, "
                "shared memory takes longer than they do."));
}

void addLoads(Builder& rows) {
  rows.add(
      Words::tr("wavefronts per load"),
      [](const Side& s) {
        return ratio(loop(s).sharedLoadWavefronts, loop(s).sharedLoadInstructions);
      },
      Wanted::Either,
      Words::tr("Passes of the banks for one warp instruction. A wide load "
                "needs more than a narrow one, and fetches more."));
  rows.add(
      Words::tr("words per wavefront"),
      [](const Side& s) { return ratio(loop(s).sharedLoadFloats, loop(s).sharedLoadWavefronts); },
      Wanted::More,
      Words::tr("Words that lanes receive for each pass of the banks: 32 without "
                "conflicts, more with broadcasts."));
  rows.add(
      Words::tr("conflicts, loads"),
      [](const Side& s) {
        return 100 * ratio(loop(s).sharedLoadConflicts, loop(s).sharedLoadWavefronts);
      },
      Wanted::Less, Words::tr("Of the wavefronts of loads, those that only conflicts cost."),
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
      Wanted::Less, Words::tr("Of the wavefronts of ldmatrix, those that only conflicts cost."),
      QStringLiteral("%"));
}

void addShared(Builder& rows, const Side& a, const Side& b) {
  rows.group(Words::tr("Shared memory"));
  rows.add(
      Words::tr("per block"), [](const Side& s) { return derived(s).sharedBytes / 1024.0; },
      Wanted::Either, Words::tr("Bytes that each block takes of its SM."), Words::tr("KiB"));
  if (isTensor(a) || isTensor(b)) addMatrixLoads(rows);
  // Rungs of the tensor ladder have no other loads in their loops.
  if (!isTensor(a) || !isTensor(b)) addLoads(rows);
  rows.add(
      Words::tr("conflicts, stores"),
      [](const Side& s) { return 100 * ratio(loop(s).fillConflicts(), loop(s).fillWavefronts()); },
      Wanted::Less, Words::tr("Of the wavefronts of stores, those that only conflicts cost."),
      QStringLiteral("%"));
}

// What the block's first K tiles compute of C, over what they fetch.
double usefulPerByte(const Side& s) {
  const auto& trace = s.recording->trace;
  const analysis::LoopTotals tiles = analysis::loopTotals(*s.recording);
  const std::uint64_t depth = std::min<std::uint64_t>(std::uint64_t{tiles.kTiles} * trace.stepK,
                                                      static_cast<unsigned>(trace.asked.k));
  const std::uint64_t results =
      analysis::resultsOf(*trace.stage, trace.tile, trace.asked, Extent{0, 0});
  return ratio(2 * results * depth, 32 * tiles.totals.fetchSectors());
}

// More sectors than the bytes of its loads need.
bool readsScattered(const Side& s) {
  return loop(s).fetchSectors() > loop(s).fetchIdealSectors();
}

void addGlobal(Builder& rows) {
  rows.group(Words::tr("Global memory"));
  rows.add(
      Words::tr("sectors per load"),
      [](const Side& s) { return ratio(loop(s).fetchSectors(), loop(s).fetchRequests()); },
      Wanted::Either,
      Words::tr("32-byte sectors for one warp instruction. A wide load needs "
                "more than a narrow one, and fetches more."));
  rows.add(
      Words::tr("of that needed"),
      [](const Side& s) {
        return 100 * ratio(loop(s).fetchIdealSectors(), loop(s).fetchSectors());
      },
      Wanted::More,
      Words::tr("The fewest sectors that could hold as many bytes, as a share of "
                "those fetched."),
      QStringLiteral("%"));
  rows.add(Words::tr("FLOP per byte fetched"), usefulPerByte, Wanted::More,
           Words::tr("Useful floating-point operations of the loop over K, without those of "
                     "padding, for each byte of the sectors that it asks the caches for."));
}

}  // namespace

std::vector<Difference> differences(const Side& baseline, const Side& now) {
  Builder rows(baseline, now);
  // What a rung wastes of global memory decides its speed: it stands above the rest.
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
  const bool oneRung = trace.stage == other.trace.stage;
  QStringList differ, same;
  for (const KnobSpec& spec : trace.stage->knobs) {
    const int value = trace.tile[spec.knob];
    const bool shared = other.trace.stage->spec(spec.knob) != nullptr;
    (shared && value == other.trace.tile[spec.knob] ? same : differ) +=
        QStringLiteral("%1=%2").arg(toQString(name(spec.knob))).arg(value);
  }
  // Two tiles of one rung need no more than what differs.
  if (oneRung && !differ.isEmpty()) same.clear();
  QStringList parts = {
      QStringLiteral("%1 %2").arg(figures::rungText(*trace.stage), toQString(trace.stage->title))};
  for (const QStringList& knobs : {differ, same}) {
    if (!knobs.isEmpty()) parts += knobs.join(u' ');
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace tileloom
