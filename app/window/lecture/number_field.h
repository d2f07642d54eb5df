// SPDX-License-Identifier: GPL-3.0-or-later
// An editor field for one number of a step; an empty field removes it.
#pragma once

#include <QWidget>
#include <string>

class QLineEdit;

namespace tileloom {

class LectureEditor;
class Prose;

class NumberField : public QWidget {
  Q_OBJECT
 public:
  NumberField(LectureEditor& editor, const QString& label, std::string pointer,
              QWidget* parent = nullptr);
  void refresh();
  void showTrouble();
  QLineEdit& text() const { return *m_text; }

 private:
  void write();
  QString drafted() const;

  LectureEditor& m_editor;
  QString m_label;
  std::string m_pointer;
  QLineEdit* m_text;
  Prose* m_trouble;
};

}  // namespace tileloom
