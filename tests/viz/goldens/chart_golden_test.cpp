// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning landscape, the roofline and the ladder against golden pictures: of invented figures,
// so that a new recording changes none of them.
#include <qcustomplot.h>

#include <QSortFilterProxyModel>
#include <QtTest>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tuning/space.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/viz/energy_calls.h"
#include "tests/viz/golden.h"
#include "tests/viz/roofline_points.h"
#include "tests/viz/size_points.h"
#include "viz/base/paint/table_picture.h"
#include "viz/charts/energy/energy_chart.h"
#include "viz/charts/history/history_charts.h"
#include "viz/charts/ladder/ladder_chart.h"
#include "viz/charts/roofline/roofline_chart.h"
#include "viz/charts/sizes/size_chart.h"
#include "viz/charts/tiles/tile_lines_view.h"
#include "viz/charts/tiles/tile_list_model.h"
#include "viz/charts/tiles/tile_map_view.h"

namespace tileloom {

using tuning::TileFigure;

class ChartGoldenTest : public QObject {
  Q_OBJECT

  static const Stage& rung() { return test::stage("warptiled"); }

  // Some of the legal tiles, the fastest first; a second device has every other of them.
  static std::vector<TileFigure> figures(double scale, std::size_t every) {
    const auto space = tuning::spaceOf(
        rung(),
        {false,
         {{Parameter::BM, {32, 64, 128}}, {Parameter::BN, {64, 128, 256}}, {Parameter::BK, {16}}}});
    std::vector<TileFigure> all;
    for (std::size_t i = 0; i < space->legal.size(); i += every) {
      const TileShape& t = space->legal[i];
      const double speed =
          scale * (20000.0 + 40.0 * t[Parameter::BM] + 30.0 * t[Parameter::BN] +
                   150.0 * t[Parameter::TM] - 200.0 * std::abs(t[Parameter::TN] - 8));
      all.push_back({t,
                     {speed, 0.999 * speed, 1.001 * speed},
                     every == 1 ? TileFigure::Kind::Recorded : TileFigure::Kind::Live,
                     96,
                     4});
    }
    std::ranges::stable_sort(all, std::greater{},
                             [](const TileFigure& f) { return f.gflops.median; });
    return all;
  }

