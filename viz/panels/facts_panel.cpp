// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/facts_panel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/mma.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/scaled_font.h"
#include "viz/base/text/text.h"
#include "viz/base/text/wrapped_text.h"

namespace tileloom {
namespace {

constexpr int kNoteLines = 2;     // of a headline
constexpr int kHeadlines = 4;     // speed, share of cuBLAS, occupancy, registers
constexpr double kGapAcross = 8;  // between them

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Facts)
};

QString decimal(double value) {
  return QLocale::c().toString(value, 'f', value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

double ratio(auto a, auto b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

// The threads that compute elements of C: without producer warps.
int multiplyingThreads(const Derived& d) {
  return d.results > 0 ? d.blockM * d.blockN / d.results : d.threads;
}

// Per warp that multiplies.
QString perWarpAndTile(const Derived& d, std::uint64_t instructions, std::uint32_t kTiles) {
  const int warps = multiplyingThreads(d) / 32;
  const QString each = decimal(ratio(instructions, std::uint64_t(warps) * kTiles));
  return (warps < d.warps ? Words::tr("%1 per consumer warp and K tile")
                          : Words::tr("%1 per warp and K tile"))
      .arg(each);
}

Fact warpFact(const Derived& d) {
  QString tip = Words::tr(
      "Threads of one block: the elements of its tile of C, divided by the results "
      "per thread. Follows from the tile parameters.");
  if (const int producers = d.warps - multiplyingThreads(d) / 32; producers > 0)
    tip += QLatin1Char(' ') + counted(producers, Words::tr("1 producer warp comes on top."),
                                      Words::tr("%1 producer warps come on top."));
  return {QString::number(d.threads),
          Words::tr("threads per block"),
          counted(d.warps, Words::tr("1 warp"), Words::tr("%1 warps")),
          false,
          FactGroup::Work,
          false,
          tip};
}

Fact resultFact(const Stage& stage, const Features& features, const Derived& d) {
  Fact f{QString::number(d.results), Words::tr("results per thread"), {}};
  f.group = FactGroup::Work;
  f.tip = Words::tr(
      "Elements of C that one thread computes, each in an accumulator register of its own. Follows "
      "from the tile parameters.");
  if (features.warpMma) {
    const MmaRow& mma = *stage.mma();
    const int sums = static_cast<int>(mma.laneC());
    f.note = Words::tr("%1 in each of %2 tiles %3 × %4")
                 .arg(sums)
                 .arg(d.results / sums)
                 .arg(mma.rows)
                 .arg(mma.columns);
    f.tip += Words::tr(
                 " The warp multiplies its tile in instruction tiles of %1 × %2 elements. Every "
                 "lane holds %3 sums of each, in FP32.")
                 .arg(mma.rows)
                 .arg(mma.columns)
                 .arg(sums);
  }
  if (features.warpgroupMma) {
    const int threads = multiplyingThreads(d);
    const int products = threads > 0 ? d.blockM / 64 * 128 / threads : 0;
    f.note = products == 1 ? Words::tr("of one wgmma of 64 rows")
                           : Words::tr("of %1 wgmma of 64 rows").arg(products);
    f.tip += Words::tr(
        " A warpgroup of four warps multiplies 64 rows of A at a time by all columns of the tile "
        "of B. Each of its warps holds the sums of 16 of these rows, in FP32.");
  }
  if (d.wmiter > 0) {
    const int subtiles = d.wmiter * d.wniter;
    f.note = subtiles == 1
                 ? Words::tr("in one thread tile")
                 : Words::tr("in %1 thread tiles of %2").arg(subtiles).arg(d.results / subtiles);
    f.tip +=
        Words::tr(
            " The warp covers its tile in %1 × %2 steps of %3 × %4 elements; a thread owns one "
            "thread tile in each.")
            .arg(d.wmiter)
            .arg(d.wniter)
            .arg(d.wsubm)
            .arg(d.wsubn);
  }
  return f;
}

Fact sharedFact(const Features& features, const Derived& d) {
  const double kib = d.sharedBytes / 1024.0;
  Fact f{d.sharedBytes % 1024 == 0 ? QString::number(d.sharedBytes / 1024) : decimal(kib),
         Words::tr("KiB shared memory per block"),
         {}};
  f.group = FactGroup::Memory;
  f.tip = Words::tr(
      "Shared memory of one block: all stages of its K tiles of A and B, with the padding. Follows "
      "from the tile parameters.");
  if (d.sharedBytes == 0) {
    f.note = Words::tr("global memory only");
  } else {
    const bool wideA = d.loadWidthA == 16, wideB = d.loadWidthB == 16;
    const bool tensor = features.warpMma;
    if (tensor) f.tip += Words::tr(" An element has 2 bytes, so a 16-byte fetch has 8 elements.");
    if (features.tma) {
      f.tip += d.barriers > d.buffers
                   ? Words::tr(" Each stage also has two mbarriers of 8 bytes, full and empty.")
                   : Words::tr(" Each stage also has an mbarrier of 8 bytes.");
      f.note = Words::tr("a K tile takes %1 of A, %2 of B")
                   .arg(d.loadsA == 1 ? Words::tr("1 box") : Words::tr("%1 boxes").arg(d.loadsA))
                   .arg(d.loadsB);
      return f;
    }
    f.note = (tensor  ? Words::tr("a thread fetches 16 bytes %1 × of A, %2 × of B")
              : wideA ? Words::tr("a thread fetches %1 float4 of A, %2 of B")
              : wideB ? Words::tr("a thread fetches %1 floats of A, %2 float4 of B")
                      : Words::tr("a thread fetches %1 floats of A, %2 of B"))
                 .arg(d.loadsA)
                 .arg(d.loadsB);
  }
  return f;
}

Fact blocksFact(const Stage& stage, const Derived& d) {
  analysis::BlockNeeds needs;
  needs.threads = d.threads;
  needs.sharedBytes = d.sharedBytes;
  needs.registers = d.values;
  const Architecture& arch = defaultArchitecture();
  const auto o = analysis::occupancy(arch, needs);
  // Only a compiler knows all registers; the values that a thread must hold give a bound.
  return {Words::tr("≤ %1").arg(o.blocks),
          Words::tr("blocks per SM"),
          (stage.ladder == Ladder::Tensor ? Words::tr("%1, at least %2 registers per thread")
                                          : Words::tr("%1, %2 values per thread"))
              .arg(toQString(arch.name))
              .arg(needs.registers),
          false,
          FactGroup::Occupancy,
          false,
          Words::tr("The most blocks that one SM can hold at a time. Only a compiler knows all "
                    "registers: this bound counts the values that a thread must hold.")};
}

Fact realBlocksFact(const KernelFacts& k) {
  Fact f{QString::number(k.blocks), Words::tr("blocks per SM"), {}};
  f.group = FactGroup::Occupancy;
  f.tip = Words::tr(
      "Blocks that one SM holds at a time: the fewest that its registers, shared memory, threads "
      "and slots for blocks allow. Computed from the registers of the compiled kernel.");
  f.note = k.mostWarps > 0 ? Words::tr("%1 of %2 warps").arg(k.warps).arg(k.mostWarps) : k.arch;
  return f;
}

// `achieved`: the counted one; empty: no run was counted.
Fact theoreticalOccupancy(const std::optional<KernelFacts>& kernel, const QString& achieved) {
  Fact f{Words::tr("–"), Words::tr("% theoretical occupancy"),
         achieved.isEmpty() ? Words::tr("no run counted")
                            : Words::tr("achieved: %1 %, counted").arg(achieved)};
  f.group = FactGroup::Occupancy;
  f.headline = true;
  f.tip = Words::tr(
      "Warps that an SM holds at a time, over those that it could hold. Computed from the "
      "registers "
      "and the shared memory.");
  if (kernel && kernel->mostWarps > 0) {
    f.value = QString::number(100.0 * kernel->warps / kernel->mostWarps, 'f', 1);
    f.tip += Words::tr(" Here %1 of %2 warps.").arg(kernel->warps).arg(kernel->mostWarps);
  }
  f.tip += achieved.isEmpty()
               ? Words::tr(" No run has been counted.")
               : Words::tr(
                     " The achieved occupancy is the average while the kernel ran, counted by "
                     "the hardware.");
  return f;
}

Fact registerFact(const KernelFacts& k) {
  Fact f{QString::number(k.registers), Words::tr("registers/thread"), {}};
  f.group = FactGroup::Occupancy;
  f.headline = true;
  f.tip = Words::tr(
              "32-bit registers that the compiler gives each thread; an SM has 65,536. What does "
              "not fit spills to local memory. Reported by %1 for %2.")
              .arg(k.source, k.arch);
  for (const QString& remark : k.remarks) f.tip += Words::tr("\n\nSlow: %1.").arg(remark);
  if (k.spillBytes > 0) {
    f.trouble = true;
    f.note = Words::tr("spills %1 bytes").arg(k.spillBytes);
  } else if (!k.remarks.isEmpty()) {
    f.trouble = true;
    f.note = Words::tr("slow, says ptxas");
  } else {
    f.note = Words::tr("%1, %2").arg(k.arch, k.source);
  }
  return f;
}

// The elements of one mma.
Fact instructionFact(const MmaRow& mma, const Derived& d, const analysis::Totals& t,
                     std::uint32_t kTiles) {
  return {Words::tr("%1 × %2 × %3").arg(mma.rows).arg(mma.columns).arg(mma.depth),
          Words::tr("elements per mma"),
          perWarpAndTile(d, t.tensorInstructions, kTiles),
          false,
          FactGroup::Work,
          false,
          Words::tr("Rows and columns of C, and elements of K. One mma instruction of a warp "
                    "multiplies %1 × %2 elements of A by %2 × %3 of B: %4 multiply-adds. The "
                    "instructions of a K tile are counted in the trace.")
              .arg(mma.rows)
              .arg(mma.depth)
              .arg(mma.columns)
              .arg(figures::grouped(mma.products()))};
}

// The elements of one wgmma.
Fact groupInstructionFact(const MmaRow& mma, const Derived& d, const analysis::Totals& t,
                          std::uint32_t kTiles) {
  return {
      Words::tr("%1 × %2 × %3").arg(mma.rows).arg(d.blockN).arg(mma.depth),
      Words::tr("elements per wgmma"),
      perWarpAndTile(d, t.productInstructions, kTiles),
      false,
      FactGroup::Work,
      false,
      Words::tr("Rows and columns of C, and elements of K. Four warps together issue one wgmma, "
                "which multiplies 64 × 16 elements of A by 16 × %1 of B; the tensor core reads "
                "both from shared memory. The instructions of a K tile are counted in the trace.")
          .arg(d.blockN)};
}

Fact withArbitration(Fact fact) {
  fact.tip += QLatin1Char(' ') + toQString(runs::kArbitration);
  return fact;
}

Fact operandFact(const analysis::Totals& t) {
  Fact f{decimal(ratio(4 * t.productWavefronts, t.productInstructions)),
         Words::tr("wavefronts per wgmma"), Words::tr("no bank conflict")};
  f.group = FactGroup::Memory;
  f.tip = Words::tr(
      "Passes of shared memory in which the tensor core reads the operands of one wgmma: one for "
      "each 8 × 8 elements, if their 8 rows of 16 bytes are in different banks. Counted in the "
      "trace, from the addresses in the descriptors.");
  if (t.productConflicts > 0) {
    f.trouble = true;
    f.note = Words::tr("%1 % by bank conflicts")
                 .arg(figures::wholePercent(ratio(t.productConflicts, t.productWavefronts)));
  }
  return withArbitration(std::move(f));
}

Fact matrixReuseFact(const Stage& stage, const analysis::Totals& t) {
  return {decimal(ratio(t.warpMultiplyAdds, t.matrixLoadInstructions)),
          Words::tr("multiply-adds per ldmatrix"),
          Words::tr("%1 per wavefront of shared memory")
              .arg(decimal(ratio(t.warpMultiplyAdds, analysis::servedWavefronts(t, stage)))),
          false,
          FactGroup::Work,
          false,
          Words::tr("Multiply-adds of a warp for each ldmatrix, in the main loop: the reuse of "
                    "fragments in registers. The wavefronts are those of matrix loads, of stores "
                    "and of writes by copies. Per cycle an SM serves one wavefront, and on %1 "
                    "its tensor cores compute %2 multiply-adds. Counted in the trace.")
              .arg(toQString(defaultArchitecture().name),
                   figures::grouped(tensorPerCycle(defaultArchitecture(), *stage.mma())))};
}

Fact matrixWavefrontFact(const analysis::Totals& t) {
  Fact f{decimal(ratio(t.matrixLoadWavefronts, t.matrixLoadInstructions)),
         Words::tr("wavefronts per ldmatrix"), Words::tr("no bank conflict")};
  f.group = FactGroup::Memory;
  f.tip = Words::tr(
      "Passes of shared memory that an ldmatrix of a warp takes, on average in the main loop: at "
      "least 4, one for each of its 8 × 8 matrices. Another layout could save those that bank "
      "conflicts add. Counted in the trace, by a rule that matches the hardware's counters.");
  if (t.matrixLoadConflicts > 0) {
    f.trouble = true;
    f.note = Words::tr("%1 % by bank conflicts")
                 .arg(figures::wholePercent(ratio(t.matrixLoadConflicts, t.matrixLoadWavefronts)));
  }
  return withArbitration(std::move(f));
}

Fact reuseFact(const analysis::Totals& t) {
  if (t.sharedLoadInstructions == 0) {
    return {decimal(ratio(t.ffmaThreadInstructions, t.fetchFloats())),
            Words::tr("FMAs per global load"),
            {},
            false,
            FactGroup::Work,
            false,
            Words::tr("Multiply-adds for each float that is loaded from global memory, in the main "
                      "loop. Counted in the trace.")};
  }
  return {decimal(analysis::fmasPerSharedLoad(t)),
          Words::tr("FMAs per shared load"),
          Words::tr("in the main loop"),
          false,
          FactGroup::Work,
          false,
          Words::tr("Multiply-adds of a thread for each load instruction from shared memory, in "
                    "the main loop: the reuse of registers. Counted in the trace.")};
}

Fact wavefrontFact(const analysis::Totals& t) {
  Fact f{decimal(ratio(t.sharedLoadWavefronts, t.sharedLoadInstructions)),
         Words::tr("wavefronts per load"), Words::tr("no bank conflict")};
  f.group = FactGroup::Memory;
  f.tip = Words::tr(
      "Passes of shared memory that a load instruction of a warp takes, on average in the main "
      "loop. Another layout could save those that bank conflicts add. Counted in the trace, by a "
      "rule that matches the hardware's counters.");
  if (t.sharedLoadInstructions == 0) {
    f.value = Words::tr("–");
    f.note = Words::tr("no shared memory");
  } else if (t.sharedLoadConflicts > 0) {
    f.trouble = true;
    f.note = Words::tr("%1 % by bank conflicts")
                 .arg(figures::wholePercent(ratio(t.sharedLoadConflicts, t.sharedLoadWavefronts)));
  }
  return withArbitration(std::move(f));
}

Fact storeFact(const analysis::Totals& t) {
  Fact f{decimal(ratio(t.fillWavefronts(), t.fillInstructions())),
         Words::tr("wavefronts per store"), Words::tr("no bank conflict")};
  f.group = FactGroup::Memory;
  f.tip = Words::tr(
      "Passes of shared memory that a store or an asynchronous copy of a warp takes, on average in "
      "the main loop. Counted in the trace.");
  if (t.fillInstructions() == 0) {
    f.value = Words::tr("–");
    f.note = Words::tr("no shared memory");
  } else if (t.fillConflicts() > 0) {
    f.trouble = true;
    f.note = Words::tr("%1 % by bank conflicts")
                 .arg(figures::wholePercent(ratio(t.fillConflicts(), t.fillWavefronts())));
  }
  return withArbitration(std::move(f));
}

Fact sectorFact(const analysis::Totals& t) {
  const double ideal = ratio(t.fetchIdealSectors(), t.fetchRequests());
  Fact f{decimal(ratio(t.fetchSectors(), t.fetchRequests())), Words::tr("sectors per request"),
         Words::tr("the fewest possible")};
  f.group = FactGroup::Memory;
  f.tip = Words::tr(
      "Sectors of 32 bytes that one load of a warp from global memory fetches, on average in the "
      "main loop. Counted in the trace.");
  if (t.fetchSectors() > t.fetchIdealSectors()) {
    f.trouble = true;
    f.note = Words::tr("%1 suffice").arg(decimal(ideal));
  }
  return f;
}

// The boxes of TMA loads.
Fact boxFact(const emulator::Trace& trace) {
  QStringList sizes;
  for (const Box& box : trace.rung()->boxes(trace.tile))
    sizes += QStringLiteral("%1 × %2").arg(box.rows).arg(box.columns);
  Fact f{sizes.value(0), Words::tr("elements per box of A"),
         Words::tr("%1 per box of B").arg(sizes.value(1))};
  f.group = FactGroup::Memory;
  f.tip = Words::tr(
      "Rows and columns that one TMA load moves; one thread issues it. In shared memory a row of a "
      "box is as wide as SWIZZLE says, and its 16-byte chunks are swizzled so that reads have no "
      "bank conflicts. Follows from the tile parameters.");
  return f;
}

}  // namespace

std::vector<Fact> factsOf(const analysis::Recording& recording,
                          const std::optional<KernelFacts>& kernel) {
  const Stage& stage = *recording.trace.rung();
  const Derived d = derive(stage, recording.trace.tile);
  // Facts are of the main loop; in a short trace the epilogue would weigh far too much.
  const analysis::LoopTotals loop = analysis::loopTotals(recording);
  const Features& features = recording.trace.features();
  const analysis::Totals& t = loop.totals;
  std::vector<Fact> facts = {warpFact(d), resultFact(stage, features, d), sharedFact(features, d),
                             kernel ? realBlocksFact(*kernel) : blocksFact(stage, d)};
  // Has a place, known or not, so that figures do not move during compilation.
  facts.push_back(kernel && kernel->registers >= 0
                      ? registerFact(*kernel)
                      : Fact{Words::tr("–"), Words::tr("registers/thread"),
                             Words::tr("not known yet"), false, FactGroup::Occupancy, true,
                             Words::tr("No compiler and no recorded run has reported them yet.")});
  if (const MmaRow* mma = recording.trace.mma(); features.warpgroupMma && mma != nullptr) {
    for (const Fact& f : {groupInstructionFact(*mma, d, t, loop.kTiles), operandFact(t)})
      facts.push_back(f);
  } else if (features.warpMma && mma != nullptr) {
    for (const Fact& f : {instructionFact(*mma, d, t, loop.kTiles),
                          matrixReuseFact(*recording.trace.rung(), t), matrixWavefrontFact(t)})
      facts.push_back(f);
  } else {
    for (const Fact& f : {reuseFact(t), wavefrontFact(t)}) facts.push_back(f);
  }
  if (features.tma) {
    facts.push_back(boxFact(recording.trace));
  } else {
    for (const Fact& f : {storeFact(t), sectorFact(t)}) facts.push_back(f);
  }
  return facts;
}

FactsPanel::FactsPanel(QWidget* parent) : PaintedView(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void FactsPanel::setRecording(std::shared_ptr<const analysis::Recording> recording) {
  if (recording == m_recording) return;
  m_recording = std::move(recording);
  m_kernel.reset();
  refresh();
}

void FactsPanel::setKernel(const std::optional<KernelFacts>& kernel) {
  if (kernel == m_kernel) return;
  m_kernel = kernel;
  refresh();
}

void FactsPanel::setMeasured(std::vector<Fact> facts) {
  m_measured = std::move(facts);
  refresh();
}

void FactsPanel::setOrigin(const QString& origin) {
  if (origin == m_origin) return;
  m_origin = origin;
  update();
}

void FactsPanel::setStale(bool stale) {
  if (stale == m_stale) return;
  m_stale = stale;
  update();
}

void FactsPanel::refresh() {
  m_facts = m_measured;
  const auto counted = std::ranges::find(m_measured, FactGroup::Occupancy, &Fact::group);
  const bool isCounted = counted != m_measured.end();
  const bool known = m_kernel && m_kernel->mostWarps > 0;
  if (known || isCounted)
    m_facts.push_back(theoreticalOccupancy(m_kernel, isCounted ? counted->value : QString()));
  if (m_recording) {
    for (Fact& fact : factsOf(*m_recording, m_kernel)) m_facts.push_back(std::move(fact));
  }
  updateGeometry();  // different words may need a different number of rows
  update();
  emit factsChanged();
}

std::vector<const Fact*> FactsPanel::headlines() const {
  std::vector<const Fact*> large;
  for (const Fact& f : m_facts) {
    if (f.headline) large.push_back(&f);
  }
  return large;
}

double FactsPanel::rowHeight() const {
  return QFontMetricsF(m_fonts.number).height() * 1.25 +
         (1.2 + kNoteLines) * QFontMetricsF(m_fonts.small).height();
}

// All beside each other in a wide panel; large text leaves no room for two.
int FactsPanel::across(int width) const {
  const QFontMetricsF unit(m_fonts.small), number(numberFont());
  double widest = 1;
  for (const Fact* fact : headlines())
    widest = std::max(
        {widest, unit.horizontalAdvance(fact->unit), number.horizontalAdvance(fact->value)});
  const int columns = std::clamp(static_cast<int>(width / (widest + kGapAcross)), 1, kHeadlines);
  return columns == 3 ? 2 : columns;  // four in one line or in two
}

QFont FactsPanel::numberFont() const {
  return scaledFont(m_fonts.number, 1.15);
}

int FactsPanel::heightForWidth(int width) const {
  const int rows = (kHeadlines + across(width) - 1) / across(width);
  return static_cast<int>(std::ceil(originHeight() + rows * rowHeight()));
}

QSize FactsPanel::sizeHint() const {
  return {320, heightForWidth(320)};
}
QSize FactsPanel::minimumSizeHint() const {
  return {200, static_cast<int>(std::ceil(originHeight() + rowHeight()))};
}

// Known or not, so that the figures do not move.
double FactsPanel::originHeight() const {
  return 1.25 * QFontMetricsF(m_fonts.small).height();
}

QRectF FactsPanel::cell(int headline) const {
  const int columns = across(width());
  const double column = static_cast<double>(width()) / columns;
  return {headline % columns * column, originHeight() + headline / columns * rowHeight(),
          column - kGapAcross, rowHeight()};
}

bool FactsPanel::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto large = headlines();
    QString tip;
    for (std::size_t i = 0; i < large.size(); ++i) {
      if (cell(static_cast<int>(i)).contains(help->pos())) tip = large[i]->tip;
    }
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
  }
  return PaintedView::event(event);
}

void FactsPanel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (m_stale) p.setOpacity(0.4);
  const QFont number = numberFont();
  const double high = QFontMetricsF(number).height();
  const QFontMetricsF small(m_fonts.small);
  const double line = small.height();
  p.setFont(m_fonts.small);
  p.setPen(m_theme.soft);
  p.drawText(QRectF(0, 0, width(), originHeight()), Qt::AlignLeft | Qt::AlignVCenter,
             fitted(m_origin, small, width()));
  const auto large = headlines();
  for (std::size_t i = 0; i < large.size(); ++i) {
    const Fact& fact = *large[i];
    const QRectF place = cell(static_cast<int>(i));
    p.setFont(number);
    p.setPen(m_theme.text);
    p.drawText(place, Qt::AlignLeft | Qt::AlignTop, fact.value);
    p.setFont(m_fonts.small);
    p.setPen(m_theme.soft);
    const QRectF unit(place.left(), place.top() + high, place.width(), line);
    p.drawText(unit, Qt::AlignLeft | Qt::AlignVCenter, fitted(fact.unit, small, unit.width()));
    paintFactNote(p, QRectF(unit.left(), unit.bottom(), unit.width(), kNoteLines * line), fact,
                  m_theme, m_fonts);
  }
}

void paintFactNote(QPainter& p, const QRectF& place, const Fact& fact, const Theme& theme,
                   const Fonts& fonts) {
  const double line = QFontMetricsF(fonts.small).height();
  QRectF note = place;
  if (fact.trouble) {
    // A pattern beside the words, so that trouble does not depend on colour.
    const QRectF mark(note.left(), note.top() + line * 0.2, line * 0.6, line * 0.6);
    figures::fillTrouble(p, mark, theme);
    note.setLeft(note.left() + line * 0.85);
  }
  p.setFont(fonts.small);
  p.setPen(fact.trouble ? theme.trouble : theme.faint);
  if (note.height() < 1.5 * line) {
    p.drawText(note, Qt::AlignLeft | Qt::AlignVCenter,
               fitted(fact.note, QFontMetricsF(fonts.small), note.width()));
  } else {
    drawWrapped(p, note, Qt::AlignLeft | Qt::AlignTop, unbroken(fact.note));
  }
}

}  // namespace tileloom
