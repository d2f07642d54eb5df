// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences on the screen, word for word. Line numbers come from the sources.
#include "viz/base/text/describe.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QtTest>

#include "kernels/analysis/recording.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/base/text/clauses.h"

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;
using test::indexOf;
using test::lineOf;
using test::recorded;

class DescribeTest : public QObject {
  Q_OBJECT

  // The sentence for the warp's first instruction of `kind` on the line that contains `part`.
  static QString at(const analysis::Recording& recording, std::uint32_t warp, Kind kind,
                    const char* part) {
    const int line = lineOf(*recording.trace.rung(), part);
    return describeMoment(recording.moment(warp, indexOf(recording, warp, [&](const auto& i) {
                                             return i.kind == kind && i.line == line;
                                           })));
  }

  static QString start(const analysis::Recording& recording, std::uint32_t warp, const char* part) {
    return QString("warp %1, line %2: ").arg(warp).arg(lineOf(*recording.trace.rung(), part));
  }

  static Scene sceneAt(const test::RecordingPointer& recording, std::uint32_t warp,
                       std::uint32_t kTile, std::uint16_t dot) {
    return makeScene(recording, warp, indexOf(*recording, warp, [&](const Instruction& i) {
                       return i.kTile == kTile && i.dot == dot;
                     }));
  }

 private slots:
  // A part of K ends with K, also if K is not a multiple of its depth.
  void partsOfK() {
    QCOMPARE(describePartOfK(0, 32, 4096), "k = 0 to 31");
    QCOMPARE(describePartOfK(1, 32, 40), "k = 32 to 39");
    QCOMPARE(describePartOfK(1, 32, 33), "k = 32");
    QCOMPARE(describePartOfK(0, 32, 1), "k = 0");
    QCOMPARE(describePartOfK(2, 32, 0), "k = 64 to 95");
  }

  // A cut wait never seems to be a wait for all.
  void anExceptionIsNotLeftOut() {
    const auto r = recorded({.stage = "async"});
    const auto at = indexOf(
        *r, 0, [](const Instruction& i) { return i.kind == Kind::CopyWait && i.width > 0; });
    const QString text = describeMoment(r->moment(0, at));
    QVERIFY2(QString(text)
                 .remove(QChar(0x2060))
                 .endsWith("waits until at most 1 cp.async group is in flight"),
             qPrintable(text));
    const QFontMetricsF metrics(QGuiApplication::font());
    for (double width = metrics.horizontalAdvance(text) - 1; width > 60; width -= 1)
      QVERIFY(fitted(text, metrics, width).endsWith(QChar(0x2026)));
  }

  // "32 × 32 elements of C: 2 × 4 tiles of 16 × 8" is complete without the accumulators.
  void whatAWarpOwnsIsCutWhereItIsWhole() {
    const auto r = recorded({.stage = "mma", .kTiles = 1});
    const QString text = describeThread(makeScene(r, 0, 0));
    QVERIFY2(text.endsWith(" tiles of 16 × 8, 4 accumulators per lane in each"), qPrintable(text));
    const QFontMetricsF metrics(QGuiApplication::font());
    const QString shown = fitted(text, metrics, metrics.horizontalAdvance(text) - 1);
    QVERIFY2(shown.endsWith(QStringLiteral(" tiles of 16 × 8, …")), qPrintable(shown));
  }

  void rung8() {
    const auto r = recorded({.stage = "warptiled"});
    const char* const a = "load_run(regM";
    const char* const b = "load_run(regN";
    const char* const turned = "As[(colA + 0)";
    const char* const fetch = "const float4 a = load4(A";
    const char* const add = "acc[(wm * TM + m) * (WNITER * TN) + wn * TN + n] +=";
    const char* const store = "store4(C + at, c)";
    const char* const beta = "c.x = alpha";
    QCOMPARE(at(*r, 2, Kind::SharedLoad, a),
             start(*r, 2, a) + "128-bit shared load of As, 2 wavefronts, no bank conflict");
    QCOMPARE(at(*r, 3, Kind::SharedLoad, b),
             start(*r, 3, b) + "128-bit shared load of Bs, 4 wavefronts, no bank conflict");
    QCOMPARE(at(*r, 0, Kind::SharedStore, turned),
             start(*r, 0, turned) +
                 "32-bit shared store to As, 4 wavefronts, 3 of them by bank conflicts");
    QCOMPARE(at(*r, 1, Kind::GlobalLoad, fetch),
             start(*r, 1, fetch) + "128-bit global load of A, 16 sectors, 512 of 512 bytes used");
    QCOMPARE(at(*r, 0, Kind::Fma, add),
             start(*r, 0, add) + "multiply-add in 32 lanes, registers only");
    QCOMPARE(at(*r, 0, Kind::GlobalStore, store),
             start(*r, 0, store) + "128-bit global store to C, 16 sectors, 512 of 512 bytes used");
    QCOMPARE(at(*r, 0, Kind::Fma, beta),
             start(*r, 0, beta) + "multiply-add in 32 lanes, registers only");
    const auto barrier =
        r->moment(0, indexOf(*r, 0, [](const Instruction& i) { return i.kind == Kind::Barrier; }));
    QVERIFY(describeMoment(barrier).endsWith(": barrier: the block waits for all its warps"));
  }

