// SPDX-License-Identifier: GPL-3.0-or-later
// Speed, registers and occupancy against the moves of the knobs.
#include <QVBoxLayout>

#include "app/pages/chart_page.h"
#include "app/services/services.h"
#include "app/services/speed_origin.h"
#include "viz/base/labels.h"
#include "viz/base/text.h"
#include "viz/charts/history_charts.h"

namespace tileloom {
namespace {

class ChartsPage : public ChartPage<HistoryCharts> {
 public:
  ChartsPage(const PageRow& row, PageContext& context) : ChartPage(row, context) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_hidden = new ElidedLabel;
    m_hidden->setObjectName(QStringLiteral("hiddenMoves"));
    m_hidden->setContentsMargins(8, 2, 8, 2);
    m_hidden->hide();
    column->addWidget(m_hidden);
    column->addWidget(&chart(), 1);
    setWidget(scrolled(page));
    Services& s = services();
    connect(&s.lab, &Lab::historyChanged, this, &ChartsPage::show);
    connect(&s.explorer, &Explorer::choiceChanged, this, &ChartsPage::show);
    show();
    connect(&chart(), &HistoryCharts::restoreAsked, this, &ChartsPage::restorePoint);
  }

  Caption caption(Caption usual) const override {
    const QString origin = originOfSpeed(services().lab);
    if (!origin.isEmpty()) usual.origin = origin;
    usual.shown = tr("speed, share of cuBLAS, registers and occupancy at each move of the knobs");
    if (const QString hidden = hiddenText(); !hidden.isEmpty())
      usual.shown += QStringLiteral("; ") + hidden;
    return usual;
  }

 private:
  // Speeds, and shares of cuBLAS, of other numbers have no place on the same scale.
  void show() {
    const Lab& lab = services().lab;
    const Arithmetic present = services().explorer.arithmetic();
    std::vector<HistoryPoint> points;
    int current = -1;
    m_others = 0;
    for (std::size_t i = 0; i < lab.history().size(); ++i) {
      const HistoryPoint& point = lab.history()[i];
      if (point.arithmetic != present) {
        ++m_others;
        continue;
      }
      if (static_cast<int>(i) == lab.current()) current = static_cast<int>(points.size());
      points.push_back(point);
    }
    m_hidden->setText(hiddenText());
    m_hidden->setVisible(m_others > 0);
    chart().setPoints(std::move(points));
    chart().setCurrent(current);
  }

  QString hiddenText() const {
    if (m_others == 0) return {};
    return tr("%1 in another arithmetic than %2 not drawn: their speeds are on another scale")
        .arg(m_others == 1 ? tr("1 move") : tr("%1 moves").arg(m_others),
             toQString(rowOf(services().explorer.arithmetic()).name));
  }

  void restorePoint(int point) {
    const auto history = chart().points();
    if (point < 0 || point >= static_cast<int>(history.size())) return;
    const HistoryPoint p = history[static_cast<std::size_t>(point)];
    Explorer& explorer = services().explorer;
    explorer.setStage(*p.stage);
    explorer.setTile(p.tile);
    explorer.setProblem(p.problem);
    explorer.setHalves(p.arithmetic);
  }

  ElidedLabel* m_hidden = nullptr;  // one line, where there is something to say
  int m_others = 0;                 // moves in another arithmetic
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
      .whyAlone = QT_TRANSLATE_NOOP(
          "tileloom::Page",
          "The history of the present tile: the page Compare has the figures of both sides."),
      .exportsData = true,
  };
  return row;
}

}  // namespace tileloom
