// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of an access pattern: every word once, in its row and column, inside the canvas, and its
// golden picture; the sentences about it.
#include "viz/memory/pattern_picture.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/golden.h"
#include "viz/memory/pattern_examples.h"
#include "viz/memory/pattern_sheet.h"
#include "viz/memory/pattern_words.h"

Q_DECLARE_METATYPE(tileloom::PatternChoice)

namespace tileloom::test {

class PatternPictureTest : public QObject {
  Q_OBJECT

  static PatternShown shownOf(const PatternChoice& choice) {
    auto shown = patternShown(choice);
    if (!shown) QTest::qFail(shown.error().c_str(), __FILE__, __LINE__);
    return shown ? std::move(*shown) : *patternShown(PatternChoice{});
  }

 private slots:
  void everyExample() {
    const auto examples = patternExamples();
    QVERIFY(examples.size() >= 8);
    for (const PatternExample& example : examples) {
      const PatternShown shown = shownOf(example.choice);
      for (const double percent : {100.0, 200.0, 300.0}) {
        QFont font = goldenFont();
        font.setPixelSize(static_cast<int>(12 * percent / 100));
        const Fonts fonts = Fonts::of(font);
        const QRectF canvas(10, 20, 1100, patternHeight(shown.pattern, fonts));
        const PatternPicture picture = patternPicture(shown.pattern, canvas, fonts);
        QVERIFY(!picture.cells.empty() && !picture.rows.empty());
        QVERIFY(picture.bottom <= canvas.bottom() + 0.5);
        for (std::size_t i = 0; i < picture.cells.size(); ++i) {
          const PatternCell& cell = picture.cells[i];
          QVERIFY(canvas.adjusted(-1, -1, 1, 1).contains(cell.place));
          QVERIFY(picture.rows[cell.row].band.adjusted(-1, -1, 1, 1).contains(cell.place));
          QCOMPARE(picture.at(cell.place.center()), std::optional(i));
          QCOMPARE(std::uint32_t(cell.address / 4 % 32), cell.column);
        }
      }
      QVERIFY2(!patternVerdict(shown.pattern).isEmpty(), qPrintable(example.title));
      QVERIFY(!patternWhat(shown.pattern).contains('%'));
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        QVERIFY(patternLane(shown.pattern, lane).startsWith(QString("Lane %1").arg(lane)));
    }
  }

  void rowsAreWavefrontsOrLines() {
    const Fonts fonts = Fonts::of(goldenFont());
    const auto picture = [&](const PatternChoice& choice) {
      return patternPicture(shownOf(choice).pattern, {0, 0, 900, 600}, fonts);
    };
    const PatternPicture column = picture({.text = "lane * 32"});
    QCOMPARE(column.rows.size(), std::size_t(32));
    QVERIFY(!column.rows[0].extra && column.rows[31].extra);
    QCOMPARE(column.crowded, 1u);
    const PatternPicture wide = picture({.text = "lane", .bytes = 16});
    QCOMPARE(wide.cells.size(), std::size_t(128));
    QCOMPARE(wide.runs.size(), std::size_t(32));
    const PatternPicture lines =
        picture({.text = "lane * 2", .memory = own::PatternMemory::Global});
    QCOMPARE(lines.rows.size(), std::size_t(2));
    QCOMPARE(lines.sectors.size(), std::size_t(8));
    QCOMPARE(lines.rows[1].name, "128");
    QVERIFY(picture({.text = "lane if 0"}).cells.empty());
  }

  void words() {
    const PatternShown column = shownOf({.text = "lane * 32"});
    QCOMPARE(patternVerdict(column.pattern),
             "32 wavefronts, 1 without conflicts. Bank 0 must serve 32 words at once.");
    QCOMPARE(patternHint(column.pattern, column.hint),
             "Padding of 1 element after each 32 elements removes the conflicts. So does "
             "Swizzle<5,0,5> on elements = Swizzle<5,2,5> on bytes. This was tried and counted for "
             "this access only.");
    QCOMPARE(patternLane(column.pattern, 3),
             "Lane 3: index 96, byte 384 (0x180), bank 0, wavefront 4");
    QCOMPARE(patternVerdict(shownOf({.text = "lane"}).pattern), "1 wavefront, without a conflict.");
    QCOMPARE(
        patternVerdict(shownOf({.text = "lane * 2", .memory = own::PatternMemory::Global}).pattern),
        "1 request: 8 sectors in 2 lines of 128 bytes, 4 would hold the 128 bytes that lanes "
        "access. 50 % of the bytes of these sectors are used.");
    QCOMPARE(patternVerdict(shownOf({.text = "lane if 0"}).pattern), "No lane is active.");
  }

  void warpsAndSteps() {
    const PatternChoice choice{
        .text = "(lane, warp, step) -> thread + 100 * step", .warp = 2, .step = 1};
    QCOMPARE(shownOf(choice).pattern.accesses.at(0).index[1], 165);
    QCOMPARE(shownOf(choice).pattern.accesses.size(), std::size_t(1));
    const auto none = patternShown({.text = "1 2 3", .step = 4});
    QVERIFY(!none && QString::fromStdString(none.error()) == "the pattern has no warp 0 in step 4");
  }

  void sheetsNeedTheirHeight() {
    const Fonts fonts = Fonts::of(goldenFont());
    for (const PatternExample& example : patternExamples()) {
      const PatternShown shown = shownOf(example.choice);
      for (const double width : {700.0, 1200.0}) {
        const double height = patternSheet(shown, {width, 0}, fonts).height;
        const PatternSheet sheet = patternSheet(shown, {width, height}, fonts);
        QVERIFY(sheet.verdictRoom.bottom() <= height && sheet.hintRoom.bottom() <= height);
        QVERIFY(sheet.verdictRoom.top() > sheet.grid.top());
      }
    }
  }

  void golden_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<PatternChoice>("choice");
    QTest::newRow("pattern-shared")
        << true << PatternChoice{.text = "lane -> lane % 8 * 32 + lane / 8"};
    QTest::newRow("pattern-global")
        << false << PatternChoice{.text = "lane -> lane * 3", .memory = own::PatternMemory::Global};
  }
  void golden() {
    QFETCH(bool, dark);
    QFETCH(PatternChoice, choice);
    QImage image(760, 300, QImage::Format_RGB32);
    QPainter painter(&image);
    paintPatternSheet(painter, shownOf(choice), image.size(), Theme::make(dark),
                      Fonts::of(goldenFont()));
    painter.end();
    compareWithGolden(QTest::currentDataTag(), image);
  }
};

}  // namespace tileloom::test

using tileloom::test::PatternPictureTest;
TILELOOM_TEST(PatternPictureTest, Widgets)
#include "pattern_picture_test.moc"
