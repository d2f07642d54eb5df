// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/compare/differences.h"

#include <QCoreApplication>
#include <cmath>
#include <limits>

#include "kernels/analysis/recording.h"
#include "kernels/analysis/totals.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/knobs.h"
#include "viz/base/figure_text.h"
#include "viz/base/text.h"

namespace tileloom {
namespace {

using analysis::Totals;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Differences)
};

enum class Wanted { Either, Less, More };

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? kUnknown : static_cast<double>(a) / static_cast<double>(b);
}

QString number(double value, const QString& unit = {}) {
  if (std::isnan(value)) return QStringLiteral("–");
  const double size = std::abs(value);
  const bool whole = value == std::round(value);
  const int digits = whole || size >= 1000 ? 0 : size >= 100 ? 1 : 2;
  return figures::grouped(value, digits) + (unit.isEmpty() ? QString() : u' ' + unit);
}

QString factor(double baseline, double now) {
  if (std::isnan(baseline) || std::isnan(now)) return {};
  if (baseline == now) return QStringLiteral("=");
  if (baseline == 0) return QStringLiteral("+ ") + number(now);
  if (now == 0) return QStringLiteral("− ") + number(baseline);
  const double x = now / baseline;
  return QStringLiteral("× ") + figures::grouped(x, x >= 100 ? 0 : x >= 10 ? 1 : x < 0.1 ? 3 : 2);
}

Verdict verdictOf(double baseline, double now, Wanted wanted) {
  if (std::isnan(baseline) || std::isnan(now)) return Verdict::None;
  if (std::abs(now - baseline) <= 1e-9 * std::abs(baseline)) return Verdict::Same;
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

  std::vector<Difference> take() { return std::move(rows_); }

 private:
  const Side &a_, &b_;
  QString group_;
  std::vector<Difference> rows_;
};

// The loop decides: a short trace would count the epilogue far too often.
const Totals& loop(const Side& s) {
  return s.recording->loop();
}

Derived derived(const Side& s) {
  return derive(*s.recording->trace.stage, s.recording->trace.tile);
}

void addSpeed(Builder& rows) {
  rows.group(Words::tr("Speed"));
  rows.measured(Words::tr("GFLOP/s"), &HistoryPoint::gflops, 1,
                Words::tr("Median with its 95 % interval. A winner is named only where intervals "
                          "are apart and neither is noisy."));
  rows.measured(Words::tr("% of cuBLAS"), &HistoryPoint::ratio, 100,
                Words::tr("Against cuBLAS in FP32, interleaved in the same run."));
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

void addReuse(Builder& rows) {
  rows.group(Words::tr("Work and reuse"));
  rows.add(
      Words::tr("threads per block"), [](const Side& s) { return double(derived(s).threads); },
      Wanted::Either, Words::tr("From the tile."));
  rows.add(
      Words::tr("results per thread"), [](const Side& s) { return double(derived(s).results); },
      Wanted::Either, Words::tr("Elements of C that a thread keeps in registers."));
  rows.add(
      Words::tr("FMAs per shared load"),
      [](const Side& s) {
        return ratio(loop(s).ffmaThreadInstructions, loop(s).sharedLoadThreadInstructions);
      },
      Wanted::More, Words::tr("Multiply-adds for each load instruction of a thread."));
  rows.add(
      Words::tr("warp FMAs per wavefront"),
      [](const Side& s) {
        const Totals& t = loop(s);
        return ratio(t.ffmaThreadInstructions, 32 * (t.sharedLoadWavefronts + t.fillWavefronts()));
      },
      Wanted::More,
      Words::tr("An SM issues four warp FMAs per cycle and serves one wavefront: below four, "
                "shared memory is what the kernel waits for."));
}

void addShared(Builder& rows) {
  rows.group(Words::tr("Shared memory"));
  rows.add(
      Words::tr("per block"), [](const Side& s) { return derived(s).sharedBytes / 1024.0; },
      Wanted::Either, Words::tr("Bytes that each block takes of its SM."), Words::tr("KiB"));
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
  rows.add(
      Words::tr("conflicts, stores"),
      [](const Side& s) { return 100 * ratio(loop(s).fillConflicts(), loop(s).fillWavefronts()); },
      Wanted::Less, Words::tr("Of the wavefronts of stores, those that only conflicts cost."),
      QStringLiteral("%"));
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
  rows.add(
      Words::tr("FLOP per byte fetched"),
      [](const Side& s) {
        return ratio(2 * loop(s).ffmaThreadInstructions, 32 * loop(s).fetchSectors());
      },
      Wanted::More,
      Words::tr("Floating-point operations of the loop over K for each byte of "
                "the sectors that it asks the caches for."));
}

}  // namespace

std::vector<Difference> differences(const Side& baseline, const Side& now) {
  Builder rows(baseline, now);
  addSpeed(rows);
  addOccupancy(rows);
  addReuse(rows);
  addShared(rows);
  addGlobal(rows);
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
