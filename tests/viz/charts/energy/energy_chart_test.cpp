// SPDX-License-Identifier: GPL-3.0-or-later
// The energy chart: the places of its bars and texts, what they say, and what mouse and keys do.
#include "viz/charts/energy/energy_chart.h"

#include <QSignalSpy>
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/energy_calls.h"
#include "tests/viz/golden.h"
#include "viz/charts/chart_export.h"
#include "viz/charts/energy/energy_words.h"

namespace tileloom {

using charts::EnergyGeometry;
using charts::EnergyPart;
using charts::EnergyText;
using model::Loads;

class EnergyChartTest : public QObject {
  Q_OBJECT

  static EnergyGeometry laidOut(const EnergyData& data, const QSizeF& size) {
    return charts::energyGeometry(data, size, Fonts::of(test::goldenFont()));
  }
  static bool near(double a, double b) { return std::abs(a - b) < 1e-6; }
  static bool says(const EnergyGeometry& g, const QString& words) {
    return std::ranges::any_of(g.texts,
                               [&](const EnergyText& t) { return t.text.contains(words); });
  }

 private slots:
  // From the page in a small window to a large screen: bars at their values, and no words that
  // touch others, leave the picture or are cut off.
  void rowsStandAtTheirValues_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<QByteArray>("present");
    for (const QSizeF& size : {QSizeF(340, 420), QSizeF(655, 200), QSizeF(700, 260),
                               QSizeF(1275, 420), QSizeF(1920, 500), QSizeF(3840, 1200)}) {
      for (const char* present : {"hopper", "warptiled"})
        QTest::addRow("%.0f x %.0f, %s", size.width(), size.height(), present)
            << size << QByteArray(present);
    }
  }
  void rowsStandAtTheirValues() {
    QFETCH(QSizeF, size);
    QFETCH(QByteArray, present);
    const EnergyData data = test::energyData(present.toStdString());
    const EnergyGeometry g = laidOut(data, size);
    const QRectF all(QPointF(0, 0), size);
    QCOMPARE(g.rows.size(), model::kLoads.size());
    const double joules[] = {0.8, 0.86, 0.87, 0.9, 1.0};
    for (std::size_t i = 0; i < g.rows.size(); ++i) {
      QVERIFY(g.rows[i].loads == model::kLoads[i]);
      QVERIFY(all.contains(g.rows[i].row));
      QVERIFY(near(g.rows[i].bar().left(), g.jouleX(0)));
      QVERIFY(near(g.rows[i].bar().right(), g.jouleX(joules[i])));
      QVERIFY(near(g.rows[i].parts.front().rect.right(), g.ceiling));
      QVERIFY(g.rows[i].low < g.rows[i].bar().right() && g.rows[i].high > g.rows[i].bar().right());
      QVERIFY(g.rows[i].high <= g.bars.right() + 0.01);
      if (i > 0) QVERIFY(g.rows[i].row.top() >= g.rows[i - 1].row.bottom() - 0.01);
    }
    QCOMPARE(g.rungRows.size(), data.rungs().size());
    QVERIFY(all.contains(g.rungs));
    QVERIFY(!g.rungs.intersects(g.bars));
    // Faster than the library: less energy, left of its line.
    QVERIFY(g.rungRows[0].marks[0].x() > g.library);
    QVERIFY(near(g.rungRows[0].marks[0].x(), g.percentX(125)));
    QVERIFY(g.rungRows[4].marks.size() == 2 && g.rungRows[4].marks[0].x() < g.library);
    for (std::size_t i = 0; i < g.texts.size(); ++i) {
      const EnergyText& text = g.texts[i];
      QVERIFY2(text.whole, qPrintable(text.text));
      QVERIFY2(all.adjusted(-1, -1, 1, 1).contains(text.rect), qPrintable(text.text));
      for (std::size_t k = 0; k < i; ++k) {
        QVERIFY2(!text.rect.adjusted(0, 1, 0, -1).intersects(g.texts[k].rect.adjusted(0, 1, 0, -1)),
                 qPrintable(text.text + " over " + g.texts[k].text));
      }
    }
    // At any size the texts include the ceiling, the assumption and what is wrong on purpose.
    QVERIFY(says(g, "ceiling"));
    QVERIFY(says(g, "1,000 W assumed: the limit"));
    QVERIFY(says(g, "rong") && says(g, "on purpose"));
    QVERIFY(says(g, "recorded"));
    QCOMPARE(says(g, "FP32"), present == "warptiled");
    QCOMPARE(g.present.has_value(), present == "hopper");
  }

