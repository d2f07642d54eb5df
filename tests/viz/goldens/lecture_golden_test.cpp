// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of every shipped lecture as text: its headline, what the window shows, and where its
// marks and their labels are. The pages themselves have goldens and tests of their own.
//
// TILELOOM_RECORD_GOLDEN=1 overwrites tests/viz/golden/lecture-*.txt: read the differences.
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

#include "app/lecture/lecture_files.h"
#include "app/render/lecture_stage.h"
#include "app/window/main_window.h"
#include "tests/support/test_class.h"
#include "viz/base/text/text.h"
#include "viz/lecture/mark_words.h"
#include "viz/lecture/marks_layer.h"

namespace tileloom {
namespace {

using lecture::Entry;

constexpr QSize kWindow{1280, 720};
// Thousandths of the window's width and height. Hinting of another version of a font moves a
// label by some pixels.
constexpr int kTolerance = 12;

// "at 412 530, 60 x 31", thousandths of the window.
QString placeText(const QRectF& place) {
  const auto part = [](qreal length, int whole) { return qRound(1000 * length / whole); };
  return QStringLiteral("at %1 %2, %3 x %4")
      .arg(part(place.x(), kWindow.width()))
      .arg(part(place.y(), kWindow.height()))
      .arg(part(place.width(), kWindow.width()))
      .arg(part(place.height(), kWindow.height()));
}

QString formText(MarkForm form) {
  constexpr const char* kForms[] = {"ring", "arrow", "label"};
  return QString::fromLatin1(kForms[static_cast<std::size_t>(form)]);
}

QStringList stepText(lecture::LectureStage& stage, std::size_t step) {
  const MainWindow& window = stage.windowAt(step);
  const lecture::StepText words = stage.textOf(step);
  QStringList lines = {QStringLiteral("%1. %2").arg(step + 1).arg(words.headline),
                       "   " + words.text.simplified(), "   " + window.commandLine().simplified()};
  if (!words.asks.isEmpty()) lines += QStringLiteral("   asks: ") + words.asks.simplified();
  const auto* layer = window.findChild<MarksLayer*>();
  if (layer == nullptr) return lines;
  const auto places = layer->places();
  const std::vector<QRectF> labels = layer->labels();
  for (std::size_t i = 0; i < layer->marks().size(); ++i) {
    const Mark& mark = layer->marks()[i];
    QString line = QStringLiteral("   %1 %2 ").arg(formText(mark.form), targetName(mark.target));
    // The rows of the ladder share its height: with another rung they are at other places, and so
    // are the labels beside them and of the ladder.
    const bool isRung = mark.target.thing == MarkTarget::Thing::Rung;
    const bool hasRungs = isRung || mark.target.text == kLadderArea;
    line += !places[i] ? QStringLiteral("is not visible")
            : isRung   ? QStringLiteral("in the ladder")
                       : placeText(*places[i]);
    if (!mark.text.empty()) line += QStringLiteral("; \"%1\"").arg(toQString(mark.text));
    if (!mark.text.empty() && !hasRungs) line += u' ' + placeText(labels[i]);
    lines += line;
  }
  return lines;
}

// Equal but for places, which may differ a little.
bool alike(const QString& is, const QString& wanted) {
  static const QRegularExpression kPlace(QStringLiteral("at (\\d+) (\\d+), (\\d+) x (\\d+)"));
  QString first = is, second = wanted;
  if (first.remove(kPlace) != second.remove(kPlace)) return false;
  auto here = kPlace.globalMatch(is), there = kPlace.globalMatch(wanted);
  while (here.hasNext() && there.hasNext()) {
    const auto one = here.next(), other = there.next();
    for (int part = 1; part <= 4; ++part)
      if (std::abs(one.captured(part).toInt() - other.captured(part).toInt()) > kTolerance)
        return false;
  }
  return !here.hasNext() && !there.hasNext();
}

}  // namespace

class LectureGoldenTest : public QObject {
  Q_OBJECT

 private slots:
  void everyStep_data() {
    QTest::addColumn<bool>("light");
    bool light = false;
    for (const Entry& entry : lecture::allLectures()) {
      QTest::newRow(entry.id.c_str()) << light;
      light = !light;
    }
  }

  void everyStep() {
    QFETCH(const bool, light);
    const std::string id = QTest::currentDataTag();
    const auto read = lecture::lectureNamed(id);
    QVERIFY(read.has_value());
    lecture::ExportSetup setup{kWindow, light ? Look::Light : Look::Dark, {}, {}};
    lecture::LectureStage stage(*read, setup);
    QStringList lines;
    for (std::size_t step = 0; step < read->steps.size(); ++step) lines += stepText(stage, step);
    QCOMPARE(stage.problem(), QString());

    const QString name = QStringLiteral("lecture-%1.txt").arg(QString::fromStdString(id));
    QFile golden(QDir(TILELOOM_GOLDEN_DIR).filePath(name));
    if (qEnvironmentVariable("TILELOOM_RECORD_GOLDEN") == "1") {
      QVERIFY(golden.open(QIODevice::WriteOnly));
      golden.write(lines.join('\n').toUtf8() + "\n");
      return;
    }
    QVERIFY2(golden.open(QIODevice::ReadOnly), qPrintable(golden.fileName()));
    const QStringList wanted = QString::fromUtf8(golden.readAll()).trimmed().split('\n');
    QStringList wrong;
    for (qsizetype i = 0; i < std::max(lines.size(), wanted.size()) && wrong.size() < 10; ++i) {
      if (!alike(lines.value(i), wanted.value(i)))
        wrong += QStringLiteral("line %1 is \"%2\" and was \"%3\"")
                     .arg(i + 1)
                     .arg(lines.value(i), wanted.value(i));
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(name + ": " + wrong.join("; ")));
  }

  void placesMayDifferALittle() {
    QVERIFY(alike("ring C at 100 200, 30 x 40", "ring C at 104 195, 30 x 40"));
    QVERIFY(!alike("ring C at 100 200, 30 x 40", "ring C at 120 200, 30 x 40"));
    QVERIFY(!alike("ring C at 100 200, 30 x 40", "ring B at 100 200, 30 x 40"));
    QVERIFY(!alike("ring C at 100 200, 30 x 40", "ring C is not visible"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LectureGoldenTest, Window)
#include "lecture_golden_test.moc"
