// SPDX-License-Identifier: GPL-3.0-or-later
// An editor field for one text of a step: label, text and error.
#pragma once

#include <QWidget>
#include <string>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace tileloom {

class LectureEditor;
class Prose;

class DraftField : public QWidget {
  Q_OBJECT
 public:
  // A list has a text per line; a paragraph is one text, however it is broken into lines.
  enum class Kind { Line, Paragraph, List };
  struct Row {
    const char* object;  // the name by which tests find the text
    QString label;
    std::string pointer;  // "/question/asks"; "lecture/title": of the lecture
    Kind kind = Kind::Line;
    bool mayLack = false;  // an empty text removes the member
    QString hint = {};
  };

  DraftField(LectureEditor& editor, Row row, QWidget* parent = nullptr);

  void setPointer(std::string pointer);  // of the same text of something else
  // Shows the draft's present text and its error.
  void refresh();
  void showTrouble();
  QWidget* text() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QString shown() const;  // in the field, as the draft would have it
  QString drafted() const;
  void write();

  LectureEditor& m_editor;
  Row m_row;
  QLineEdit* m_line = nullptr;
  QPlainTextEdit* m_block = nullptr;
  Prose* m_trouble;
};

// Shows an error sentence, or nothing.
void showTrouble(Prose& label, const QString& sentence);

}  // namespace tileloom
