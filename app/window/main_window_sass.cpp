// SPDX-License-Identifier: GPL-3.0-or-later
// The window's machine code: a tab beside the source, one listing or two.
#include <qcustomplot.h>

#include <QTabWidget>
#include <algorithm>

#include "app/window/main_window.h"
#include "viz/base/side_by_side.h"
#include "viz/charts/chart_style.h"
#include "viz/code/sass_view.h"

namespace tileloom {

QWidget* MainWindow::makeSassTab() {
  m_sass = new SassView;
  m_baselineSass = new SassView;
  m_sassPair = new SideBySide(m_baselineSass, m_sass);
  return m_sassPair;
}

void MainWindow::connectSass() {
  connect(&m_listings, &Listings::changed, this, &MainWindow::showSass);
  connect(&m_explorer, &Explorer::choiceChanged, this, [this](bool legal) {
    if (legal) m_listings.choose(&m_explorer.stage(), m_explorer.tile());
  });
  connect(&m_explorer, &Explorer::baselineChanged, this, [this] {
    const auto& pinned = m_explorer.pinned();
    m_listings.watch(pinned ? pinned->stage : nullptr, pinned ? pinned->tile : TileShape{});
  });
  connect(m_lower, &QTabWidget::currentChanged, this,
          [this] { m_listings.setWanted(currentTab() == LowerTab::Sass); });
  m_listings.choose(&m_explorer.stage(), m_explorer.tile());
}

void MainWindow::showSass() {
  SassSide now = m_listings.now(), baseline = m_listings.baseline();
  // Two loops are drawn to one scale: the longer one looks longer.
  const auto length = [](const SassSide& side) {
    return side.facts ? side.facts->inLoop.total : 0;
  };
  now.scale = baseline.scale = std::max(length(now), length(baseline));
  m_sass->setSide(now);
  m_baselineSass->setSide(baseline);
}

// Nothing of what is traced is in this picture.
Caption MainWindow::sassCaption(Caption caption) const {
  const SassSide side = m_listings.now();
  if (!side.facts) return caption;
  caption.shown = tr("machine code: main loop of %1 instructions, %2 FFMA, %3 LDS; %4 cycles lost "
                     "to register banks, predicted by a rule")
                      .arg(side.facts->inLoop.total)
                      .arg(side.facts->cost.ffmas)
                      .arg(side.facts->inLoop.of(sass::Class::Lds))
                      .arg(side.facts->cost.lost);
  caption.origin = side.facts->origin();
  return caption;
}

QString MainWindow::writeSass(const QString& file, const ViewExport& how, const Sheet& whole) {
  // The tab may be behind, where nobody has asked for a listing.
  showSass();
  if (m_sass->side().facts == nullptr)
    return tr("\"%1\" is not written: %2").arg(file, m_sass->side().note);
  const bool scrolled = how.size.height() <= 0 && currentTab() == LowerTab::Sass;
  std::vector<SassPictureSide> sides;
  const auto add = [&](const SassView& view, const QString& title) {
    const SassSide& side = view.side();
    const int loop = side.facts ? std::max(0, side.facts->loopBegin() - 1) : 0;
    sides.push_back({side, title, scrolled ? view.firstRow() : loop});
  };
  if (m_sassPair->comparing()) add(*m_baselineSass, tr("Baseline: %1").arg(m_comparedTitles.first));
  add(*m_sass, m_sassPair->comparing() ? tr("Now: %1").arg(m_comparedTitles.second) : QString());
  return writeSheet(
      whole, [&](QCPPainter& p) { paintSass(p, sides, whole.size, whole.theme, font()); }, file);
}

}  // namespace tileloom