  static QImage painted(QWidget& view, Look look, const QSizeF& size, double scale,
                        const std::function<void(QCPPainter&)>& paint) {
    view.setFont(test::goldenFont());
    view.setPalette(Theme::make(look).palette());
    view.resize(size.toSize());
    view.ensurePolished();
    QImage image((size * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Theme::make(look).ground);
    QCPPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paint(painter);
    painter.end();
    image.setDevicePixelRatio(1);
    return image;
  }

  static TileMapData mapOf(const std::vector<TileFigure>& figures, const tuning::MapValues& values,
                           tuning::Others others, const QString& title) {
    return {tuning::tileMap(rung(), rung().standardTile(), values, others, figures,
                            defaultArchitecture()),
            figures, title};
  }

 private slots:
  void maps() {
    const auto one = figures(1, 1), other = figures(0.93, 2);
    const std::span<const TileFigure> both[] = {one, other};
    const TileShape present = rung().standardTile();
    const auto values = tuning::mapValues(rung(), present, Parameter::BN, Parameter::BM,
                                          tuning::Others::Best, both);
    TileMapView view;
    view.setMaps({mapOf(one, values, tuning::Others::Best, "One device"),
                  mapOf(other, values, tuning::Others::Best, "Another")},
                 present, {4096, 4096, 4096});
    const QSizeF size(900, 320);
    const auto paint = [&](QCPPainter& p) { view.paintTo(p, size); };
    test::compareWithGolden("map-two-dark-2x", painted(view, Look::Dark, size, 2, paint));
  }

  // Measured and predicted on one scale, and what is illegal.
  void predictedMap() {
    auto known = figures(1, 1);
    for (std::size_t i = 0; i < known.size(); i += 2) {
      known[i].kind = TileFigure::Kind::Predicted;
      known[i].gflops.low = 0.9 * known[i].gflops.median;
    }
    const TileShape present = rung().standardTile();
    const std::span<const TileFigure> all[] = {known};
    const auto values =
        tuning::mapValues(rung(), present, Parameter::TN, Parameter::BM, tuning::Others::Best, all);
    TileMapData data = mapOf(known, values, tuning::Others::Best, "One device");
    data.foretoldOf = "Another";
    data.cublas = 45000;
    data.bias = TileMapData::Bias{0.04, 9};
    TileMapView view;
    view.setMaps({data}, present, {4096, 4096, 4096});
    const QSizeF size(900, 320);
    const auto paint = [&](QCPPainter& p) { view.paintTo(p, size); };
    test::compareWithGolden("map-predicted-light", painted(view, Look::Light, size, 1, paint));
  }

  void lines() {
    TileLinesView view;
    view.setFigures(rung(), figures(1, 1), rung().standardTile());
    const QSizeF size(900, 360);
    const auto paint = [&](QCPPainter& p) { view.paintTo(p, size); };
    test::compareWithGolden("lines-light", painted(view, Look::Light, size, 1, paint));
  }

  void list() {
    TileListModel model;
    model.setFigures(rung(), figures(1, 1), {"Another", figures(0.93, 2)});
    const TablePicture table(model, "recorded on one device, and live on another",
                             test::goldenFont());
    const QSizeF size(std::max(900.0, table.size().width()), 300);
    QWidget widget;
    test::compareWithGolden("list-dark", painted(widget, Look::Dark, size, 1, [&](QCPPainter& p) {
                              table.paint(p, size, Theme::make(Look::Dark), 2);
                            }));
  }

  void rooflines() {
    RooflineChart chart;
    RooflineData data = test::roofline(test::picturedRungs());
    data.ceilings.fmaGflops = {66000, 66000, 66000};
    data.ceilings.dramGBs = {2800, 2800, 2800};
    data.ceilings.sharedGBs = {33000, 33000, 33000};
    chart.setData(data);
    const QSizeF size(900, 420);
    const auto paint = [&](QCPPainter& p) { chart.paintTo(p, size.toSize()); };
    chart.setLevel(RooflineLevel::All);
    test::compareWithGolden("roofline-all-light-2x", painted(chart, Look::Light, size, 2, paint));
  }

  void sizes() {
    SizeChart chart;
    SizeData data = test::sizeData();
    chart.setData(data);
    const auto paintAt = [&chart](const QSizeF& size) {
      return [&chart, size](QCPPainter& p) { chart.paintTo(p, size.toSize()); };
    };
    const QSizeF wide(1280, 260);
    data.baseline =
        SizeBaseline{.name = "7 autotuned · TN=8", .points = data.points, .runs = data.runs};
    for (auto& p : data.baseline->points) p.gflops *= 0.8;
    for (auto& run : data.baseline->runs) run.gflops.median *= 0.82;
    chart.setData(data);
    test::compareWithGolden("sizes-baseline-light",
                            painted(chart, Look::Light, wide, 1, paintAt(wide)));
  }

  void energy() {
    EnergyChart chart;
    chart.setData(test::energyData());
    const auto paintAt = [&chart](const QSizeF& size) {
      return [&chart, size](QCPPainter& p) { chart.paintTo(p, size.toSize()); };
    };
    const QSizeF low(655, 200);
    chart.setData(test::energyData("warptiled"));
    test::compareWithGolden("energy-low-light-2x",
                            painted(chart, Look::Light, low, 2, paintAt(low)));
  }

  // Where there is room each move, then medians, then bars; below the panels a strip of all.
  void histories() {
    HistoryCharts charts;
    const auto picture = [&charts](const QString& name, int moves, Look look, const QSizeF& size,
                                   bool all) {
      charts.showAll(all);
      charts.setPoints(test::drags(moves));
      charts.setCurrent(moves - 1);
      const auto paint = [&](QCPPainter& p) { charts.paintTo(p, size.toSize()); };
      test::compareWithGolden(name, painted(charts, look, size, 1, paint));
    };
    picture("history-25-light", 25, Look::Light, {1280, 250}, false);
    picture("history-100-all-contrast", 100, Look::Contrast, {720, 460}, true);
  }

  void ladder() {
    std::vector<LadderBar> bars;
    for (const Stage& stage : test::picturedRungs()) {
      LadderBar bar{standardSubject(stage), Freshness::Recorded, {}, {}, {}};
      bar.ratio = test::around(0.06 * stage.rung, 0.01);
      bar.gflops = test::around(3100.0 * stage.rung, 0.01);
      bars.push_back(bar);
    }
    bars[7].freshness = Freshness::Live;
    bars[9].ratio = bars[9].gflops = {};
    LadderChart chart;
    chart.setBars(bars, {4096, 4096, 4096}, "recorded on one device, 2026-11-21");
    const QSizeF size(900, 480);
    const auto paint = [&](QCPPainter& p) { chart.paintTo(p, size.toSize()); };
    test::compareWithGolden("ladder-light", painted(chart, Look::Light, size, 1, paint));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ChartGoldenTest, Widgets)
#include "chart_golden_test.moc"
