// SPDX-License-Identifier: GPL-3.0-or-later
// One text of the step that is edited: a label, the text, and what is wrong with it.
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
    bool mayLack = false;  // an empty one is taken away
    QString hint = {};
  };

  DraftField(LectureEditor& editor, Row row, QWidget* parent = nullptr);

  void setPointer(std::string pointer);  // of the same text of something else
  // Shows what the draft has now, and what is wrong with it.
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

// Shows a sentence of trouble, or nothing.
void showTrouble(Prose& label, const QString& sentence);

}  // namespace tileloom
