// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/unrecorded.h"

#include <QDir>
#include <QFileInfo>
#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::test {

using runs::Evidence;

class UnrecordedTest : public QObject {
  Q_OBJECT

  static Stage madeUp() {
    Stage stage = test::stage("naive");
    stage.id = "swizzled";
    stage.rung = 15;
    return stage;
  }

 private slots:
  void thePresentRungsAreRecorded() {
    for (const std::string_view id : kRecordedRungs) {
      QVERIFY2(runs::hasRecordedRuns(stage(id)), id.data());
      QVERIFY2(sass::hasRecordedListing(stage(id)), id.data());
    }
  }

  void aNewRungIsNotRecorded() {
    QVERIFY(!runs::hasRecordedRuns(madeUp()));
    QVERIFY(!sass::hasRecordedListing(madeUp()));
    // Another default tile is not recorded either.
    Stage other = test::stage("naive");
    other.parameters.front().standard = 17;
    QVERIFY(!runs::hasRecordedRuns(other));
    QVERIFY(!sass::hasRecordedListing(other));
  }

  void theSentencesNameTheCommand() {
    QCOMPARE(q(runs::notRecordedYet(madeUp(), Evidence::Runs)),
             "the runs of rung 15 (swizzled) are not recorded yet: on a machine with an H100, "
             "`tileloom record resources/recordings/h100.jsonl --tiles 300` records them");
    QCOMPARE(q(runs::notRecordedYet(madeUp(), Evidence::Counters)),
             "the counters of rung 15 (swizzled) are not recorded yet: on a machine with an H100 "
             "and permission to read its counters, `tileloom fidelity --record "
             "tests/fixtures/fidelity/h100.jsonl --out docs/design/02-fidelity.md` records them");
    QCOMPARE(q(runs::notRecordedYet(madeUp(), Evidence::Listings)),
             "the listings of rung 15 (swizzled) are not recorded yet: on a machine with NVRTC, "
             "`tileloom sass --record resources/listings` records them");
    QCOMPARE(q(runs::notRecordedYet(madeUp(), Evidence::Samples)),
             "the samples of rung 15 (swizzled) are not recorded yet: on a machine with an H100 "
             "and permission to read its counters, `tileloom stalls --record "
             "resources/samples/h100.jsonl` records them");
    QCOMPARE(q(runs::notRecordedYet(stage("mmaring"), Evidence::Samples)),
             "the samples of rung T3 (mmaring) are not recorded yet: on a machine with an H100 "
             "and permission to read its counters, `tileloom stalls --record "
             "resources/samples/h100-tensor.jsonl --arithmetic bf16` records them");
  }

  // The commands write where the build looks.
  void theCommandsWriteFilesOfTheSources() {
    for (const Evidence evidence :
         {Evidence::Runs, Evidence::Counters, Evidence::Listings, Evidence::Samples}) {
      for (const Ladder ladder : {Ladder::Fp32, Ladder::Tensor}) {
        const QStringList words = q(runs::recordingCommand(evidence, ladder)).split(' ');
        const auto place = std::ranges::find_if(words, [](const QString& word) {
          return word.startsWith("resources/") || word.startsWith("tests/fixtures/");
        });
        QVERIFY(place != words.end());
        // A file that is not recorded yet also has a place.
        const QFileInfo file(QStringLiteral(TILELOOM_SOURCE_DIR "/") + *place);
        QVERIFY2(file.exists() || (ladder == Ladder::Tensor && file.dir().exists()),
                 qPrintable(*place));
      }
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::UnrecordedTest, EventLoop)
#include "unrecorded_test.moc"
