// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning map's colours and looks, and the legend that explains them.
#include "viz/charts/tiles/tile_map_legend.h"

#include <QPainter>
#include <QSet>
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/colour_science.h"
#include "tests/viz/tile_maps.h"
#include "viz/charts/tiles/tile_map_looks.h"
#include "viz/charts/tiles/tile_map_view.h"
#include "viz/charts/tiles/tile_map_words.h"

namespace tileloom {

using charts::CellLook;
using tuning::TileFigure;

class TileMapLegendTest : public QObject {
  Q_OBJECT

  static const Stage& rung() { return test::mappedRung(); }
  // One tile is measured, as after a first run on a new machine; the others are predicted, one as
  // fast as the measured one and one faster.
  static TileMapData map(const QString& device = "H100", double cublas = 50000) {
    const TileShape t = rung().standardTile();
    const std::vector<TileFigure> known = {
        {t.with(Parameter::BN, 256), {42000, 40000, 44000}, TileFigure::Kind::Predicted, -1, 0},
        {t, {38000, 37900, 38100}, TileFigure::Kind::Recorded, 165, 3},
        {t.with(Parameter::BM, 64), {38000, 36000, 40000}, TileFigure::Kind::Predicted, -1, 0},
        {t.with(Parameter::BN, 64), {20000, 19000, 21000}, TileFigure::Kind::Predicted, -1, 0}};
    const std::span<const TileFigure> sweeps[] = {known};
    const auto values =
        tuning::mapValues(rung(), t, Parameter::BN, Parameter::BM, tuning::Others::AsNow, sweeps);
    TileMapData made{
        tuning::tileMap(rung(), t, values, tuning::Others::AsNow, known, defaultArchitecture()),
        known, device, "H100"};
    made.cublas = cublas;
    return made;
  }
  static QString joined(const charts::LegendGeometry& g) {
    QStringList all;
    for (const auto& word : g.words) all += word.text;
    return all.join(u'|');
  }

 private slots:
  void oneScaleForMeasuredAndPredicted() {
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      TileMapView view;
      view.setPalette(Theme::make(look).palette());
      view.setMaps({map()}, rung().standardTile(), {4096, 4096, 4096});
      QVERIFY(test::shown(view, {1000, 320}));
      const auto colourOf = [&](const TileMapSpot& s) {
        return charts::colourOf(view.data(), s, view.data().scale(), Theme::make(look));
      };
      const auto textOf = [&](const TileMapSpot& s) {
        return charts::cellText(*view.data().figureOf(s), charts::SpeedUnit::Giga);
      };
      const auto measured = test::spotOf(view.data(), 128, 128),
                 same = test::spotOf(view.data(), 128, 64);
      const auto fast = test::spotOf(view.data(), 256, 128),
                 slow = test::spotOf(view.data(), 64, 128);
      QCOMPARE(*colourOf(measured), *colourOf(same));
      // The further from the ground, the faster; what is measured is not an exception.
      const QColor ground = Theme::make(look).panel;
      const auto stands = [&](const TileMapSpot& s) {
        return test::contrast(*colourOf(s), ground);
      };
      QVERIFY(stands(slow) < stands(measured));
      QVERIFY(stands(measured) < stands(fast));
      QVERIFY(charts::lookOf(view.data(), measured) == CellLook::Recorded);
      QVERIFY(charts::lookOf(view.data(), same) == CellLook::Predicted);
      QVERIFY(textOf(same) == QString("≈") + textOf(measured));
      // An illegal cell has no colour.
      const auto bad = test::spotOf(view.data(), 256, 256);
      QVERIFY(charts::lookOf(view.data(), bad) == CellLook::Illegal);
      QVERIFY(!colourOf(bad));
    }
  }

  void looksDifferInTexture() {
    const Theme theme = Theme::make(Look::Dark);
    const QColor fill(0x419E91);
    std::vector<QImage> seen;
    for (const CellLook look : {CellLook::Live, CellLook::Recorded, CellLook::Predicted,
                                CellLook::Unknown, CellLook::Illegal}) {
      QImage image(60, 30, QImage::Format_RGB32);
      image.fill(theme.panel);
      QPainter p(&image);
      charts::paintCellLook(p, QRectF(4, 4, 52, 22), look, fill, theme);
      p.end();
      for (const QImage& other : seen) {
        int differ = 0;
        for (int y = 0; y < image.height(); ++y) {
          for (int x = 0; x < image.width(); ++x)
            differ += image.pixel(x, y) != other.pixel(x, y) ? 1 : 0;
        }
        QVERIFY(differ >= 40);
      }
      seen.push_back(image);
    }
    // Inside, without the frame: measured cells are even, predicted ones are not.
    const auto inks = [](const QImage& image) {
      QSet<QRgb> all;
      for (int y = 8; y < 22; ++y) {
        for (int x = 8; x < 52; ++x) all.insert(image.pixel(x, y));
      }
      return all.size();
    };
    QCOMPARE(inks(seen[0]), 1);
    QCOMPARE(inks(seen[1]), 1);
    QVERIFY(inks(seen[2]) > 1);
    for (const std::size_t colourless : {3U, 4U}) {
      for (int x = 8; x < 52; ++x) {
        const QColor c = seen[colourless].pixelColor(x, 10);
        QVERIFY(std::abs(c.red() - c.green()) < 24);
      }
    }
  }

