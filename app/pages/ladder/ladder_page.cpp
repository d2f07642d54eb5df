// SPDX-License-Identifier: GPL-3.0-or-later
// All rungs beside cuBLAS, with what they cost.
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/pages/chart_page.h"
#include "app/services/forecasts/launch_figures.h"
#include "app/services/measuring/fastest_tile.h"
#include "app/services/services.h"
#include "app/services/teaching/ladder_order.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/literature.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/charts/ladder/ladder_chart.h"

namespace tileloom {
namespace {

// Only runs that ship: a sweep made here would be compared with a rung that has none.
std::optional<FastestTile> fastestRecorded(const LadderBar& bar, const Problem& problem) {
  std::vector<const runs::RunRecord*> recorded;
  for (const runs::RunRecord& run : runs::recordings()) {
    if (run.stage == bar.rung()->id && run.format == bar.format) recorded.push_back(&run);
  }
  return fastestTile(recorded, *bar.rung(), problem, bar.format, bar.device.toStdString());
}

class LadderPage : public ChartPage<LadderChart> {
 public:
  LadderPage(const PageRow& row, PageContext& context) : ChartPage(row, context) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(2);
    column->addWidget(&chart(), 1);
    auto* measure = new QPushButton(tr("Measure all rungs at this size"));
    measure->setObjectName(QStringLiteral("measureLadder"));
    measure->setFocusPolicy(Qt::TabFocus);
    m_order = new Prose;
    m_order->setObjectName(QStringLiteral("ladderOrder"));
    m_large = new QPushButton(tr("Show %1").arg(kLadderOrderSize));
    m_large->setObjectName(QStringLiteral("ladderLarge"));
    m_large->setFocusPolicy(Qt::TabFocus);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(10, 0, 4, 0);
    line->addWidget(m_order, 1);
    line->addWidget(m_large);
    line->addStretch();
    line->addWidget(measure);
    column->addLayout(line);
    m_room = qobject_cast<QScrollArea*>(scrolled(page));
    setWidget(m_room);
    // The scroll bar learns the new height of the chart after the chart.
    connect(m_room->verticalScrollBar(), &QScrollBar::rangeChanged, this, &LadderPage::showPresent);
    connect(m_room->verticalScrollBar(), &QScrollBar::actionTriggered, this,
            [this] { m_follows = false; });
    showOrder();

    Services& s = services();
    connect(&chart(), &LadderChart::picked, &s.explorer,
            [&s](const Stage* stage) { s.explorer.setStage(*stage); });
    connect(measure, &QPushButton::clicked, &s.lab, [&s] { s.lab.measureLadder(); });
    connect(m_large, &QPushButton::clicked, &s.explorer, [&s] {
      s.explorer.setProblem({kLadderOrderSize, kLadderOrderSize, kLadderOrderSize});
    });
    const auto offer = [&s, measure] { measure->setVisible(s.lab.canMeasure()); };
    offer();
    connect(&s.lab, &Lab::workerStatusChanged, this, offer);
    const auto show = [this, &s] {
      chart().setBars(s.lab.ladder(), s.explorer.problem(), s.lab.ladderSource(),
                      {s.lab.ladderSource(Ladder::Fp32), s.lab.ladderSource(Ladder::Tensor)});
    };
    connect(&s.lab, &Lab::ladderChanged, this, show);
    show();
    refreshWithFigures();
  }

  Caption caption(Caption usual) const override {
    const Services& s = services();
    usual.title = tr("The ladder against cuBLAS at %1")
                      .arg(QString::fromStdString(toString(s.explorer.problem())));
    usual.shown =
        tr("every rung at its default tile: in percent of cuBLAS in FP32, on tensor cores of "
           "cublasGemmEx in bf16; hatched: the shortfall to the rung before it; FLOP per byte of "
           "DRAM counted (≈: predicted), of L1 and conflicts from the trace; A6000: %1")
            .arg(toQString(kLiterature));
    if (!s.lab.ladderSource().isEmpty()) usual.origin = s.lab.ladderSource();
    return usual;
  }

