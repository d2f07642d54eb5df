// SPDX-License-Identifier: GPL-3.0-or-later
// Speed, registers and occupancy against the moves of the knobs.
#include "app/pages/chart_page.h"
#include "app/services/services.h"
#include "app/services/speed_origin.h"
#include "viz/charts/history_charts.h"

namespace tileloom {
namespace {

class ChartsPage : public ChartPage<HistoryCharts> {
 public:
  ChartsPage(const PageRow& row, PageContext& context) : ChartPage(row, context) {
    setWidget(scrolled(&chart()));
    Services& s = services();
    const auto show = [this, &s] {
      chart().setPoints(s.lab.history());
      chart().setCurrent(s.lab.current());
    };
    connect(&s.lab, &Lab::historyChanged, this, show);
    show();
    connect(&chart(), &HistoryCharts::restoreAsked, this, &ChartsPage::restorePoint);
  }

  Caption caption(Caption usual) const override {
    const QString origin = originOfSpeed(services().lab);
    if (!origin.isEmpty()) usual.origin = origin;
    usual.shown = tr("speed, share of cuBLAS, registers and occupancy at each move of the knobs");
    return usual;
  }

 private:
  void restorePoint(int point) {
    const auto& history = services().lab.history();
    if (point < 0 || point >= static_cast<int>(history.size())) return;
    const HistoryPoint p = history[static_cast<std::size_t>(point)];
    Explorer& explorer = services().explorer;
    explorer.setStage(*p.stage);
    explorer.setTile(p.tile);
    explorer.setProblem(p.problem);
  }
};

}  // namespace

const PageRow& charts_page() {
  static constexpr PageRow row{
      .id = "charts",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Charts"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "&Charts"),
      .key = Qt::Key_C,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Speed, registers and occupancy against the moves of the knobs"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &charts…"),
      .make = makePage<ChartsPage, charts_page>,
      .exportsData = true,
  };
  return row;
}

}  // namespace tileloom
