// SPDX-License-Identifier: GPL-3.0-or-later
// The window's roofline: a tab with the chart and the choice of levels, and the totals behind it.
#include <QButtonGroup>
#include <QCoreApplication>
#include <QEventLoop>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/services/device_ceilings.h"
#include "app/services/tuner.h"
#include "app/window/main_window.h"
#include "viz/charts/ladder_chart.h"
#include "viz/charts/roofline_chart.h"
#include "viz/charts/roofline_words.h"

namespace tileloom {

QWidget* MainWindow::makeRooflineTab() {
  m_roofline = new RooflineChart;
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 2, 0, 0);
  column->setSpacing(2);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 0, 8, 0);
  row->setSpacing(2);
  auto* label = new QLabel(tr("Intensity at"));
  row->addWidget(label);
  row->addSpacing(6);
  auto* levels = new QButtonGroup(page);
  for (const RooflineLevel level : kRooflineLevels) {
    auto* button = new QToolButton;
    button->setText(charts::levelName(level));
    button->setCheckable(true);
    button->setAutoRaise(true);  // the pressed one stands out
    button->setChecked(level == m_roofline->level());
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(tr("Intensity at %1").arg(charts::levelName(level)));
    button->setObjectName(QStringLiteral("roofline%1").arg(static_cast<int>(level)));
    levels->addButton(button, static_cast<int>(level));
    row->addWidget(button);
  }
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(m_roofline, 1);
  // With large text the buttons may need more width than there is: the page scrolls.
  auto* area = new QScrollArea;
  area->setWidget(page);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  connect(levels, &QButtonGroup::idClicked, m_roofline,
          [this](int level) { m_roofline->setLevel(static_cast<RooflineLevel>(level)); });
  connect(m_roofline, &RooflineChart::levelChanged, levels, [levels](RooflineLevel level) {
    levels->button(static_cast<int>(level))->setChecked(true);
  });
  return area;
}

void MainWindow::connectRoofline() {
  connect(m_roofline, &RooflineChart::picked, this,
          [this](const Stage* stage) { m_explorer.setStage(*stage); });
  // What is not in sight is not traced.
  const auto refresh = [this] {
    if (currentTab() == LowerTab::Roofline) showRoofline();
    if (currentTab() == LowerTab::Ladder) showLadderFigures();
  };
  std::filesystem::path file = m_lab.runFile();
  if (!file.empty()) file.replace_filename(model::defaultCeilingFile().filename());
  m_ceilings = new DeviceCeilings(m_lab.client(), std::move(file), this);
  connect(m_ceilings, &DeviceCeilings::changed, this, refresh);
  connect(&m_totals, &RungTotals::changed, this, refresh);
  const auto reread = [this, refresh] {
    m_ceilings->forget();
    // A tuning run has the GPU to itself.
    if (currentTab() == LowerTab::Roofline && !m_tuner->hasGpu()) m_ceilings->measureOnce();
    refresh();
  };
  connect(m_lower, &QTabWidget::currentChanged, this, reread);
  connect(&m_lab, &Lab::standingChanged, this, reread);
  connect(&m_lab, &Lab::historyChanged, this, refresh);
  connect(&m_lab, &Lab::ladderChanged, this, refresh);
  connect(&m_lab, &Lab::kernelChanged, this, refresh);
  connect(&m_explorer, &Explorer::choiceChanged, this, [refresh](bool legal) {
    if (legal) refresh();
  });
}

// What is known of this tile's launch; nothing where it is not traced (yet).
std::optional<RooflinePoint> MainWindow::rooflinePoint(const Stage& stage, const TileShape& tile,
                                                       const Problem& problem,
                                                       const model::Machine& machine,
                                                       RungTotals::Urgency urgency) {
  const auto totals = m_totals.of(stage, tile, problem, urgency);
  if (!totals) return std::nullopt;
  RooflinePoint point;
  point.stage = &stage;
  point.tile = tile;
  if (const auto speed = m_lab.speedOf(stage, tile, problem)) {
    point.gflops = speed->gflops;
    point.standing = speed->standing;
  }
  const auto kernel = m_lab.kernelOf(stage, tile);
  point.blocksEstimated = !kernel || kernel->blocks < 1;
  const int blocks = point.blocksEstimated ? model::estimatedBlocksPerSm(stage, tile, m_lab.arch())
                                           : kernel->blocks;
  point.traffic = model::traffic(stage, tile, problem, *totals, blocks, machine);
  return point;
}