  void conflictsOfRung5() {
    const auto r = recorded({.stage = "blocktile2d"});
    const int a = lineOf(*r->trace.rung(), "regM[m] = As");
    QCOMPARE(at(*r, 0, Kind::SharedLoad, "regM[m] = As"),
             QString("warp 0, line %1: 32-bit shared load of As, 2 wavefronts, "
                     "1 of them by bank conflicts")
                 .arg(a));
    const int b = lineOf(*r->trace.rung(), "regN[n] = Bs");
    QCOMPARE(at(*r, 0, Kind::SharedLoad, "regN[n] = Bs"),
             QString("warp 0, line %1: 128-bit shared load of Bs (4 scalar loads merged), "
                     "8 wavefronts, 4 of them by bank conflicts")
                 .arg(b));
  }

  void mergedLoadsOfRung3() {
    const auto r = recorded({.stage = "shared"});
    const char* const line = "sum += As[";
    const std::uint32_t as = test::arrayNamed(*r, "As");
    const auto ofAs = [as](const Instruction& i) {
      return i.kind == Kind::SharedLoad && i.array == as;
    };
    const std::uint32_t first = indexOf(*r, 5, ofAs);
    QCOMPARE(
        describeMoment(r->moment(5, first)),
        start(*r, 5, line) +
            "128-bit shared load of As (4 scalar loads merged), 2 wavefronts, no bank conflict");
    QCOMPARE(describeMoment(r->moment(5, indexOf(*r, 5, ofAs, first + 1))),
             start(*r, 5, line) +
                 "128-bit shared load of As, part of the wide load that it was merged into");
  }

  void globalLoadsOfRung1() {
    const auto r = recorded({.stage = "naive"});
    const char* const line = "sum += A[";
    QCOMPARE(at(*r, 0, Kind::GlobalLoad, line),
             start(*r, 0, line) + "32-bit global load of A, 32 sectors, 128 of 1024 bytes used");
    const auto b = r->moment(0, indexOf(*r, 0, [](const Instruction& i) {
                               return i.kind == Kind::GlobalLoad && i.array == emulator::kArrayB;
                             }));
    QCOMPARE(describeMoment(b),
             start(*r, 0, line) + "32-bit global load of B, 1 sector, 4 of 32 bytes used");
  }

  void oneLane() {
    const auto r = recorded({.stage = "naive", .problem = {1, 1, 4}});
    const char* const line = "sum += A[";
    QCOMPARE(at(*r, 0, Kind::Fma, line),
             start(*r, 0, line) + "multiply-add in 1 lane, registers only");
  }

