// SPDX-License-Identifier: GPL-3.0-or-later
// The window's measuring half: charts, speeds, registers, and what the worker has to say.
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <array>

#include "app/pages/tuning/tuning_view.h"
#include "app/window/main_window.h"
#include "viz/base/labels.h"
#include "viz/base/side_by_side.h"
#include "viz/base/theme.h"
#include "viz/charts/chart_style.h"
#include "viz/charts/history_charts.h"
#include "viz/charts/ladder_chart.h"
#include "viz/code/instruction_table.h"
#include "viz/code/source_strip.h"
#include "viz/code/source_view.h"
#include "viz/memory/bank_view.h"
#include "viz/memory/path_view.h"
#include "viz/panels/facts_panel.h"
#include "viz/panels/knob_panel.h"
#include "viz/panels/ladder_list.h"

namespace tileloom {
LowerTab MainWindow::currentTab() const {
  return static_cast<LowerTab>(m_lower->currentIndex());
}

QWidget* MainWindow::makeLower() {
  m_lower = new QTabWidget;
  m_lower->setDocumentMode(true);
  // Charts scroll or shrink: the loom must not give way to the page that would like most room.
  m_lower->setMinimumHeight(170);
  m_lower->setFocusPolicy(Qt::TabFocus);
  m_banks = new BankView;
  m_baselineBanks = new BankView;
  m_bankPair = new SideBySide(m_baselineBanks, m_banks);
  m_charts = new HistoryCharts;
  m_ladderChart = new LadderChart;
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 4);
  column->setSpacing(2);
  // Charts keep the room that their words need, which large text may not leave them.
  const auto scrolled = [](QWidget* chart) {
    auto* area = new QScrollArea;
    area->setWidget(chart);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
  };
  column->addWidget(scrolled(m_ladderChart), 1);
  m_measureLadder = new QPushButton(tr("Measure all rungs at this size"));
  m_measureLadder->setObjectName(QStringLiteral("measureLadder"));
  m_measureLadder->setFocusPolicy(Qt::TabFocus);
  column->addWidget(m_measureLadder, 0, Qt::AlignRight);
  m_sourceView = new SourceView;
  const auto add = [this](QWidget* view, const QString& name, const QString& tip) {
    m_lower->setTabToolTip(m_lower->addTab(view, name), tip);
  };
  // In the order of LowerTab.
  add(m_bankPair, tr("Banks"), tr("Which banks the latest access touches (B)"));
  m_path = new PathView;
  add(m_path, tr("Path"),
      tr("The way of the latest access: sectors, banks, wavefronts, registers (H)"));
  add(m_sourceView, tr("Source"), tr("What each line of the kernel costs (S)"));
  add(makeSassTab(), tr("SASS"),
      tr("The machine code, its main loop as a ribbon, and what the loop is made of (A)"));
  m_instructions = new InstructionTable;
  add(m_instructions, tr("Instructions"), tr("What each instruction of the block costs (I)"));
  add(makeCompareTab(), tr("Compare"),
      tr("The present tile beside a baseline, and what differs (D)"));
  add(scrolled(m_charts), tr("Charts"),
      tr("Speed, registers and occupancy against the moves of the knobs (C)"));
  add(page, tr("Ladder"), tr("All rungs beside cuBLAS, with what they cost (L)"));
  add(makeRooflineTab(), tr("Roofline"), tr("Speed over FLOP a byte, under the roofs (R)"));
  m_tuning = new TuningView;
  add(scrolled(m_tuning), tr("Tuning"),
      tr("What is known of this rung's tiles: map, lines, list (T)"));
  // Charts want more room than banks, and each tab keeps what the person gave it.
  connect(m_lower, &QTabWidget::currentChanged, this,
          [this, last = 0, sizes = std::array<QList<int>, kLowerTabs>{}](int tab) mutable {
            // The whole source shows what the strip below shows.
            // Machine code has more use for the room.
            m_source->setVisible(tab != static_cast<int>(LowerTab::Source) &&
                                 tab != static_cast<int>(LowerTab::Sass));
            sizes[static_cast<std::size_t>(last)] = m_down->sizes();
            const int all = m_down->height();
            const QList<int>& wanted = sizes[static_cast<std::size_t>(tab)];
            const int lower = wanted.isEmpty() ? all * 55 / 100 : wanted.value(1);
            m_down->setSizes({all - lower, lower});
            last = tab;
          });
  return m_lower;
}

