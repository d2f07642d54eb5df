// SPDX-License-Identifier: GPL-3.0-or-later
// Speed, registers and occupancy against the moves of the tile parameters, with those of the
// baseline as a line across.
#include <QVBoxLayout>

#include "app/pages/chart_page.h"
#include "app/services/choice/comparison.h"
#include "app/services/measuring/speed_origin.h"
#include "app/services/services.h"
#include "kernels/analysis/recording.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/charts/history/history_charts.h"

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
    connect(&comparison(), &Comparison::differencesChanged, this, &ChartsPage::showPinned);
    show();
    connect(&chart(), &HistoryCharts::restoreAsked, this, &ChartsPage::restorePoint);
  }

  bool showsBoth() const override { return chart().baseline().has_value(); }
  Caption caption(Caption usual) const override {
    const QString origin = originOfSpeed(services().lab);
    if (!origin.isEmpty()) usual.origin = origin;
    usual.shown =
        tr("speed, share of cuBLAS, registers and occupancy at each move of the tile parameters");
    if (const QString hidden = hiddenText(); !hidden.isEmpty())
      usual.shown += QStringLiteral("; ") + hidden;
    return usual;
  }

 private:
  // Speeds, and shares of cuBLAS, of another number format do not fit the same scale.
  void show() {
    const Lab& lab = services().lab;
    const Format present = services().explorer.format();
    std::vector<HistoryPoint> points;
    int current = -1;
    m_others = 0;
    for (std::size_t i = 0; i < lab.history().size(); ++i) {
      const HistoryPoint& point = lab.history()[i];
      if (point.format != present) {
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
    showPinned();
  }

  // In the same number format, at the same size.
  void showPinned() {
    const Explorer& explorer = services().explorer;
    std::optional<HistoryPoint> known;
    if (explorer.baseline().ready()) {
      const emulator::Trace& trace = explorer.baseline().recording->trace;
      if (trace.format == explorer.format()) {
        const Lab& lab = services().lab;
        known = lab.speedOf(trace, trace.asked);
        if (const auto kernel = lab.kernelOf(trace)) {
          if (!known) known.emplace();
          known->subject() = trace;
          known->registers = kernel->registers;
          known->blocks = kernel->blocks;
          known->warps = kernel->warps;
          known->mostWarps = kernel->mostWarps;
        }
      }
    }
    chart().setBaseline(std::move(known));
  }

  QString hiddenText() const {
    if (m_others == 0) return {};
    return tr("%1 in another format than %2 not drawn: their speeds have another scale")
        .arg(m_others == 1 ? tr("1 move") : tr("%1 moves").arg(m_others),
             toQString(rowOf(services().explorer.format()).name));
  }

  void restorePoint(int point) {
    const auto history = chart().points();
    if (point < 0 || point >= static_cast<int>(history.size())) return;
    const HistoryPoint p = history[static_cast<std::size_t>(point)];
    Explorer& explorer = services().explorer;
    explorer.setStage(*p.rung());
    explorer.setTile(p.tile);
    explorer.setProblem(p.problem);
    explorer.setHalves(p.format);
  }

  ElidedLabel* m_hidden = nullptr;  // one line, if moves are hidden
  int m_others = 0;                 // moves in another format
};

}  // namespace

const PageRow& charts_page() {
  static constexpr PageRow row{
      .id = "charts",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Charts"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "&Charts"),
      .key = Qt::Key_C,
      .tip = QT_TRANSLATE_NOOP(
          "tileloom::Page", "Speed, registers and occupancy against the moves of the parameters"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &charts…"),
      .make = makePage<ChartsPage, charts_page>,
      .showsBothSides = true,
      .exportsData = true,
  };
  return row;
}

}  // namespace tileloom
