// SPDX-License-Identifier: GPL-3.0-or-later
// Dialog that exports a lecture, with the choices of `tileloom lecture export`, progress and
// cancel. It gets the lectures and does not depend on a window.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "app/lecture/export_kinds.h"
#include "app/window/common/writing_dialog.h"
#include "viz/base/theme.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
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

class LectureExportDialog : public WritingDialog {
  Q_OBJECT
 public:
  explicit LectureExportDialog(LectureExportSource source, QWidget* parent = nullptr);
  ~LectureExportDialog() override;

  bool running() const override { return m_process != nullptr; }
  // The arguments of the export process, as typed on the command line.
  QStringList arguments() const;

 private:
  QWidget* makeForm();
  const ExportedLecture* lecture() const;  // nullptr: there is none
  const lecture::ExportKindRow& kind() const;
  QString file() const;
  QString whyNot() const;
  void takeLecture();
  void takeKind();
  QString proposedFolder() const;
  void nameFile();
  bool mayReplace();
  void judge() override;
  void begin() override;
  void cancel() override;
  void browse() override;
  void showProgress(int done, int all);
  void ended(const QString& problem);

  LectureExportSource m_source;
  std::unique_ptr<ExportProcess> m_process;
  QString m_proposed;  // the proposed file name, until the user chooses another
  struct Typed {
    QString file;
    int lecture = 0, kind = 0;  // rows of their boxes
  };
  std::optional<Typed> m_typed;  // the name that the user has chosen, and for what
  Typed m_named;                 // what the present name is for
  QString m_replaces;            // an existing file that the user has agreed to replace
  QComboBox *m_lecture = nullptr, *m_kind = nullptr, *m_theme = nullptr;
  QLabel* m_what = nullptr;
  QCheckBox* m_notes = nullptr;
  QLineEdit *m_steps = nullptr, *m_file = nullptr;
  QSpinBox *m_width = nullptr, *m_height = nullptr;
};

}  // namespace tileloom
