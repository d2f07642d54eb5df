// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/lecture_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class LecturePanelTest : public QObject {
  Q_OBJECT

  static LectureSlide slide(int number, int words, const QStringList& choices = {}) {
    LectureSlide slide;
    slide.lecture = "Title";
    slide.number = number;
    slide.count = 9;
    slide.headline = "A headline of some words";
    slide.text = QString("word and word ").repeated(words);
    if (!choices.isEmpty()) slide.asks = "Which of these is it, and why?";
    slide.choices = choices;
    return slide;
  }
  static QList<LectureSlide> slides() {
    const QStringList choices{"the first of three answers that are long enough for two lines",
                              "the second", "the third of them, which takes two lines as well"};
    return {slide(1, 8), slide(2, 30, choices), slide(3, 60), slide(4, 14, choices),
            slide(5, 24, choices)};
  }
  static void prepare(LecturePanel& panel) {
    panel.setManner(LecturePanel::Manner::Picture);
    panel.resize(330, 620);
    panel.show();
    QCoreApplication::processEvents();
  }
  static double type(const LecturePanel& panel) {
    return panel.findChild<QLabel*>(QStringLiteral("lectureText"))->font().pointSizeF() /
           panel.font().pointSizeF();
  }

 private slots:
  // An audience gets the largest type with which the step fits, after any other step.
  void theLargestTypeThatFits() {
    LecturePanel one;
    prepare(one);
    const QList<LectureSlide> all = slides();
    for (const int i : {0, 1, 2, 3, 4, 2, 1, 4, 0, 3, 1}) {
      one.setSlide(all[i]);
      LecturePanel fresh;
      prepare(fresh);
      fresh.setSlide(all[i]);
      QVERIFY2(qFuzzyCompare(type(one), type(fresh)),
               qPrintable(QString("slide %1: %2 and %3").arg(i).arg(type(one)).arg(type(fresh))));
      QCoreApplication::processEvents();
      const auto* scroll = one.findChild<QScrollArea*>();
      QVERIFY2(type(one) < 1.01 || scroll->verticalScrollBar()->maximum() == 0,
               qPrintable(QString("slide %1 is cut in type %2").arg(i).arg(type(one))));
    }
    one.setSlide(all[0]);
    const double few = type(one);
    one.setSlide(all[2]);
    QVERIFY(few > type(one));
  }

  // With large text the buttons take two lines instead of being cut.
  void buttonsAreWhole() {
    LecturePanel panel;
    for (const double by : {1.0, 2.0}) {
      QFont font = QApplication::font();
      font.setPointSizeF(font.pointSizeF() * by);
      panel.setFont(font);
      panel.setSlide(slide(2, 10));
      for (const int width : {300, 420}) {
        panel.resize(width, 620);
        panel.show();
        QCoreApplication::processEvents();
        for (const char* name : {"lecturePrevious", "lectureContents", "lectureNext"}) {
          const auto* button = panel.findChild<QPushButton*>(QLatin1String(name));
          const QRect place(button->mapTo(&panel, QPoint()), button->size());
          QVERIFY2(button->width() >= button->sizeHint().width() && panel.rect().contains(place),
                   qPrintable(QString("%1 %2 %3").arg(name).arg(by).arg(width)));
        }
      }
    }
  }

  // In self-study the panel scrolls, in one size of type.
  void learningHasOneSize() {
    LecturePanel panel;
    prepare(panel);
    panel.setManner(LecturePanel::Manner::Learning);
    panel.setSlide(slides()[0]);
    const double few = type(panel);
    panel.setSlide(slides()[2]);
    QVERIFY(qFuzzyCompare(type(panel), few));
  }

  // A right answer has a sign, not colour alone, and cannot be changed afterwards.
  void anAnswerIsSigned() {
    LecturePanel panel;
    prepare(panel);
    LectureSlide shown = slide(1, 8, {"no", "yes"});
    shown.right = 1;
    shown.chosen = 0;
    panel.setSlide(shown);
    const auto* no = panel.findChild<QPushButton*>(QStringLiteral("lectureChoice0"));
    const auto* yes = panel.findChild<QPushButton*>(QStringLiteral("lectureChoice1"));
    QVERIFY(no->text().startsWith(u'✗') && yes->text() == "yes" && yes->isEnabled());
    shown.chosen = 1;
    shown.done = true;
    panel.setSlide(shown);
    QVERIFY(yes->text().startsWith(u'✓') && !no->isEnabled());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LecturePanelTest, Widgets)
#include "lecture_panel_test.moc"
