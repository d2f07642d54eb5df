// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as files: pictures that can be opened, tables that say what the chart shows, and why a
// file could not be written.
#include "viz/charts/chart_export.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSvgRenderer>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/chart_points.h"
#include "viz/charts/chart_table.h"
#include "viz/charts/history/history_charts.h"
#include "viz/charts/ladder/ladder_chart.h"

namespace tileloom {

class ChartExportTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString path(const QString& name) const { return m_folder.filePath(name); }

  static QByteArray contents(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }

  static QHash<QString, QString> row(const QByteArray& csv, int line) {
    const auto lines = QString::fromUtf8(csv).split(u'\n');
    const auto heads = lines[0].split(u',');
    const auto fields = lines[line].split(u',');
    QHash<QString, QString> cells;
    for (qsizetype i = 0; i < heads.size(); ++i) cells[heads[i]] = fields.value(i);
    return fields.size() == heads.size() ? cells : QHash<QString, QString>();
  }

  static std::vector<HistoryPoint> points() {
    auto all = test::moves(3);
    all[1].gflops = all[1].ratio = all[1].cublas = {};
    all[1].registers = -1;
    all[1].blocks = 0;
    all[2].freshness = Freshness::Recorded;
    return all;
  }

  static LadderBar bar() {
    const Stage& stage = test::stage("warptiled");
    return {standardSubject(stage), Freshness::Recorded, test::around(36339, 0.01),
            test::around(0.719, 0.01)};
  }

 private slots:
  void pictures() {
    HistoryCharts charts;
    charts.setPoints(points());
    QVERIFY(test::shown(charts, {700, 420}));
    QCOMPARE(chartTitle(charts),
             "rung 8: warp tiling · BM=128 BN=128 BK=16 WM=64 WN=64 WNITER=4 TM=8 TN=4 · " +
                 QString::fromStdString(toString(Problem{4096, 4096, 4096})) +
                 " · recorded on NVIDIA H100 80GB HBM3, 2026-11-21");
    const auto before = charts.markAt(HistoryPanel::Ratio, 0);
    const ChartPicture picture{{1000, 500}, 2, {}};
    QCOMPARE(writeChart(charts, path("a.png"), picture), QString());
    const QImage image(path("a.png"));
    QCOMPARE(image.size(), QSize(2000, 1000));
    QCOMPARE(writeChart(charts, path("a.svg"), picture), QString());
    QSvgRenderer svg(path("a.svg"));
    QVERIFY(svg.isValid());
    QCOMPARE(svg.viewBox(), QRect(0, 0, 1000, 500));
    const QByteArray text = contents(path("a.svg"));
    QVERIFY2(!text.contains("<image"), "a vector picture holds no pixels");
    QVERIFY(text.contains("cuBLAS") && text.contains("2026-11-21"));
    QCOMPARE(writeChart(charts, path("a.PDF"), picture), QString());
    QVERIFY(contents(path("a.PDF")).startsWith("%PDF"));
    // The widget on the screen is as it was.
    QVERIFY(charts.markAt(HistoryPanel::Ratio, 0) == before);

    LadderChart ladder;
    ladder.setBars({bar()}, {4096, 4096, 4096}, "recorded on NVIDIA H100 80GB HBM3, 2026-11-21");
    QCOMPARE(writeChart(ladder, path("l.svg"), picture), QString());
    QVERIFY(contents(path("l.svg")).contains("71.9 %"));
    QVERIFY(contents(path("l.svg")).contains("2026-11-21"));
    QCOMPARE(writeChart(ladder, path("l.png"), {{800, 400}, 1, "A title"}), QString());
    QCOMPARE(QImage(path("l.png")).size(), QSize(800, 400));
  }

  void historyTable() {
    HistoryCharts charts;
    charts.setPoints(points());
    QCOMPARE(writeChart(charts, path("h.csv")), QString());
    const QByteArray csv = contents(path("h.csv"));
    QCOMPARE(csv.count('\n'), 4);
    const auto first = row(csv, 1);
    QCOMPARE(first["move"], "1");
    QCOMPARE(first["stage"], "warptiled");
    QCOMPARE(first["BM (elements)"], "128");
    QCOMPARE(first["BLOCKSIZE (elements)"], "");
    QCOMPARE(first["K (elements)"], "4096");
    QCOMPARE(first["speed (GFLOP/s)"].toDouble(), 34000.0);
    QCOMPARE(first["cuBLAS (GFLOP/s)"].toDouble(), 50545.0);
    QCOMPARE(first["theoretical occupancy (%)"], "18.75");
    QCOMPARE(first["standing"], "live");
    const auto second = row(csv, 2);
    QVERIFY(second.contains("registers (per thread)"));
    for (const char* unknown : {"speed (GFLOP/s)", "share of cuBLAS (%)", "registers (per thread)",
                                "spills (bytes)", "blocks (per SM)", "theoretical occupancy (%)"}) {
      QCOMPARE(second[QLatin1String(unknown)], "");
    }
    QCOMPARE(row(csv, 3)["standing"], "recorded");

    auto odd = points();
    odd.resize(1);
    odd[0].note = "says \"no\", twice";
    odd[0].mainLoop = "main loop rewritten";
    QVERIFY(historyCsv(odd).endsWith(",\"says \"\"no\"\", twice\",main loop rewritten\n"));
    QVERIFY(historyJson(odd).contains("\"mainLoop\": \"main loop rewritten\""));
    QVERIFY(!historyJson(points()).contains("mainLoop"));

    QCOMPARE(writeChart(charts, path("h.json")), QString());
    const auto json = QJsonDocument::fromJson(contents(path("h.json"))).object();
    QCOMPARE(json["schema"].toString(), "tileloom.history/1");
    const auto list = json["points"].toArray();
    QCOMPARE(list.size(), 3);
    QCOMPARE(list[0]["gflops"]["median"].toDouble(), 34000.0);
    QCOMPARE(list[0]["tile"]["BM"].toInt(), 128);
    QCOMPARE(list[0]["occupancy"].toDouble(), 0.1875);
    QVERIFY(!list[1].toObject().contains("gflops"));
    QVERIFY(!list[1].toObject().contains("registers"));
    QCOMPARE(list[2]["standing"].toString(), "recorded");
  }

