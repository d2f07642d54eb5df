// SPDX-License-Identifier: GPL-3.0-or-later
// The window's comparing half: a baseline beside the present tile, and the pairs that teach.
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/pages/compare/teaching_pairs.h"
#include "app/window/main_window.h"
#include "viz/base/side_by_side.h"
#include "viz/compare/difference_table.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/bank_view.h"

namespace tileloom {
namespace {

// What teaches in this very pair; empty: the person has chosen it.
QString lookOf(const Pinned& baseline, const Pinned& now) {
  for (const TeachingPair& pair : teachingPairs()) {
    if (pair.baseline == baseline && pair.now == now) return pair.look;
  }
  return {};
}

}  // namespace

void MainWindow::makeCompareMenu() {
  auto* menu = menuBar()->addMenu(tr("&Compare"));
  menu->addAction(tr("&Pin this tile as the baseline"), QKeySequence(Qt::Key_P), this,
                  [this] { m_explorer.pinThis(); });
  menu->addAction(tr("S&wap with the baseline"), QKeySequence(Qt::SHIFT | Qt::Key_P), this,
                  [this] { m_explorer.swapWithPinned(); });
  menu->addAction(tr("&Stop comparing"), QKeySequence(Qt::Key_U), this,
                  [this] { m_explorer.pin(std::nullopt); });
  menu->addSeparator();
  const auto besides = [this](int step) {
    const auto all = tileloom::stages();
    const auto at = &m_explorer.stage() - all.data();
    const auto other = at + step;
    if (other < 0 || other >= static_cast<std::ptrdiff_t>(all.size())) return;
    const Stage& stage = all[static_cast<std::size_t>(other)];
    m_explorer.pin(Pinned{&stage, stage.standardTile()});
  };
  menu->addAction(tr("Beside the rung &before"), QKeySequence(Qt::Key_BracketLeft), this,
                  [besides] { besides(-1); });
  menu->addAction(tr("Beside the &next rung"), QKeySequence(Qt::Key_BracketRight), this,
                  [besides] { besides(1); });
  menu->addSeparator();
  m_pairs = new QMenu(tr("Pairs that &teach"), this);
  QString group;
  for (const TeachingPair& pair : teachingPairs()) {
    if (pair.group != group) m_pairs->addSection(group = pair.group);
    QAction* action = m_pairs->addAction(
        pair.name, this, [this, pair] { m_explorer.compare(pair.baseline, pair.now); });
    action->setToolTip(pair.look);
  }
  m_pairs->setToolTipsVisible(true);
  menu->addMenu(m_pairs);
}

QWidget* MainWindow::makeCompareTab() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 5, 8, 3);
  const auto button = [&](const QString& name, const QString& id, auto press) {
    auto* b = new QPushButton(name);
    b->setObjectName(id);
    b->setFocusPolicy(Qt::TabFocus);
    connect(b, &QPushButton::clicked, this, press);
    row->addWidget(b);
    return b;
  };
  button(tr("Pin this tile"), QStringLiteral("pin"), [this] { m_explorer.pinThis(); });
  auto* pairs = button(tr("Pairs that teach"), QStringLiteral("pairs"), [] {});
  // The menus are made after the tabs.
  connect(pairs, &QPushButton::pressed, this, [this, pairs] {
    m_pairs->popup(pairs->mapToGlobal(QPoint(0, pairs->height())));
    pairs->setDown(false);
  });
  auto* swap = button(tr("Swap"), QStringLiteral("swap"), [this] { m_explorer.swapWithPinned(); });
  auto* stop = button(tr("Stop comparing"), QStringLiteral("stopComparing"),
                      [this] { m_explorer.pin(std::nullopt); });
  for (QPushButton* b : {swap, stop}) {
    b->hide();
    connect(&m_explorer, &Explorer::baselineChanged, b,
            [this, b] { b->setVisible(m_explorer.pinned().has_value()); });
  }
  m_look = new QLabel;
  m_look->setObjectName(QStringLiteral("look"));
  m_look->setWordWrap(true);
  row->addStretch(1);
  column->addLayout(row);
  m_look->setContentsMargins(10, 2, 10, 4);
  m_look->hide();
  column->addWidget(m_look);
  m_differences = new DifferenceTable;
  m_differences->setHint(
      tr("Pin the present tile (P), then move a knob or pick another rung: both stand side by "
         "side at the same K tile and dot index, and this table tells what differs. Or take one "
         "of the pairs that teach."));
  column->addWidget(m_differences, 1);
  return page;
}

void MainWindow::connectCompare() {
  connect(&m_explorer, &Explorer::baselineChanged, this, &MainWindow::showBaseline);
  connect(&m_lab, &Lab::kernelChanged, this, &MainWindow::showDifferences);
  connect(&m_lab, &Lab::historyChanged, this, &MainWindow::showDifferences);
  // Both zoom together; what is hovered in one is selected in both.
  connect(m_loom, &LoomView::levelChanged, m_baselineLoom,
          [this](LoomView::Level level) { m_baselineLoom->zoomTo(level); });
  const auto elementOf = [](const Selection& s) {
    Selection same;
    same.element = s.element;
    return same;
  };
  const auto hover = [this, elementOf](const Selection& s) { m_explorer.hover(elementOf(s)); };
  const auto hold = [this, elementOf](const Selection& s) { m_explorer.hold(elementOf(s)); };
  connect(m_baselineLoom, &LoomView::hovered, this, hover);
  connect(m_baselineLoom, &LoomView::clicked, this, hold);
  connect(m_baselineLoom, &LoomView::blockChosen, &m_explorer, &Explorer::setBlockAt);
  connect(m_baselineBanks, &BankView::hovered, this, hover);
  connect(m_baselineBanks, &BankView::clicked, this, hold);
}

void MainWindow::showBaseline(const Scene& scene) {
  const auto& pinned = m_explorer.pinned();
  m_lab.watch(pinned ? pinned->stage : nullptr, pinned ? pinned->tile : TileShape{});
  const auto& now = m_explorer.scene().recording;
  if (scene.recording != m_comparedFrom || now != m_comparedTo || !scene.ready()) {
    m_comparedFrom = scene.recording;
    m_comparedTo = scene.ready() ? now : nullptr;
    const QString baseline = scene.ready() ? sideTitle(*scene.recording, *now) : QString();
    const QString present = scene.ready() ? sideTitle(*now, *scene.recording) : QString();
    m_comparedTitles = {baseline, present};
    for (SideBySide* pair : {m_looms, m_bankPair, m_sassPair}) pair->setTitles(baseline, present);
    m_look->setText(scene.ready() ? lookOf(*pinned, {now->trace.stage, now->trace.tile})
                                  : QString());
    m_look->setVisible(!m_look->text().isEmpty());
    showDifferences();
  }
  m_baselineLoom->setScene(scene);
  m_baselineBanks->setScene(scene);
}

void MainWindow::showDifferences() {
  if (!m_comparedFrom || !m_comparedTo) return m_differences->setDifferences({});
  const auto side = [this](const std::shared_ptr<const analysis::Recording>& recording) {
    const auto& t = recording->trace;
    return Side{recording, m_lab.kernelOf(*t.stage, t.tile),
                m_lab.speedOf(*t.stage, t.tile, t.asked)};
  };
  m_differences->setDifferences(tileloom::differences(side(m_comparedFrom), side(m_comparedTo)));
}

}  // namespace tileloom