  void theStackedBarHoldsWhatAddsUp() {
    const EnergyGeometry g = laidOut(test::energyData(), {1000, 320});
    using Kind = EnergyPart::Kind;
    const auto kinds = [&g](Loads loads) {
      std::vector<Kind> all;
      const auto& row = g.rows[static_cast<std::size_t>(loads)];
      for (const auto& part : row.parts) all.push_back(part.kind);
      return all;
    };
    QVERIFY(kinds(Loads::None) == std::vector{Kind::NoLoads});
    QVERIFY(kinds(Loads::OnlyA) == (std::vector{Kind::NoLoads, Kind::A}));
    QVERIFY(kinds(Loads::OnlyB) == (std::vector{Kind::NoLoads, Kind::B}));
    QVERIFY(kinds(Loads::FromL2) == (std::vector{Kind::NoLoads, Kind::AB}));
    QVERIFY(kinds(Loads::All) == (std::vector{Kind::NoLoads, Kind::AB, Kind::Dram}));
    const auto& whole = g.rows.back().parts;
    QVERIFY(near(whole[1].rect.left(), whole[0].rect.right()));
    QVERIFY(near(whole[2].rect.left(), whole[1].rect.right()));
    QVERIFY(near(whole[1].rect.right(), g.jouleX(0.9)));
  }

  void words() {
    const EnergyData data = test::energyData();
    QCOMPARE(charts::energyHeadlines(data).front(),
             "Loading A and B into the SMs takes about 20 % of the energy: 10 % from L2, 10 % from "
             "DRAM");
    QCOMPARE(charts::energySources(data).front(),
             QString("At the power limit, bf16, 1000%1 · 1,000 W assumed: the limit, no meter · "
                     "recorded on NVIDIA H100 80GB HBM3, 2026-02-03")
                 .arg(QChar(0xB3)));
    QCOMPARE(charts::loadsLabels(*data.whatIfs(), Loads::OnlyA).front(),
             "A, DRAM to the SMs: +0.060 J");
    QCOMPARE(charts::loadsLabels(*data.whatIfs(), Loads::All).front(),
             "L2 to the SMs +0.100, DRAM to L2 +0.100 J");
    QVERIFY(charts::loadsLabels(*data.whatIfs(), Loads::None).front().contains("3 TFLOP/s"));
    // By matrix and by place are two sums.
    const QString sums = charts::sumsSentences(*data.whatIfs()).front();
    QVERIFY2(
        sums.startsWith(
            "A alone 0.060 J and B alone 0.070 J add up to 0.130 J; both together take 0.200 J"),
        qPrintable(sums));
    QCOMPARE(charts::rungNumbers(data.rungs()[4]), "96.2, 95.2 %");

    const QString none = charts::energyToolTip(data, {Loads::None, {}});
    for (const char* part :
         {"no loads: 2.5 TFLOP/s", "Results are wrong on purpose", "0.800 J per multiplication",
          "400.000 pJ per FLOP, if the card draws its limit, 1,000 W",
          "SM clock 1,500 MHz: the limit holds it below 2,000 MHz", "can be faster at this limit",
          "cublasGemmEx in bf16 in the same call: 1.9 TFLOP/s at the power limit",
          "2026-02-03; an invented method"})
      QVERIFY2(none.contains(part), qPrintable(none));
    const QString whole = charts::energyToolTip(data, {Loads::All, {}});
    QVERIFY(!whole.contains("wrong") && whole.contains("Results are right"));
    QVERIFY(whole.contains("1.20 GB from and to DRAM, 1.10 GB between the halves of L2"));
    const QString rung = charts::energyToolTip(data, {{}, 4});
    for (const char* part :
         {"T13", "96.2 % of the energy of cublasGemmEx in the same call: 104.0 %",
          "95.2 % of the energy", "0.952 J per multiplication"})
      QVERIFY2(rung.contains(part), qPrintable(rung));

    QVERIFY(charts::energyNotes(data).isEmpty());
    QCOMPARE(charts::energyNotes(test::energyData("warptiled")).front(),
             "Rung 8 multiplies in FP32, for which no energy was measured. This chart shows the "
             "tensor ladder.");
    QCOMPARE(charts::energyNotes(test::energyData("mma")).front(),
             "Rung T1 is not among the rungs whose energy was recorded.");
    // Without measurements it says so, and painting works.
    QCOMPARE(charts::energyHeadlines({}), QStringList("No energy was measured."));
    const EnergyGeometry empty = laidOut({}, {655, 200});
    QVERIFY(empty.rows.empty() && empty.rungRows.empty() && says(empty, "No energy"));
    QVERIFY(charts::energyCsv({}).isEmpty());
  }