  void prepare() override { refreshWithAllTotals(); }
  // The page scrolls, a picture does not: it is as high as both ladders.
  double leastHeight(double width, const QFont&) const override {
    return chart().leastHeight(static_cast<int>(width));
  }

 protected:
  void cameToFront() override {
    services().ceilings.forget();
    refresh();
  }
  void refresh() override {
    Services& s = services();
    const model::Machine machine = machineOf(s.ceilings.get());
    const Problem problem = s.explorer.problem();
    std::vector<LadderFigures> figures;
    for (const LadderBar& bar : chart().bars()) {
      LadderFigures& f = figures.emplace_back();
      if (bar.rung() == nullptr) continue;
      if (const auto run = s.lab.speedOf(bar, problem); run && run->gflops == bar.gflops)
        f.library = run->cublas;
      f.fastest = fastestRecorded(bar, problem);
      if (const auto kernel = s.lab.kernelOf(bar)) {
        f.registers = kernel->registers;
        f.spillBytes = kernel->spillBytes;
        f.mainLoop = kernel->mainLoop;
        if (kernel->mostWarps > 0) f.occupancy = double(kernel->warps) / kernel->mostWarps;
      }
      const auto point = launchFigures(s, bar, problem, machine, RungTotals::Urgency::Later);
      if (!point) continue;
      f.traced = true;
      f.dramIntensity = point->traffic.intensity(model::MemoryLevel::Dram);
      f.dramCounted = point->traffic.counted(model::MemoryLevel::Dram);
      f.sharedIntensity = point->traffic.intensity(model::MemoryLevel::Shared);
      if (point->traffic.sharedBytes > 0)
        f.conflictShare = model::conflictShare(*s.totals.of({bar, problem}));
    }
    chart().setFigures(std::move(figures), &s.explorer.stage());
    showOrder();
    if (std::exchange(m_shown, &s.explorer.stage()) == &s.explorer.stage()) return;
    m_follows = true;
    QTimer::singleShot(0, &chart(), [this] { showPresent(); });
  }

 private:
  // The order of the tensor ladder holds for large problems: at another size a sentence says so,
  // and a button selects the large one.
  void showOrder() {
    const Services& s = services();
    const QString sentence = s.explorer.stage().ladder == Ladder::Tensor
                                 ? ladderOrderSentence(chart().bars(), s.explorer.problem())
                                 : QString();
    m_order->setText(sentence);
    m_order->setVisible(!sentence.isEmpty());
    m_large->setVisible(!sentence.isEmpty());
  }

  // Where both ladders do not fit, that of the present rung is in view, until the user scrolls.
  void showPresent() {
    const auto bars = chart().bars();
    const auto at = std::ranges::find(bars, m_shown, &LadderBar::rung);
    if (!m_follows || at == bars.end()) return;
    const QRect ladder = chart().ladderRect(static_cast<int>(at - bars.begin()));
    m_room->verticalScrollBar()->setValue(0);
    m_room->ensureVisible(ladder.left(), ladder.bottom(), 0, 0);
    m_room->ensureVisible(ladder.left(), ladder.top(), 0, 0);
  }

  QScrollArea* m_room = nullptr;
  Prose* m_order = nullptr;
  QPushButton* m_large = nullptr;
  const Stage* m_shown = nullptr;
  bool m_follows = false;  // keeps the ladder of the present rung in view
};

}  // namespace

const PageRow& ladder_page() {
  static constexpr PageRow row{
      .id = "ladder",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Ladder"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "&Ladder chart"),
      .key = Qt::Key_L,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page", "All rungs beside cuBLAS, with what they cost"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The l&adder chart…"),
      .make = makePage<LadderPage, ladder_page>,
      .showsBothSides = true,
      .exportsData = true,
  };
  return row;
}

}  // namespace tileloom
