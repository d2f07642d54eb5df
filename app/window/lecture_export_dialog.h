// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what a lecture becomes, with the choices of `tileloom lecture export`, shows how far it is,
// and lets it be cancelled. It is given the lectures and knows no window.
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "app/lecture/export_kinds.h"
#include "viz/base/theme.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace tileloom {

class ExportProcess;

struct ExportedLecture {
  QString name;  // as commands take it: an id or a file
  QString title;
  std::size_t steps = 0;
};

struct LectureExportSource {
  std::vector<ExportedLecture> lectures;
  int chosen = 0;
  Look look = Look::Light;
  QString program;  // that writes the files: this one
};

class LectureExportDialog : public QDialog {
  Q_OBJECT
 public:
  explicit LectureExportDialog(LectureExportSource source, QWidget* parent = nullptr);
  ~LectureExportDialog() override;

  bool running() const { return m_process != nullptr; }
  QString message() const;
  // What the program is told, as a person would type it.
  QStringList arguments() const;

 public slots:
  void reject() override;  // cancels what is being written, and closes otherwise

 private:
  QWidget* makeForm();
  const ExportedLecture* lecture() const;  // nullptr: there is none
  const lecture::ExportKindRow& kind() const;
  QString file() const;
  QString whyNot() const;
  void takeLecture();
  void takeKind();
  void nameFile();
  void browse();
  void judge();
  void begin();
  void showProgress(int done, int all);
  void ended(const QString& problem);
  void say(const QString& text, bool trouble);

  LectureExportSource m_source;
  std::unique_ptr<ExportProcess> m_process;
  QString m_proposed;  // the file's name as long as the person has not chosen another
  // Set one after the other while the dialog is made; judge() waits for the last of them.
  QWidget* m_form = nullptr;
  QComboBox *m_lecture = nullptr, *m_kind = nullptr, *m_theme = nullptr;
  QLabel *m_what = nullptr, *m_message = nullptr;
  QCheckBox* m_notes = nullptr;
  QLineEdit *m_steps = nullptr, *m_file = nullptr;
  QSpinBox *m_width = nullptr, *m_height = nullptr;
  QProgressBar* m_progress = nullptr;
  QPushButton *m_export = nullptr, *m_close = nullptr;
};

}  // namespace tileloom