  void tables() {
    const EnergyData data = test::energyData();
    const QList<QByteArray> lines = charts::energyCsv(data).trimmed().split('\n');
    // Heads; the library, five what-ifs; five rungs; one rung and cuBLASLt.
    QCOMPARE(lines.size(), qsizetype(1 + 6 + 5 + 2));
    for (const QByteArray& line : lines) QCOMPARE(line.count(','), lines[0].count(','));
    QVERIFY2(lines[2].contains(",loads none,2.5,"), lines[2].constData());
    QVERIFY2(lines[2].endsWith(",0.8,400,76"), lines[2].constData());
    const auto all = nlohmann::json::parse(charts::energyJson(data).toStdString());
    QVERIFY(all["schema"] == "tileloom.energies/1");
    QCOMPARE(all["calls"].size(), std::size_t(3));
    const auto& first = all["calls"][0];
    QVERIFY(first["power"] == "assumed to be the limit");
    QVERIFY(first["what_ifs"][0]["results"] == "wrong on purpose");
    QVERIFY(first["what_ifs"][4]["results"] == "right");
    QVERIFY(near(first["what_ifs"][4]["joules"].get<double>(), 1));
    QVERIFY(near(first["shares"]["from_dram"].get<double>(), 0.1));
    const auto& last = all["calls"][2]["rungs"];
    QVERIFY(last[1]["who"] == "cublaslt" && last[1].contains("joules"));
    QVERIFY(!all["calls"][1]["rungs"][0].contains("joules"));  // no speed was kept
  }

  void aClickTakesTheRung() {
    EnergyChart chart;
    chart.setFont(test::goldenFont());
    chart.setData(test::energyData("specialised"));
    QVERIFY(test::shown(chart, {900, 320}));
    QSignalSpy picked(&chart, &EnergyChart::picked);
    const auto centre = [](const QRectF& rect) { return rect.center().toPoint(); };
    const auto& g = chart.geometryOfRows();
    test::clickAt(chart, centre(g.rungRows[4].row));
    QCOMPARE(picked.size(), 1);
    QVERIFY(picked.takeFirst()[0].value<const Stage*>() == &test::stage("hopper"));
    test::clickAt(chart, centre(g.rungRows[5].row));  // cuBLASLt
    test::clickAt(chart, centre(g.rows[0].row));
    QCOMPARE(picked.size(), 0);
    // With the keys through what-ifs and rungs.
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Down);
    QVERIFY2(chart.accessibleDescription().startsWith("no loads: "),
             qPrintable(chart.accessibleDescription()));
    for (int i = 0; i < 5; ++i) QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(picked.size(), 1);
    QVERIFY(picked.takeFirst()[0].value<const Stage*>() == &test::stage("specialised"));
    QTest::keyClick(&chart, Qt::Key_Escape);
    QVERIFY(chart.accessibleDescription().startsWith("Loading A and B"));
  }

  // Rows that would overlap are left out; the headline stays.
  void tooLowForRows() {
    const EnergyData data = test::energyData();
    const EnergyGeometry flat = laidOut(data, {655, 70});
    QVERIFY(flat.rows.empty() && flat.rungRows.empty());
    QVERIFY(says(flat, "about 20 % of the energy"));
    int height = 70;
    while (height < 200 && laidOut(data, {655.0, double(height)}).rows.empty()) ++height;
    const EnergyGeometry low = laidOut(data, {655.0, double(height)});
    QVERIFY(!low.rows.empty() && low.rungRows.empty());  // there are more rungs
    QVERIFY(!laidOut(data, {655, 200}).rungRows.empty());
  }

  // A chart that is too narrow for both parts requests the height that both need.
  void theLeastHeightHoldsAllRows() {
    EnergyChart chart;
    chart.setFont(test::goldenFont());
    chart.setData(test::energyData());
    for (const int width : {340, 655, 1200}) {
      chart.resize(width, 400);
      const QSize least(width, chart.minimumSizeHint().height());
      if (width >= 655)
        QVERIFY2(least.height() <= 200, qPrintable(QString::number(least.height())));
      const EnergyGeometry g = laidOut(chart.data(), least);
      const double line = QFontMetricsF(Fonts::of(test::goldenFont()).small).height();
      for (const auto& row : g.rows) QVERIFY(row.row.height() >= 0.9 * line);
      for (const auto& row : g.rungRows) QVERIFY(row.row.height() >= 0.9 * line);
    }
  }

  void files() {
    QTemporaryDir folder;
    EnergyChart chart;
    chart.setData(test::energyData());
    for (const char* name : {"a.png", "a.svg", "a.csv", "a.json"}) {
      const QString file = folder.filePath(name);
      QCOMPARE(writeChart(chart, file, {{900, 400}, 1, {}}), QString());
      QVERIFY(QFileInfo(file).size() > 500);
    }
    QCOMPARE(chartTitle(chart),
             "Energy of a multiplication at the power limit · an invented kernel");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::EnergyChartTest, Widgets)
#include "energy_chart_test.moc"
