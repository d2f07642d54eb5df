// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a lecture's step beside the views: in large type for an audience, or with buttons for
// self-study.
#pragma once

#include <QWidget>
#include <vector>

#include "viz/lecture/lecture_slide.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace tileloom {

class Prose;

class LecturePanel : public QWidget {
  Q_OBJECT
 public:
  enum class Manner { Learning, Presenting, Picture };

  explicit LecturePanel(QWidget* parent = nullptr);

  void setSlide(const LectureSlide& slide);
  const LectureSlide& slide() const { return m_slide; }
  // A presenter has keys and a clicker: then there are no buttons, and the type is larger.
  void setManner(Manner manner);
  Manner manner() const { return m_manner; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void nextAsked();
  void previousAsked();
  void contentsAsked();
  void backAsked();  // to the step, from playing
  void closeAsked();
  void editAsked();
  void chosen(int choice);
  void typed(const QString& number);
  void hintAsked();
  void answerAsked();
  void solutionAsked();  // of a task
  void onwardAsked();    // to the next lecture

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void scaleFonts();
  void scaleFonts(double by);  // the text, of the usual size
  bool fits() const;
  void showChoices();
  void placeContents();
  QPushButton* button(const char* name, const QString& text);

  LectureSlide m_slide;
  Manner m_manner = Manner::Learning;
  QLabel* m_where;
  QToolButton* m_edit;
  Prose* m_headline;
  Prose* m_text;
  QWidget* m_question;
  Prose* m_asks;
  QVBoxLayout* m_choices;
  std::vector<QPushButton*> m_choiceButtons;
  QLineEdit* m_number;
  Prose* m_reply;
  Prose* m_hint;
  Prose* m_answer;
  QWidget* m_helps;
  QPushButton* m_askHint;
  QPushButton* m_askAnswer;
  QPushButton* m_askSolution;
  Prose* m_trouble;
  Prose* m_left;
  QPushButton* m_back;
  QPushButton* m_onward;
  QWidget* m_buttons;
  QGridLayout* m_row;
  QPushButton* m_previous;
  QPushButton* m_contents;
  QPushButton* m_next;
  QLabel* m_keys;
  QScrollArea* m_scroll;
};

}  // namespace tileloom