void MainWindow::connectLab() {
  connect(&m_explorer, &Explorer::choiceChanged, this, [this](bool legal) {
    showSize();
    if (m_knobs->tile() != m_explorer.tile())
      m_knobs->setTile(m_explorer.tile(), m_explorer.moved());
    if (legal) {
      m_lab.choose(m_explorer.stage(), m_explorer.tile(), m_explorer.problem());
    } else {
      m_lab.rest();
    }
  });
  connect(&m_lab, &Lab::historyChanged, this, [this] {
    m_charts->setPoints(m_lab.history());
    m_charts->setCurrent(m_lab.current());
    showSpeed();
  });
  connect(&m_lab, &Lab::kernelChanged, this, &MainWindow::showKernel);
  connect(&m_lab, &Lab::cliffsChanged, this, [this] { m_knobs->setCliffs(m_lab.cliffs()); });
  connect(&m_lab, &Lab::ladderChanged, this, [this] {
    m_ladderChart->setBars(m_lab.ladder(), m_explorer.problem(), m_lab.ladderSource());
    m_ladder->setBars(m_lab.ladder());
  });
  connect(&m_lab, &Lab::standingChanged, this, &MainWindow::showStanding);
  connect(m_charts, &HistoryCharts::restoreAsked, this, &MainWindow::restorePoint);
  connect(m_ladderChart, &LadderChart::picked, this,
          [this](const Stage* stage) { m_explorer.setStage(*stage); });
  connect(m_measureLadder, &QPushButton::clicked, this, [this] { m_lab.measureLadder(); });
  connect(m_again, &QPushButton::clicked, this, &MainWindow::restartWorker);
  // The explorer has chosen before anybody listened.
  m_lab.choose(m_explorer.stage(), m_explorer.tile(), m_explorer.problem());
  showStanding();
}

void MainWindow::showKernel() {
  // The facts are those of the recording in the loom, which may lag behind the knobs by a frame.
  m_facts->setKernel(m_lab.kernel());
  const auto& kernel = m_lab.kernel();
  m_explorer.setResidency(kernel && kernel->blocks > 0 ? std::optional(m_lab.residencyOf(*kernel))
                                                       : std::nullopt);
  foretell();
  QString advice = kernel ? tr("Occupancy on %1: %2.").arg(kernel->arch, kernel->nextStep)
                          : tr("Occupancy: no compiler and no recorded run tell this tile's "
                               "registers (yet).");
  if (!m_limit.isEmpty()) advice += tr(" Predicted limit: %1.").arg(m_limit);
  m_advice->setText(advice);
  setInk(*m_advice, Ink::Soft);
}

// The recording in the loom may lag behind the knobs by a frame: then it is the next one's turn.
void MainWindow::foretell() {
  const auto& recording = m_explorer.scene().recording;
  const auto& kernel = m_lab.kernel();
  if (recording == nullptr || recording->trace.stage != &m_explorer.stage() ||
      !(recording->trace.tile == m_explorer.tile()) ||
      !(recording->trace.asked == m_explorer.problem())) {
    return;
  }
  const auto forecast = kernel ? m_forecaster.of(*recording, *kernel) : std::nullopt;
  // It stays while the next recording is on its way, as the recording in the loom does: a text that
  // comes and goes with every move would lay out the panel twice.
  m_limit = forecast ? forecast->limit : QString();
  m_lab.foretell(forecast);
}