  // Every instruction of a trace has one plain sentence.
  void everyInstructionHasASentence_data() { test::addStageRows(); }
  void everyInstructionHasASentence() {
    const auto r = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 128}});
    const std::uint32_t length = r->trace.length(0);
    for (std::uint32_t i = 0; i < length; i += length / 200 + 1) {
      const QString text = describeMoment(r->moment(0, i));
      QVERIFY2(text.startsWith("warp 0, line ") && text.size() > 25, qPrintable(text));
      QVERIFY2(!text.contains('%') && !text.contains("  ") && !text.endsWith('.'),
               qPrintable(text));
    }
  }

  void threads() {
    const auto text = [](const test::RecordingPointer& r, std::uint32_t thread) {
      Scene scene = makeScene(r, thread / 32, 0);
      scene.selection.thread = thread;
      return describeThread(scene);
    };
    QCOMPARE(text(recorded({.stage = "warptiled"}), 2 * 32 + 13),
             QString("lane 13 of warp 2 owns 4 subtiles of 8 × 4, 16 columns apart"));
    QCOMPARE(text(recorded({.stage = "vectorized"}), 7),
             QString("lane 7 of warp 0 owns 8 × 8 elements of C"));
    QCOMPARE(text(recorded({.stage = "blocktile1d"}), 33),
             QString("lane 1 of warp 1 owns 8 × 1 elements of C"));
    QCOMPARE(text(recorded({.stage = "coalesced"}), 95),
             QString("lane 31 of warp 2 owns one element of C"));
    QCOMPARE(text(recorded({.stage = "naive", .problem = {1, 1, 4}}), 5),
             QString("thread 5 owns no element of C"));
    const Stage& rung8 = test::stage("warptiled");
    const TileShape down = rung8.standardTile().with(Parameter::WNITER, 1);
    QVERIFY(isLegal(rung8, down));
    QCOMPARE(text(recorded({.stage = "warptiled", .tile = down}), 0),
             QString("lane 0 of warp 0 owns 4 subtiles of 8 × 4, 16 rows apart"));
    QCOMPARE(text(recorded({.stage = "tuned"}), 0),
             QString("lane 0 of warp 0 owns 2 × 2 subtiles of 4 × 4, 16 rows and 32 columns "
                     "apart"));
  }

  // Without a thread of this warp in the selection, lane 0 represents the warp.
  void laneZeroStandsForItsWarp() {
    Scene scene = makeScene(recorded({.stage = "warptiled"}), 1, 0);
    scene.selection.thread = 3 * 32 + 5;
    QVERIFY(describeThread(scene).startsWith("lane 0 of warp 1 owns"));
  }

  void positions() {
    const auto warp = recorded({.stage = "warptiled"});
    QCOMPARE(describePosition(sceneAt(warp, 0, 0, emulator::kNoDot)), QString("K tile 1 of 64"));
    QCOMPARE(describePosition(sceneAt(warp, 3, 1, 5)), QString("K tile 2 of 64 · k = 5"));
    const std::uint32_t last = warp->trace.length(0) - 1;
    QCOMPARE(describePosition(makeScene(warp, 0, last)),
             QString("epilogue · after the last of 64 K tiles, 2 traced"));
    const auto all = recorded({.stage = "warptiled", .problem = {128, 128, 32}});
    QCOMPARE(describePosition(makeScene(all, 0, all->trace.length(0) - 1)), QString("epilogue"));
    // Rungs 1 and 2 have no K tiles: k counts on through the slabs that the window steps by.
    for (const char* id : {"naive", "coalesced"}) {
      const auto plain = recorded({.stage = id});
      QCOMPARE(describePosition(sceneAt(plain, 0, 0, 7)), QString("k = 7 of 1024"));
      QCOMPARE(describePosition(sceneAt(plain, 0, 1, 5)), QString("k = 37 of 1024"));
    }
  }

  // The K tile of an access, if it is not the one being multiplied: fetching ends with the store, a
  // load reads what was fetched.
  void otherTilesInThePrologue() {
    const auto r = recorded({.stage = "tuned"});
    const auto first = [&](Kind kind) {
      return makeScene(r, 0, indexOf(*r, 0, [&](const Instruction& i) { return i.kind == kind; }));
    };
    const QString before = QString("prologue · before K tile 1 of %1").arg(r->trace.kTiles);
    QCOMPARE(describePosition(first(Kind::AsyncCopy)), before + " · fetching K tile 1");
    const Scene load = first(Kind::SharedLoad);
    QVERIFY(load.beforeTiles());
    QCOMPARE(describePosition(load), before + " · reading K tile 1");
    QCOMPARE(describePosition(first(Kind::Barrier)), before);
  }

  void selections() {
    const auto r = recorded({.stage = "warptiled"});
    Scene scene = makeScene(r, 0, 0);
    QCOMPARE(describeSelection(scene), QString());
    QCOMPARE(describeSelection(Scene()), QString());
    scene.selection.thread = 45;
    QCOMPARE(describeSelection(scene), QString("thread 45 = warp 1, lane 13"));
    scene.selection.element = analysis::Element{analysis::Matrix::B, 3, 40};
    scene.selection.word = analysis::SharedWord{test::arrayNamed(*r, "Bs"), 3 * 128 + 40};
    QCOMPARE(describeSelection(scene),
             QString("thread 45 = warp 1, lane 13 · B[3][40] · Bs[424] in bank 8"));
    scene.selection = {};
    scene.selection.element = analysis::Element{analysis::Matrix::C, 0, 127};
    QCOMPARE(describeSelection(scene), QString("C[0][127]"));
  }

  void counting() {
    QCOMPARE(counted(0, "1 cat", "%1 cats"), QString("0 cats"));
    QCOMPARE(counted(1, "1 cat", "%1 cats"), QString("1 cat"));
    QCOMPARE(counted(32, "1 cat", "%1 cats"), QString("32 cats"));
  }

  void openingParagraphs_data() { test::addStageRows(); }
  void openingParagraphs() {
    const QString text = openingParagraph(test::stageOfRow());
    QVERIFY2(text.size() > 200 && text.endsWith('.'), qPrintable(text));
    // Without the title; another rung's name at the beginning is not a title.
    static const QRegularExpression title(QStringLiteral("^Rung [0-9]+:"));
    QVERIFY2(!text.contains("SPDX") && !text.contains("//") && !text.contains(title),
             qPrintable(text));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::DescribeTest, Widgets)
#include "describe_test.moc"
