// SPDX-License-Identifier: GPL-3.0-or-later
// Dialog for headline and text of a step that the user adds to a lecture.
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
  // A placeholder if it was left empty.
  QString text() const;

 private:
  QLineEdit* m_headline;
  QPlainTextEdit* m_text;
};

}  // namespace tileloom
