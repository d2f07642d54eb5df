// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the words of a step that the person adds to a lecture.
#pragma once

#include <QDialog>
#include <QString>

class QLineEdit;
class QPlainTextEdit;

namespace tileloom {

class NewStepDialog : public QDialog {
  Q_OBJECT
 public:
  explicit NewStepDialog(QWidget* parent = nullptr);

  QString headline() const;
  // A line of its own says that it is to be written, where it was left empty.
  QString text() const;

 private:
  QLineEdit* m_headline;
  QPlainTextEdit* m_text;
};

}  // namespace tileloom
