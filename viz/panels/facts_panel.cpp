// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/facts_panel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include "kernels/analysis/occupancy.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/totals.h"
#include "kernels/tile/derived.h"
#include "viz/base/describe.h"
#include "viz/base/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Facts)
};

QString decimal(double value) {
  return QLocale::c().toString(value, 'f', value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

Fact warpFact(const Derived& d) {
  return {QString::number(d.threads), Words::tr("threads per block"),
          counted(d.warps, Words::tr("1 warp"), Words::tr("%1 warps"))};
}

Fact resultFact(const Stage& stage, const Derived& d) {
  Fact f{QString::number(d.results), Words::tr("results per thread"), {}};
  if (stage.is(Trait::WarpTile)) {
    f.note = Words::tr("%1 × %2 subtiles of %3 × %4")
                 .arg(d.wmiter)
                 .arg(d.wniter)
                 .arg(d.wsubm)
                 .arg(d.wsubn);
  }
  return f;
}

Fact sharedFact(const Derived& d) {
  const double kib = d.sharedBytes / 1024.0;
  Fact f{d.sharedBytes % 1024 == 0 ? QString::number(d.sharedBytes / 1024) : decimal(kib),
         Words::tr("KiB shared per block"),
         {}};
  if (d.sharedBytes == 0) {
    f.note = Words::tr("global memory only");
  } else {
    const bool wideA = d.loadWidthA == 16, wideB = d.loadWidthB == 16;
    f.note = (wideA   ? Words::tr("%1 + %2 float4 per thread")
              : wideB ? Words::tr("%1 floats + %2 float4 per thread")
                      : Words::tr("%1 + %2 floats per thread"))
                 .arg(d.loadsA)
                 .arg(d.loadsB);
  }
  return f;
}

Fact blocksFact(const Derived& d) {
  analysis::BlockNeeds needs;
  needs.threads = d.threads;
  needs.sharedBytes = d.sharedBytes;
  needs.registers = d.results + d.fragments;
  const Architecture& arch = defaultArchitecture();
  const auto o = analysis::occupancy(arch, needs);
  // Only a compiler knows all registers; what a thread has to hold anyway gives a bound.
  return {Words::tr("≤ %1").arg(o.blocks), Words::tr("blocks per SM"),
          Words::tr("%1, %2 values per thread").arg(toQString(arch.name)).arg(needs.registers)};
}

Fact realBlocksFact(const KernelFacts& k) {
  Fact f{QString::number(k.blocks), Words::tr("blocks per SM"), {}};
  f.note = k.mostWarps > 0 ? Words::tr("%1 of %2 warps").arg(k.warps).arg(k.mostWarps) : k.arch;
  return f;
}

Fact registerFact(const KernelFacts& k) {
  Fact f{QString::number(k.registers), Words::tr("registers per thread"), {}};
  if (k.spillBytes > 0) {
    f.trouble = true;
    f.note = Words::tr("spills %1 bytes").arg(k.spillBytes);
  } else {
    f.note = Words::tr("%1, %2").arg(k.arch, k.source);
  }
  return f;
}

Fact reuseFact(const analysis::Totals& t) {
  const auto r = analysis::reuse(t);
  if (t.sharedLoadInstructions == 0) {
    return {decimal(ratio(t.ffmaThreadInstructions, t.fetchFloats())),
            Words::tr("FMAs a global load"),
            {}};
  }
  return {decimal(r.fmasPerSharedLoad), Words::tr("FMAs per shared load"),
          Words::tr("in the K loop")};
}

Fact wavefrontFact(const analysis::Totals& t) {
  Fact f{decimal(ratio(t.sharedLoadWavefronts, t.sharedLoadInstructions)),
         Words::tr("wavefronts per load"), Words::tr("no conflict")};
  if (t.sharedLoadInstructions == 0) {
    f.value = Words::tr("–");
    f.note = Words::tr("no shared memory");
  } else if (t.sharedLoadConflicts > 0) {
    f.trouble = true;
    f.note = Words::tr("%1 % are conflicts")
                 .arg(qRound(100 * ratio(t.sharedLoadConflicts, t.sharedLoadWavefronts)));
  }
  return f;
}

Fact storeFact(const analysis::Totals& t) {
  Fact f{decimal(ratio(t.fillWavefronts(), t.fillInstructions())),
         Words::tr("wavefronts per store"), Words::tr("no conflict")};
  if (t.fillInstructions() == 0) {
    f.value = Words::tr("–");
    f.note = Words::tr("no shared memory");
  } else if (t.fillConflicts() > 0) {
    f.trouble = true;
    f.note = Words::tr("%1 % are conflicts")
                 .arg(qRound(100 * ratio(t.fillConflicts(), t.fillWavefronts())));
  }
  return f;
}

Fact sectorFact(const analysis::Totals& t) {
  const double ideal = ratio(t.fetchIdealSectors(), t.fetchRequests());
  Fact f{decimal(ratio(t.fetchSectors(), t.fetchRequests())), Words::tr("sectors per request"),
         Words::tr("the fewest possible")};
  if (t.fetchSectors() > t.fetchIdealSectors()) {
    f.trouble = true;
    f.note = Words::tr("%1 would do").arg(decimal(ideal));
  }
  return f;
}

}  // namespace

std::vector<Fact> factsOf(const analysis::Recording& recording,
                          const std::optional<KernelFacts>& kernel) {
  const Stage& stage = *recording.trace.stage;
  const Derived d = derive(stage, recording.trace.tile);
  // The loop decides; a short trace would count the epilogue far too often.
  const analysis::Totals& t = recording.loop();
  std::vector<Fact> facts = {warpFact(d), resultFact(stage, d), sharedFact(d),
                             kernel ? realBlocksFact(*kernel) : blocksFact(d)};
  // A place of its own, known or not: figures do not wander while a compiler works.
  facts.push_back(
      kernel && kernel->registers >= 0
          ? registerFact(*kernel)
          : Fact{Words::tr("–"), Words::tr("registers per thread"), Words::tr("not known yet")});
  for (const Fact& f : {reuseFact(t), wavefrontFact(t), storeFact(t), sectorFact(t)})
    facts.push_back(f);
  return facts;
}

FactsPanel::FactsPanel(QWidget* parent) : PaintedView(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
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

void FactsPanel::refresh() {
  const int before = rows(width());
  m_facts = m_measured;
  if (m_recording) {
    for (Fact& fact : factsOf(*m_recording, m_kernel)) m_facts.push_back(std::move(fact));
  }
  if (rows(width()) != before) updateGeometry();
  update();
}

int FactsPanel::rows(int width) const {
  // Room for all of them, known or not: the panel keeps its height while a compiler works.
  const int most = static_cast<int>(m_measured.size()) + 9;
  return (most + columns(width) - 1) / columns(width);
}

int FactsPanel::columns(int width) const {
  const double need = QFontMetricsF(m_fonts.small).averageCharWidth() * 22;
  // Two may elide their notes; where even the units would not fit, there is one.
  return std::clamp(static_cast<int>(width / need), width < 1.5 * need ? 1 : 2, 4);
}

QSize FactsPanel::sizeHint() const {
  return {320, heightForWidth(320)};
}
QSize FactsPanel::minimumSizeHint() const {
  return {200, heightForWidth(std::max(200, width()))};
}

int FactsPanel::heightForWidth(int width) const {
  const double row =
      QFontMetricsF(m_fonts.number).height() + 2.4 * QFontMetricsF(m_fonts.small).height();
  return static_cast<int>(rows(width) * row);
}

void FactsPanel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  const int across = columns(width());
  const double number = QFontMetricsF(m_fonts.number).height();
  const QFontMetricsF small(m_fonts.small);
  const double line = small.height();
  const double rowHeight = number + 2.4 * line;
  const double columnWidth = static_cast<double>(width()) / across;
  for (std::size_t i = 0; i < m_facts.size(); ++i) {
    const Fact& fact = m_facts[i];
    const auto n = static_cast<int>(i);
    const QRectF cell((n % across) * columnWidth, (n / across) * rowHeight, columnWidth - 6,
                      rowHeight);
    p.setFont(m_fonts.number);
    p.setPen(m_theme.text);
    p.drawText(cell, Qt::AlignLeft | Qt::AlignTop, fact.value);
    p.setFont(m_fonts.small);
    p.setPen(m_theme.soft);
    const QRectF unit(cell.left(), cell.top() + number, cell.width(), line);
    p.drawText(unit, Qt::AlignLeft | Qt::AlignVCenter, fact.unit);
    QRectF note = unit.translated(0, line);
    if (fact.trouble) {
      // A pattern beside the words, so that trouble is not a matter of colour.
      p.fillRect(QRectF(note.left(), note.top() + line * 0.2, line * 0.6, line * 0.6),
                 m_theme.troublePattern());
      note.setLeft(note.left() + line * 0.85);
    }
    p.setPen(fact.trouble ? m_theme.trouble : m_theme.faint);
    p.drawText(note, Qt::AlignLeft | Qt::AlignVCenter,
               small.elidedText(fact.note, Qt::ElideRight, note.width()));
  }
}

}  // namespace tileloom