void MainWindow::showSpeed() {
  const int at = m_lab.current();
  std::vector<Fact> facts;
  if (at >= 0) {
    const HistoryPoint& p = m_lab.history()[static_cast<std::size_t>(at)];
    const QString standing = p.standing == Standing::Live
                                 ? p.measuring ? tr("live, measuring") : tr("live")
                             : p.standing == Standing::Recorded ? tr("recorded")
                                                                : tr("stale");
    Fact speed{tr("–"), tr("GFLOP/s"),
               p.measuring          ? tr("measuring …")
               : m_lab.canMeasure() ? tr("not measured")
                                    : tr("not recorded")};
    Fact share{tr("–"), tr("% of cuBLAS"), {}};
    if (p.gflops.known()) {
      speed.value = QLocale(QLocale::English).toString(qRound(p.gflops.median));
      speed.note = tr("%1, %2").arg(standing, charts::spreadText(p.gflops));
      if (p.gflops.spread() > runs::kNoisySpread) speed.note += tr(", noisy");
    }
    if (p.ratio.known()) {
      share.value = QString::number(100 * p.ratio.median, 'f', 1);
      share.note = tr("of %1 GFLOP/s in FP32")
                       .arg(QLocale(QLocale::English).toString(qRound(p.cublas.median)));
    }
    if (!p.note.isEmpty()) {
      speed.trouble = true;
      // The sentence below the figures says it already, with room.
      speed.note = m_lab.trouble().isEmpty() ? p.note : tr("the measurement failed");
    }
    facts = {speed, share};
    // A place of its own, known or not, so that figures do not wander.
    const auto number = charts::roughSpeedText;
    facts.push_back(
        {p.forecast ? tr("≈ %1").arg(number(p.forecast->gflops)) : tr("–"), tr("GFLOP/s predicted"),
         p.forecast ? tr("%1 to %2").arg(number(p.forecast->low), number(p.forecast->high))
                    : QString()});
    // Occupancy is a means: it stands beside the instructions that it helps to issue.
    const auto ipc = p.counters[runs::Counter::InstructionsPerCycle];
    const auto achieved = p.counters[runs::Counter::AchievedOccupancy];
    if (ipc && achieved) {
      const auto percent = [](double part) { return QString::number(100 * part, 'f', 1); };
      const auto fma = p.counters[runs::Counter::FmaPipe];
      facts.push_back({QString::number(*ipc, 'f', 2), tr("instructions a cycle"),
                       fma ? tr("FMA pipe %1 %, %2").arg(qRound(100 * *fma)).arg(standing)
                           : tr("counted, %1").arg(standing)});
      facts.push_back(
          {percent(*achieved), tr("% occupancy"),
           p.mostWarps > 0
               ? tr("counted; in theory %1 %").arg(percent(double(p.warps) / p.mostWarps))
               : tr("counted")});
      const auto busy = p.counters[runs::Counter::SmBusy];
      const auto dram = p.counters[runs::Counter::DramBytes];
      const auto l2 = p.counters[runs::Counter::L2Bytes];
      if (busy && dram && l2) {
        facts.push_back(
            {percent(*busy), tr("% of the launch, SMs busy"),
             tr("DRAM %1, L2 %2").arg(charts::bytesText(*dram), charts::bytesText(*l2))});
      }
    }
  }
  m_facts->setMeasured(std::move(facts));
}

void MainWindow::showStanding() {
  m_standing->setText(m_lab.standing());
  setInk(*m_standing, Ink::Soft);
  m_trouble->setText(m_lab.trouble());
  m_trouble->setVisible(!m_lab.trouble().isEmpty());
  setInk(*m_trouble, Ink::Trouble);
  m_again->setVisible(m_lab.gaveUp());
  m_measureLadder->setVisible(m_lab.canMeasure());
}

void MainWindow::restartWorker() {
  m_lab.restartWorker();
  showStanding();
}

void MainWindow::restorePoint(int point) {
  if (point < 0 || point >= static_cast<int>(m_lab.history().size())) return;
  const HistoryPoint p = m_lab.history()[static_cast<std::size_t>(point)];
  m_explorer.setStage(*p.stage);
  m_explorer.setTile(p.tile);
  m_explorer.setProblem(p.problem);
}

void MainWindow::importRuns() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Import runs"), {},
                                                    tr("Runs, one a line (*.jsonl);;All (*)"));
  if (file.isEmpty()) return;
  const auto done = m_lab.importRuns(file.toStdString());
  if (done) {
    QMessageBox::information(this, tr("Import runs"), *done);
  } else {
    QMessageBox::warning(this, tr("Import runs"), done.error());
  }
}

void MainWindow::exportRuns() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Export runs"), tr("runs.jsonl"),
                                                    tr("Runs, one a line (*.jsonl)"));
  if (file.isEmpty()) return;
  const auto done = m_lab.exportRuns(file.toStdString());
  if (!done) QMessageBox::warning(this, tr("Export runs"), done.error());
}

}  // namespace tileloom
