// SPDX-License-Identifier: GPL-3.0-or-later
// Where the joules of a tensor-core multiplication go at the power limit.
#include <QVBoxLayout>

#include "app/pages/chart_page.h"
#include "app/services/services.h"
#include "kernels/model/limits/energy.h"
#include "viz/charts/energy/energy_chart.h"
#include "viz/charts/energy/energy_words.h"

namespace tileloom {
namespace {

class EnergyPage : public ChartPage<EnergyChart> {
 public:
  EnergyPage(const PageRow& row, PageContext& context) : ChartPage(row, context) {
    setWidget(scrolled(&chart()));
    connect(&chart(), &EnergyChart::picked, &services().explorer,
            [this](const Stage* stage) { services().explorer.setStage(*stage); });
    show();
  }

  void showScene(const Scene&) override { show(); }

  Caption caption(Caption usual) const override {
    const EnergyData& data = chart().data();
    usual.title = tr("Energy of a multiplication at the power limit");
    usual.shown =
        tr("joules per multiplication at the power limit, as differences of what-if kernels, whose "
           "results are wrong on purpose; rungs in percent of cublasGemmEx in the same call");
    if (const QStringList sources = charts::energySources(data); !sources.isEmpty())
      usual.origin = sources.front();
    return usual;
  }

 private:
  // The figures come from the shipped file; of the window's state only the rung matters.
  void show() {
    const Stage* present = &services().explorer.stage();
    if (chart().data().present == present) return;
    const auto calls = model::shippedEnergyCalls();
    chart().setData({{calls.begin(), calls.end()}, present});
  }
};

}  // namespace

const PageRow& energy_page() {
  static constexpr PageRow row{
      .id = "energy",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Energy"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Energy at the power limit (&joules)"),
      .key = Qt::Key_J,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Where the joules of a tensor-core multiplication go"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The energ&y chart…"),
      .make = makePage<EnergyPage, energy_page>,
      .showsBothSides = true,
      .exportsData = true,
      .pictureHeight = 480,
  };
  return row;
}

}  // namespace tileloom