  void ladderTable() {
    LadderChart chart;
    LadderBar unknown = bar();
    unknown.gflops = unknown.ratio = {};
    chart.setBars({bar(), unknown}, {4096, 2048, 1024}, "a source, with a comma");
    QCOMPARE(writeChart(chart, path("l.csv")), QString());
    const QByteArray csv = contents(path("l.csv"));
    QCOMPARE(csv.count('\n'), 3);
    QVERIFY(csv.contains("\"a source, with a comma\""));
    QVERIFY(csv.contains("share of cuBLAS (%)"));
    QCOMPARE(writeChart(chart, path("l.json")), QString());
    const auto json = QJsonDocument::fromJson(contents(path("l.json"))).object();
    QCOMPARE(json["schema"].toString(), "tileloom.ladder/1");
    QCOMPARE(json["problem"]["n"].toInt(), 2048);
    QCOMPARE(json["bars"].toArray().size(), 2);
    QCOMPARE(json["bars"].toArray().at(0)["ratio"]["median"].toDouble(), 0.719);
    QVERIFY(!json["bars"].toArray().at(1).toObject().contains("ratio"));
  }

  // Beside the other figures, of the rungs that may be rewritten.
  void ladderTableSaysWhatIsRewritten() {
    LadderFigures plain, rewritten;
    rewritten.mainLoop = "main loop rewritten";
    const std::vector<LadderBar> bars{bar(), bar()};
    const std::vector<LadderFigures> figures{plain, rewritten};
    const QByteArray csv = ladderCsv(bars, {4096, 4096, 4096}, "a source", figures);
    QCOMPARE(row(csv, 1)["main loop"], "");
    QCOMPARE(row(csv, 2)["main loop"], "main loop rewritten");
    QCOMPARE(row(csv, 2)["source"], "a source");
    const auto json =
        QJsonDocument::fromJson(ladderJson(bars, {4096, 4096, 4096}, "a source", figures)).object();
    QVERIFY(!json["bars"].toArray().at(0).toObject().contains("mainLoop"));
    QCOMPARE(json["bars"].toArray().at(1)["mainLoop"].toString(), "main loop rewritten");
  }

  // A rung of either ladder says which arithmetic its speed is of.
  void ladderTableNamesTheFormat() {
    LadderChart chart;
    LadderBar tensor = bar();
    tensor.subject() = standardSubject(tensorStages().front());
    chart.setBars({bar(), tensor}, {4096, 4096, 4096}, "a source");
    QCOMPARE(writeChart(chart, path("both.csv")), QString());
    const QByteArray csv = contents(path("both.csv"));
    QCOMPARE(row(csv, 1)["arithmetic"], "fp32");
    QCOMPARE(row(csv, 2)["arithmetic"], "bf16");
    QCOMPARE(row(csv, 2)["rung"], "T1");
    QCOMPARE(writeChart(chart, path("both.json")), QString());
    const auto bars =
        QJsonDocument::fromJson(contents(path("both.json"))).object()["bars"].toArray();
    QCOMPARE(bars.at(0)["ladder"].toString(), "fp32");
    QCOMPARE(bars.at(1)["ladder"].toString(), "tensor");
    QCOMPARE(bars.at(1)["arithmetic"].toString(), "bf16");
    for (const char* name : {"both.png", "both.svg"})
      QCOMPARE(writeChart(chart, path(name)), QString());
    QVERIFY(contents(path("both.svg")).contains("cublasGemmEx"));
  }

  void failuresSayWhy() {
    HistoryCharts charts;
    charts.setPoints(points());
    charts.resize(400, 300);
    const QString suffix = writeChart(charts, path("a.bmp"));
    QVERIFY(suffix.contains("a.bmp") && suffix.contains(".csv"));
    QVERIFY(!QFile::exists(path("a.bmp")));
    QVERIFY(!writeChart(charts, path("none")).isEmpty());
    for (const char* name :
         {"missing/a.png", "missing/a.svg", "missing/a.pdf", "missing/a.csv", "missing/a.json"}) {
      const QString why = writeChart(charts, path(name));
      QVERIFY2(why.contains("cannot write"), name);
      QVERIFY(!why.endsWith(u'.'));
    }
    // A folder of that name is never replaced.
    QVERIFY(QDir(m_folder.path()).mkdir("folder.csv"));
    QVERIFY(writeChart(charts, path("folder.csv")).contains("cannot write"));
    // Nothing to show is not a failure.
    HistoryCharts empty;
    empty.resize(400, 300);
    QCOMPARE(writeChart(empty, path("empty.svg")), QString());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ChartExportTest, Widgets)
#include "chart_export_test.moc"
