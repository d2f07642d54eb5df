// SPDX-License-Identifier: GPL-3.0-or-later
// Launch files: what they say, with values, and what is wrong with others.
#include "kernels/own/launch_file.h"

#include <QtTest>

#include "kernels/own/resolved_launch.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

constexpr const char* kWhole = R"JSON({
  "tileloom_launch": 1, "kernel": "sgemm", "sizes": {"M": 100, "N": 64, "K": 32},
  "values": {"BM": 16}, "grid": ["cdiv(N, 32)", "cdiv(M, BM)"], "threads": [128],
  "shared": "4 * BM * K", "alpha": 2, "beta": 0.5,
  "parameters": ["M", 7, "alpha", {"matrix": "A", "type": "f16", "stride": "K + 8"},
    {"matrix": "B", "layout": "column"}, "beta", {"matrix": "C"}, {"matrix": "C"},
    {"buffer": "flags", "type": "i32", "elements": "cdiv(M, BM)"}, {"real": 3},
    {"bytes": "0a00"}, {"matrix": "A", "type": "f16", "stride": "K + 8", "box": ["BM", 32],
    "swizzle": 64, "pointed": true}]})JSON";

class LaunchFileTest : public QObject {
  Q_OBJECT

  // A file with these members, and a version.
  static QString errorOf(const QString& members) {
    const auto read = launchFileFrom(("{\"tileloom_launch\": 1, " + members + "}").toStdString());
    if (!read) return q(read.error());
    const auto made = resolved(*read, {});
    return made ? QString("it is accepted") : q(made.error());
  }

 private slots:
  void withValues() {
    const auto file = launchFileFrom(kWhole);
    QVERIFY2(file.has_value(), file ? "" : file.error().c_str());
    const auto made = resolved(*file, {});
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QCOMPARE(q(made->launch.kernel), QString("sgemm"));
    QVERIFY((made->launch.grid == executor::Extent3{2, 7, 1}));
    QVERIFY((made->launch.block == executor::Extent3{128, 1, 1}));
    QCOMPARE(made->launch.dynamicShared, 2048u);
    QStringList arguments;
    for (const std::string& each : made->launch.arguments) arguments.append(q(each));
    QCOMPARE(arguments, QStringList({"100", "7", "2.0", "A:f16:100x40:small", "B:f32:64x32:small",
                                     "0.5", "C:f32:100x64:small", "C", "flags:i32:7:zero", "3.0",
                                     "hex:0a00", "*A@16x32:64"}));
    const MatrixPlace& b = *made->matrix("B");
    QVERIFY(b.rows == 32 && b.columns == 64 && b.stride == 32 && b.at(3, 5) == 5 * 32 + 3);
    QVERIFY(!b.isPlain() && !made->matrix("A")->isPlain() && made->matrix("C")->isPlain());
    QVERIFY(made->matrix("D") == nullptr);
  }
  void otherValues() {
    const auto file = launchFileFrom(kWhole);
    const auto made = resolved(*file, {{"M", 33}, {"BM", 32}});
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QVERIFY((made->launch.grid == executor::Extent3{2, 2, 1}));
    QVERIFY(q(resolved(*file, {{"BX", 1}}).error()).contains("BX is neither a size nor a value"));
    QVERIFY(q(resolved(*file, {{"M", 0}}).error()).contains("M must be a size from 1"));
    // 100 blocks of 0 rows.
    QVERIFY(q(resolved(*file, {{"BM", 0}}).error()).contains("grid: \"cdiv(M, BM)\""));
  }
  void writtenAndRead() {
    const auto file = launchFileFrom(kWhole);
    const auto again = launchFileFrom(textOf(*file));
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QVERIFY(*again == *file);
    const auto usual = launchFileFrom(textOf(LaunchFile()));
    QVERIFY(usual.has_value() && *usual == LaunchFile());
  }

  void errors_data() {
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* members, const char* part) {
      QTest::newRow(members) << members << part;
    };
    row("\"grids\": [1], \"parameters\": []", "the key \"grids\" is not known: choose from");
    row("\"kernel\": \"k\"", "\"parameters\" is missing");
    row("\"parameters\": [true]", "parameter 1: it is neither a text nor an object");
    row("\"parameters\": [{\"matrx\": \"A\"}]", "parameter 1: it has no \"matrix\"");
    row("\"parameters\": [{\"matrix\": \"X\"}]", "parameter 1: \"matrix\"");
    row("\"parameters\": [{\"matrix\": \"A\", \"typ\": \"f32\"}]", "the key \"typ\" is not known");
    row("\"parameters\": [{\"matrix\": \"A\", \"type\": \"i32\"}]", "parameter 1: \"type\"");
    row("\"parameters\": [{\"matrix\": \"A\", \"stride\": 7}]",
        "parameter 1: the stride is 7, less than the 128 elements of a row");
    row("\"parameters\": [{\"matrix\": \"A\"}, {\"matrix\": \"A\", \"type\": \"f16\"}]",
        "parameter 2: A has another type, layout or stride in an earlier parameter");
    row("\"parameters\": [{\"matrix\": \"A\", \"pointed\": true}]", "needs a box");
    row("\"parameters\": [{\"buffer\": \"C\"}]", "\"buffer\" needs a name of letters and digits");
    row("\"parameters\": [{\"buffer\": \"x\", \"elements\": 0}]",
        "parameter 1: elements: \"0\" is 0, which is not from 1");
    row("\"parameters\": [\"BK\"]", "parameter 1: \"BK\" at character 1: BK has no value");
    row("\"parameters\": [], \"sizes\": {\"M\": 0}", "\"M\"");
    row("\"parameters\": [], \"sizes\": {\"M N\": 1}", "\"M N\" is not a name of \"sizes\"");
    row("\"parameters\": [], \"values\": {\"M\": 1}", "M is both a size and a value");
    row("\"parameters\": [], \"threads\": [2048]", "threads: \"2048\" is 2048");
    row("\"parameters\": [], \"grid\": [\"M\", \"N\", \"K\", \"1\"]", "\"grid\"");
    row("\"parameters\": [], \"grid\": [true]", "a list of expressions");
    row("\"parameters\": [], \"alpha\": \"much\"", "\"alpha\"");
  }
  void errors() {
    QFETCH(QString, members);
    QFETCH(QString, part);
    const QString error = errorOf(members);
    QVERIFY2(error.contains(part), qPrintable(error));
  }
  void noLaunchFile() {
    QVERIFY(q(launchFileFrom("{").error()).contains("this is not a JSON object"));
    QVERIFY(q(launchFileFrom("{}").error()).contains("\"tileloom_launch\" is missing"));
    QVERIFY(q(launchFileFrom("{\"tileloom_launch\": 2}").error()).contains("install a newer one"));
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::LaunchFileTest, Nothing)
#include "launch_file_test.moc"
