// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of every shipped lecture as the window shows it: one sheet of small pictures per
// lecture, six to a row, in the order of the steps.
#include <QPainter>
#include <QTemporaryDir>

#include "app/lecture/lecture_files.h"
#include "app/render/lecture_export.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/viz/golden.h"

namespace tileloom {

using lecture::Entry;

class LectureGoldenTest : public QObject {
  Q_OBJECT

  static constexpr QSize kWindow{1280, 720}, kSmall{320, 180};
  static constexpr int kInRow = 6;

  static QRect placeOf(std::size_t step) {
    const int number = static_cast<int>(step);
    return {QPoint(number % kInRow * kSmall.width(), number / kInRow * kSmall.height()), kSmall};
  }
  static QImage sheetFor(std::size_t steps) {
    const int rows = (static_cast<int>(steps) + kInRow - 1) / kInRow;
    QImage sheet(kInRow * kSmall.width(), rows * kSmall.height(), QImage::Format_RGB32);
    sheet.fill(Qt::gray);
    return sheet;
  }

  // Under sanitizers a few steps of the short lectures have to do.
  static bool isBrief() {
    return test::briefly() && qEnvironmentVariableIsEmpty("TILELOOM_RECORD_GOLDEN");
  }

 private slots:
  void everyStep_data() {
    QTest::addColumn<bool>("light");
    bool light = false;
    for (const Entry& entry : lecture::allLectures()) {
      if (!isBrief() || (entry.lecture && entry.lecture->steps.size() < 20))
        QTest::newRow(entry.id.c_str()) << light;
      light = !light;
    }
  }

  void everyStep() {
    QFETCH(const bool, light);
    const std::string id = QTest::currentDataTag();
    const auto read = lecture::lectureNamed(id);
    QVERIFY(read.has_value());
    const bool few = isBrief();
    lecture::ExportSetup setup{kWindow, light ? Look::Light : Look::Dark, {}, {}};
    for (std::size_t step = 0; step < read->steps.size(); step += few ? 32 : 1)
      setup.steps.push_back(step);
    const QTemporaryDir folder;
    setup.out = folder.filePath("steps");
    QCOMPARE(lecture::exportLecture(*read, setup), QString());

    const QString name = QStringLiteral("lecture-%1").arg(QString::fromStdString(id));
    QImage sheet = sheetFor(read->steps.size());
    // Steps that are not looked at are as they should be.
    if (few) sheet = QImage(QDir(TILELOOM_GOLDEN_DIR).filePath(name + ".png"));
    QVERIFY(!sheet.isNull());
    QPainter painter(&sheet);
    for (const std::size_t step : setup.steps) {
      const QImage image(
          QDir(setup.out).filePath(QStringLiteral("step%1.png").arg(step + 1, 2, 10, QChar('0'))));
      QCOMPARE(image.size(), kWindow);
      painter.drawImage(placeOf(step),
                        image.scaled(kSmall, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    }
    painter.end();
    test::compareWithGolden(name, sheet);
    if (QTest::currentTestFailed() || qEnvironmentVariable("TILELOOM_RECORD_GOLDEN") == "1") return;
    // A step that differs is lost among forty others: each has to be alike by itself.
    const QImage wanted(QDir(TILELOOM_GOLDEN_DIR).filePath(name + ".png"));
    QStringList wrong;
    for (const std::size_t step : setup.steps) {
      const test::Difference difference =
          test::compare(sheet.copy(placeOf(step)), wanted.copy(placeOf(step)));
      if (!difference.acceptable())
        wrong += QString("step %1: %2").arg(step + 1).arg(difference.text());
    }
    if (wrong.isEmpty()) return;
    QDir().mkpath(TILELOOM_ACTUAL_DIR);
    const QString kept = QDir(TILELOOM_ACTUAL_DIR).filePath(name + ".png");
    sheet.save(kept);
    QFAIL(qPrintable(QString("%1 is what was painted; %2").arg(kept, wrong.join("; "))));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LectureGoldenTest, Window)
#include "lecture_golden_test.moc"