void MainWindow::showRoofline() {
  RooflineData shown;
  shown.problem = m_explorer.problem();
  shown.ceilings = m_ceilings->get();
  shown.measuringCeilings = m_ceilings->measuring();
  shown.source = m_lab.ladderSource();
  model::Machine machine;
  if (shown.ceilings.sms > 0) machine.sms = shown.ceilings.sms;
  if (shown.ceilings.l2CacheBytes > 0) machine.l2CacheBytes = shown.ceilings.l2CacheBytes;
  using Urgency = RungTotals::Urgency;
  shown.present =
      rooflinePoint(m_explorer.stage(), m_explorer.tile(), shown.problem, machine, Urgency::Now);
  // Until the new tile is traced, or while it is illegal, the last one stays.
  const auto& last = m_roofline->data();
  if (!shown.present && last.problem == shown.problem && last.present &&
      last.present->stage == &m_explorer.stage())
    shown.present = last.present;
  if (const auto& f = m_lab.forecast();
      f && shown.present && shown.present->tile == m_explorer.tile())
    shown.present->predicted = runs::Interval{f->gflops, f->low, f->high};
  for (const Stage& stage : stages()) {
    auto point = rooflinePoint(stage, stage.standardTile(), shown.problem, machine, Urgency::Later);
    if (point) {
      shown.rungs.push_back(std::move(*point));
    } else {
      ++shown.waiting;
    }
  }
  if (!m_totals.busy()) shown.waiting = 0;
  m_roofline->setData(std::move(shown));
}

// The columns beside the ladder's bars.
void MainWindow::showLadderFigures() {
  const model::Ceilings device = m_ceilings->get();
  model::Machine machine;
  if (device.sms > 0) machine.sms = device.sms;
  if (device.l2CacheBytes > 0) machine.l2CacheBytes = device.l2CacheBytes;
  std::vector<LadderFigures> figures;
  for (const LadderBar& bar : m_ladderChart->bars()) {
    LadderFigures f;
    if (bar.stage == nullptr) {
      figures.push_back(f);
      continue;
    }
    if (const auto kernel = m_lab.kernelOf(*bar.stage, bar.tile)) {
      f.registers = kernel->registers;
      f.spillBytes = kernel->spillBytes;
      if (kernel->mostWarps > 0) f.occupancy = double(kernel->warps) / kernel->mostWarps;
    }
    const Problem problem = m_explorer.problem();
    if (const auto point =
            rooflinePoint(*bar.stage, bar.tile, problem, machine, RungTotals::Urgency::Later)) {
      f.traced = true;
      f.dramIntensity = point->traffic.intensity(model::MemoryLevel::Dram);
      f.sharedIntensity = point->traffic.intensity(model::MemoryLevel::Shared);
      if (point->traffic.sharedBytes > 0)
        f.conflictShare = model::conflictShare(*m_totals.of(*bar.stage, bar.tile, problem));
    }
    figures.push_back(f);
  }
  m_ladderChart->setFigures(std::move(figures), &m_explorer.stage());
}

void MainWindow::finishTotals() {
  if (!m_totals.busy()) return;
  QEventLoop loop;
  connect(&m_totals, &RungTotals::changed, &loop, [&] {
    if (!m_totals.busy()) loop.quit();
  });
  loop.exec(QEventLoop::ExcludeUserInputEvents);
  QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);  // what is drawn later
}

Caption MainWindow::rooflineCaption(Caption caption) const {
  const RooflineData& shown = m_roofline->data();
  caption.title = tr("Roofline at %1").arg(QString::fromStdString(toString(m_explorer.problem())));
  caption.shown = tr("speed over FLOP a byte of %1; %2")
                      .arg(charts::levelName(m_roofline->level()), charts::boundsSentence(shown));
  caption.origin = charts::rooflineCaption(shown);
  return caption;
}

}  // namespace tileloom