  void legendStandsBesideTheMap_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("devices");
    for (const QSize size :
         {QSize(1300, 240), QSize(1900, 900), QSize(900, 320), QSize(640, 300), QSize(860, 200)}) {
      for (const int devices : {1, 2})
        QTest::addRow("%dx%d, %d", size.width(), size.height(), devices) << size << devices;
    }
  }
  void legendStandsBesideTheMap() {
    QFETCH(QSize, size);
    QFETCH(int, devices);
    TileMapView view;
    std::vector<TileMapData> maps = {map()};
    if (devices == 2) maps.push_back(map("H200", 40000));
    view.setMaps(maps, rung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, size));
    const auto& legend = view.legend();
    QVERIFY(!legend.bar.isEmpty());
    const QRectF all(QPointF(0, 0), QSizeF(size));
    for (std::size_t i = 0; i < legend.words.size(); ++i) {
      const auto& word = legend.words[i];
      QVERIFY2(all.contains(word.rect), qPrintable(word.text));
      QVERIFY2(!word.rect.intersects(legend.bar), qPrintable(word.text));
      for (std::size_t k = 0; k < i; ++k) {
        const auto& other = legend.words[k];
        QVERIFY2(!word.rect.adjusted(1, 2, -1, -2).intersects(other.rect.adjusted(1, 2, -1, -2)),
                 qPrintable(word.text + " and " + other.text));
      }
    }
    for (std::size_t m = 0; m < maps.size(); ++m) {
      for (std::size_t row = 0; row < view.data().sweeps[m].map.rows(); ++row) {
        const QRectF cell = view.rectOf({m, view.data().sweeps[m].map.columns() - 1, row});
        QVERIFY(!cell.intersects(legend.room));
        QVERIFY(all.contains(cell));
      }
    }
    const QString words = joined(legend);
    QVERIFY(words.contains("% of cuBLAS"));
    QVERIFY(words.contains("FLOP/s"));
    QCOMPARE(words.contains("H200"), devices == 2);
    if (size.width() < 800) return;
    for (const char* word : {"recorded", "≈ predicted", "for H100", "not measured", "illegal"})
      QVERIFY2(words.contains(word), word);
    QVERIFY(!words.contains("live"));  // there is no such cell
  }

  // The map says for which device its predictions are, and how far they are off.
  void predictionsSayWhoseTheyAre() {
    TileMapView view;
    TileMapData other = map("H200", 40000);
    other.bias = TileMapData::Bias{0.08, 12};
    view.setMaps({other}, rung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {1000, 320}));
    const QString foot = view.footText();
    QVERIFY2(foot.contains("The predictions are for H100, not for H200."), qPrintable(foot));
    QVERIFY2(foot.contains("On the 12 tiles measured on H200, the predictions are 8 % too high"),
             qPrintable(foot));
    other.bias = TileMapData::Bias{-0.03, 1};
    other.title = "H100";
    view.setMaps({other}, rung().standardTile(), {4096, 4096, 4096});
    QVERIFY(view.footText().contains(
        "On the one tile measured on H100, the predictions are 3 % too low"));
    QVERIFY(!view.footText().contains("not for"));
    QVERIFY(charts::cellSentence(view.data(), test::spotOf(view.data(), 128, 64))
                .contains("predicted for H100"));
  }

  // A tick is where the bar has its colour, with its share of cuBLAS.
  void ticksAreTrue() {
    charts::LegendData data;
    data.scale = speedScale({20000, 38000, 42000});
    data.cublas = {{"H100", 50000}};
    const auto g = charts::legendGeometry(QRectF(0, 0, 900, 300), data, Fonts::of(QFont()));
    const auto find = [&](const QString& text) -> const charts::LegendGeometry::Word* {
      const auto found = std::ranges::find(g.words, text, &charts::LegendGeometry::Word::text);
      return found == g.words.end() ? nullptr : &*found;
    };
    const auto* speed = find("30,000");
    const auto* share = find("60");
    QVERIFY(speed != nullptr && share != nullptr);
    QCOMPARE(speed->rect.center().y(), share->rect.center().y());
    const double up = (g.bar.bottom() - speed->rect.center().y()) / g.bar.height();
    QVERIFY(std::abs(up - data.scale.shareOf(30000)) < 1e-6);
    QVERIFY(g.samples.empty());  // no looks were given
  }

  void whatIsFarSlowerIsOneColour() {
    const SpeedScale scale = speedScale({1000, 20000, 40000});
    QCOMPARE(scale.low, 10000.0);
    QVERIFY(scale.more);
    QCOMPARE(scale.shareOf(1000), 0.0);
    QCOMPARE(scale.shareOf(40000), 1.0);
    QCOMPARE(scale.shareOf(25000), 0.5);
    const auto ticks = scale.ticks(6);
    QVERIFY(ticks.size() >= 3 && ticks.size() <= 6);
    QCOMPARE(ticks.back(), 40000.0);
    QVERIFY(!speedScale({}).known());
    QCOMPARE(speedScale({5000}).ticks(4), std::vector<double>{5000});
    charts::LegendData data;
    data.scale = scale;
    const auto g = charts::legendGeometry(QRectF(0, 0, 900, 300), data, Fonts::of(QFont()));
    QVERIFY(joined(g).contains("≤ 10,000"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TileMapLegendTest, Widgets)
#include "tile_map_legend_test.moc"
