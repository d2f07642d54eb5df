// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline, with the choice of its memory level.
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/pages/chart_page.h"
#include "app/services/choice/comparison.h"
#include "app/services/forecasts/launch_figures.h"
#include "app/services/forecasts/launch_limit.h"
#include "app/services/forecasts/present_limit.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/labels.h"
#include "viz/charts/roofline/roofline_chart.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom {
namespace {

class RooflinePage : public ChartPage<RooflineChart> {
 public:
  RooflinePage(const PageRow& row, PageContext& context) : ChartPage(row, context) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(2);
    column->addLayout(makeLevels(*page));
    column->addWidget(&chart(), 1);
    setWidget(scrolled(page));
    chart().setLevel(Session().level);
    Explorer& explorer = services().explorer;
    connect(&chart(), &RooflineChart::picked, &explorer,
            [&explorer](const Stage* stage) { explorer.setStage(*stage); });
    refreshWithFigures();
    connect(&comparison(), &Comparison::differencesChanged, this, [this] {
      if (chart().isVisible()) refresh();
    });
  }

  void save(Session& session) const override { session.level = chart().level(); }
  void restore(const Session& session) override { chart().setLevel(session.level); }

  Caption caption(Caption usual) const override {
    const RooflineData& shown = chart().data();
    usual.title =
        tr("Roofline at %1").arg(QString::fromStdString(toString(services().explorer.problem())));
    usual.shown = tr("speed over FLOP per byte of %1; %2")
                      .arg(charts::levelName(chart().level()), charts::boundsSentence(shown));
    usual.origin = charts::rooflineCaption(shown);
    return usual;
  }

  void prepare() override { refreshWithAllTotals(); }

 protected:
  void cameToFront() override {
    Services& s = services();
    s.ceilings.forget();
    // A tuning run needs the GPU for itself.
    if (!s.tuner.hasGpu()) s.ceilings.measureOnce();
    refresh();
  }

  void refresh() override {
    Services& s = services();
    const Explorer& explorer = s.explorer;
    RooflineData shown;
    shown.problem = explorer.problem();
    shown.ladder = explorer.stage().ladder;
    shown.ceilings = s.ceilings.get();
    shown.measuringCeilings = s.ceilings.measuring();
    shown.source = s.lab.ladderSource(shown.ladder);
    const model::Machine machine = machineOf(shown.ceilings);
    using Urgency = RungTotals::Urgency;
    shown.present = launchFigures(s, presentPlace(explorer), shown.problem, machine, Urgency::Now);
    // Until the new tile is traced, or while it is illegal, the last one stays.
    const auto& last = chart().data();
    if (!shown.present && last.problem == shown.problem && last.present &&
        last.present->rung() == &explorer.stage())
      shown.present = last.present;
    if (const auto& f = s.lab.forecast();
        f && shown.present && shown.present->tile == explorer.tile())
      shown.present->predicted = runs::Interval{f->gflops, f->low, f->high};
    if (shown.present && shown.present->tile == explorer.tile())
      if (const auto limit = launchLimit(s)) shown.present->limit = limit;
    for (const Stage& stage : ladderOf(explorer.stage())) {
      const Subject rung{&stage, stage.standardTile(), formatOf(stage, explorer.halves())};
      auto point = launchFigures(s, rung, shown.problem, machine, Urgency::Later);
      if (point) {
        shown.rungs.push_back(std::move(*point));
      } else {
        ++shown.waiting;
      }
    }
    if (!s.totals.busy()) shown.waiting = 0;
    markBaseline(shown, machine);
    chart().setData(std::move(shown));
    m_trouble->setText(s.ceilings.trouble());
    m_trouble->setToolTip(s.ceilings.trouble());
  }

 private:
  // The baseline of a comparison is the point of its rung, or a further one at another tile.
  void markBaseline(RooflineData& shown, const model::Machine& machine) {
    const auto& pinned = services().explorer.pinned();
    if (!pinned || pinned->rung()->ladder != shown.ladder) return;
    auto found = std::ranges::find_if(shown.rungs, [&pinned](const RooflinePoint& point) {
      return point.rung() == pinned->rung() && point.tile == pinned->tile;
    });
    if (found == shown.rungs.end()) {
      auto point =
          launchFigures(services(), *pinned, shown.problem, machine, RungTotals::Urgency::Now);
      if (!point) return;  // its totals follow
      shown.rungs.push_back(std::move(*point));
      found = shown.rungs.end() - 1;
    }
    shown.baseline = static_cast<int>(found - shown.rungs.begin());
  }

  QHBoxLayout* makeLevels(QWidget& page) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(2);
    row->addWidget(new QLabel(tr("Intensity at")));
    row->addSpacing(6);
    auto* levels = new QButtonGroup(&page);
    for (const RooflineLevel level : kRooflineLevels) {
      auto* button = new QToolButton;
      button->setText(charts::levelName(level));
      button->setCheckable(true);
      button->setAutoRaise(true);  // highlights the pressed one
      button->setChecked(level == chart().level());
      button->setFocusPolicy(Qt::TabFocus);
      button->setAccessibleName(tr("Intensity at %1").arg(charts::levelName(level)));
      button->setObjectName(QStringLiteral("roofline%1").arg(static_cast<int>(level)));
      levels->addButton(button, static_cast<int>(level));
      row->addWidget(button);
    }
    row->addSpacing(12);
    m_trouble = new ElidedLabel;
    m_trouble->setObjectName(QStringLiteral("ceilingTrouble"));
    setInk(*m_trouble, Ink::Trouble);
    row->addWidget(m_trouble, 1);
    connect(levels, &QButtonGroup::idClicked, &chart(),
            [this](int level) { chart().setLevel(static_cast<RooflineLevel>(level)); });
    connect(&chart(), &RooflineChart::levelChanged, levels, [levels](RooflineLevel level) {
      levels->button(static_cast<int>(level))->setChecked(true);
    });
    return row;
  }

  ElidedLabel* m_trouble = nullptr;  // of the ceilings
};

}  // namespace

const PageRow& roofline_page() {
  static constexpr PageRow row{
      .id = "roofline",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Roofline"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "&Roofline"),
      .key = Qt::Key_R,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page", "Speed over FLOP per byte, under the roofs"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &roofline…"),
      .make = makePage<RooflinePage, roofline_page>,
      .showsBothSides = true,
      .exportsData = true,
  };
  return row;
}

}  // namespace tileloom
