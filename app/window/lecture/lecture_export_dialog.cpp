// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardPaths>
#include <algorithm>

#include "app/export/animation.h"
#include "app/export/export_process.h"
#include "app/lecture/chosen_steps.h"
#include "kernels/base/text_file.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"

namespace tileloom {

using lecture::ExportKindRow;
using lecture::NotesIn;

LectureExportDialog::LectureExportDialog(LectureExportSource source, QWidget* parent)
    : WritingDialog(parent), m_source(std::move(source)) {
  setObjectName(QStringLiteral("lectureExport"));
  setWindowTitle(tr("Export a lecture"));
  place(makeForm(), 76);
  takeKind();
}

// Fields that lose the focus emit signals: they go while their receivers exist.
LectureExportDialog::~LectureExportDialog() {
  hide();
}

QWidget* LectureExportDialog::makeForm() {
  auto* page = new QWidget;
  auto* form = new QFormLayout(page);
  form->setContentsMargins(0, 0, 0, 0);
  m_lecture = addChoice(*form, tr("&Lecture"), "lecture");
  for (const ExportedLecture& each : m_source.lectures) m_lecture->addItem(each.title, each.name);
  m_lecture->setCurrentIndex(m_source.chosen);
  m_kind = addChoice(*form, tr("&Kind"), "kind");
  for (const ExportKindRow& each : lecture::exportKinds())
    m_kind->addItem(lecture::titleOf(each), toQString(each.name));
  m_what = new QLabel;
  m_what->setWordWrap(true);
  m_what->setMinimumHeight(2 * fontMetrics().lineSpacing());  // the form does not jump
  m_what->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  setInk(*m_what, Ink::Soft);
  form->addRow(QString(), m_what);
  m_notes = new QCheckBox(tr("With the &notes for the speaker"));
  m_notes->setObjectName(QStringLiteral("notes"));
  form->addRow(QString(), m_notes);
  m_steps = new QLineEdit;
  m_steps->setObjectName(QStringLiteral("steps"));
  m_steps->setMaxLength(400);
  m_steps->setPlaceholderText(tr("all, or for example 3,7 or 2-5"));
  form->addRow(tr("&Steps"), m_steps);
  m_width = makeNumber("width", 640, 7680);
  m_height = makeNumber("height", 480, 4320);
  addRow(*form, tr("Window si&ze in the pictures"), m_width,
         beside(m_width, QStringLiteral("×"), m_height));
  m_theme = addChoice(*form, tr("&Theme"), "theme");
  const auto look = [this](const QString& words, Look each) {
    m_theme->addItem(words, toQString(nameOf(each)));
  };
  look(tr("Light"), Look::Light);
  look(tr("Dark"), Look::Dark);
  look(tr("High contrast"), Look::Contrast);
  // The default theme is light, as on the command line: for prints and projectors.
  const Look proposed = m_source.look == Look::Contrast ? Look::Contrast : Look::Light;
  m_theme->setCurrentIndex(m_theme->findData(toQString(nameOf(proposed))));
  m_file = addFile(*form);

  connect(m_lecture, &QComboBox::currentIndexChanged, this, &LectureExportDialog::takeLecture);
  connect(m_kind, &QComboBox::currentIndexChanged, this, &LectureExportDialog::takeKind);
  connect(m_notes, &QCheckBox::toggled, this, &LectureExportDialog::judge);
  connect(m_steps, &QLineEdit::textChanged, this, &LectureExportDialog::judge);
  return page;
}

const ExportedLecture* LectureExportDialog::lecture() const {
  const auto at = static_cast<std::size_t>(m_lecture->currentIndex());
  return at < m_source.lectures.size() ? &m_source.lectures[at] : nullptr;
}

const ExportKindRow& LectureExportDialog::kind() const {
  return lecture::exportKinds()[static_cast<std::size_t>(m_kind->currentIndex())];
}

QString LectureExportDialog::file() const {
  const QString name = m_file->text().trimmed();
  return name.isEmpty() ? name : QFileInfo(name).absoluteFilePath();
}

void LectureExportDialog::takeLecture() {
  nameFile();
  judge();
}

void LectureExportDialog::takeKind() {
  const ExportKindRow& row = kind();
  m_what->setText(lecture::whatOf(row));
  m_notes->setEnabled(row.notes != NotesIn::Never);
  m_notes->setChecked(false);  // a handout may go to the audience
  {
    const QSignalBlocker noWidth(m_width), noHeight(m_height);
    m_width->setValue(row.width);
    m_height->setValue(row.height);
  }
  nameFile();
  judge();
}

// Beside a lecture's file, or where documents are kept.
QString LectureExportDialog::proposedFolder() const {
  if (lecture() != nullptr && QFileInfo(lecture()->name).isFile())
    return QFileInfo(lecture()->name).absolutePath();
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

// A name that the user has chosen is that of one lecture and kind. Other kinds of the lecture keep
// its stem and write other files; other lectures keep its folder.
void LectureExportDialog::nameFile() {
  const QString old = m_file->text().trimmed();
  if (!old.isEmpty() && old != m_proposed) m_typed = Typed{old, m_named.lecture, m_named.kind};
  m_named = {{}, m_lecture->currentIndex(), m_kind->currentIndex()};
  const ExportKindRow& row = kind();
  const QString suffix = row.suffixes.empty() ? QString() : toQString(row.suffixes.front());
  QString base;
  if (m_typed && m_typed->lecture == m_named.lecture) {
    const ExportKindRow& other = lecture::exportKinds()[static_cast<std::size_t>(m_typed->kind)];
    base = m_typed->file;
    if (const QString end = QFileInfo(base).suffix(); !end.isEmpty()) base.chop(end.size() + 1);
    const bool same = std::ranges::equal(row.suffixes, other.suffixes);
    if (m_typed->kind == m_named.kind) {
      m_proposed = m_typed->file;
      return m_file->setText(m_proposed);
    }
    if (same) base += QLatin1Char('-') + toQString(row.name);
  } else {
    const QString name = lecture() == nullptr ? tr("lecture") : lecture()->name;
    const QString folder = m_typed ? QFileInfo(m_typed->file).absolutePath() : proposedFolder();
    base = QDir(folder).filePath(QFileInfo(name).baseName());
    if (row.kind == lecture::ExportKind::Handout) base += QStringLiteral("-handout");
  }
  if (!suffix.isEmpty()) base += QLatin1Char('.') + suffix;
  m_proposed = base;
  m_file->setText(base);
}

void LectureExportDialog::browse() {
  QStringList patterns;
  for (const std::string_view suffix : kind().suffixes)
    patterns += QStringLiteral("*.") + toQString(suffix);
  const QString name = QFileDialog::getSaveFileName(
      this, windowTitle(), m_file->text(),
      patterns.isEmpty()
          ? tr("Folders (*)")
          : tr("%1 (%2)").arg(toQString(kind().name), patterns.join(QLatin1Char(' '))));
  if (name.isEmpty()) return;
  m_file->setText(name);
  m_replaces = file();  // the file dialog has asked
}

// Whether an existing file may be replaced: the same name is easily that of other slides.
bool LectureExportDialog::mayReplace() {
  if (!QFileInfo(file()).isFile() || file() == m_replaces) return true;
  QMessageBox box(QMessageBox::Question, windowTitle(),
                  tr("\"%1\" exists already.").arg(shownFile(file())), QMessageBox::NoButton, this);
  box.setTextFormat(Qt::PlainText);
  const QPushButton* replace = box.addButton(tr("Replace"), QMessageBox::DestructiveRole);
  QPushButton* cancel = box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(cancel);
  box.setEscapeButton(cancel);
  box.exec();
  return box.clickedButton() == replace;
}

QString LectureExportDialog::whyNot() const {
  if (lecture() == nullptr) return tr("there is no lecture to export");
  if (file().isEmpty()) return tr("the file has no name: write one");
  const auto notes = m_notes->isEnabled() ? std::optional(m_notes->isChecked()) : std::nullopt;
  if (const auto good = lecture::exportChoice({kind().kind, file(), notes}); !good)
    return good.error();
  const auto steps = lecture::chosenSteps(tr("the number of a step").toStdString(),
                                          m_steps->text().toStdString(), lecture()->steps);
  if (!steps) return QString::fromStdString(steps.error());
  if (kind().kind == lecture::ExportKind::Film) {
    if (const auto target = animationTarget(file()); !target) return target.error();
  } else if (kind().kind != lecture::ExportKind::Pictures) {
    return QString::fromStdString(whyNotReplaced(fileNamed(file())));
  }
  return {};
}

// Says what the export writes, or why it cannot.
void LectureExportDialog::judge() {
  if (!placed() || running()) return;
  if (const QString problem = whyNot(); !problem.isEmpty()) return offer(problem, {});
  const auto steps = lecture::chosenSteps({}, m_steps->text().toStdString(), lecture()->steps);
  QString text = counted(static_cast<qlonglong>(steps->size()), tr("1 step"), tr("%1 steps"));
  if (QFileInfo(file()).isFile()) text += tr(" · replaces the existing file");
  offer({}, text);
}

QStringList LectureExportDialog::arguments() const {
  QStringList words{QStringLiteral("lecture"),
                    QStringLiteral("export"),
                    lecture() == nullptr ? QString() : lecture()->name,
                    QStringLiteral("--kind"),
                    toQString(kind().name),
                    QStringLiteral("--out"),
                    file(),
                    QStringLiteral("--size"),
                    QStringLiteral("%1x%2").arg(m_width->value()).arg(m_height->value()),
                    QStringLiteral("--theme"),
                    m_theme->currentData().toString()};
  if (kind().notes != NotesIn::Never)
    words += m_notes->isChecked() ? QStringLiteral("--notes") : QStringLiteral("--no-notes");
  if (const QString steps = m_steps->text().simplified(); !steps.isEmpty())
    words += {QStringLiteral("--steps"), steps};
  return words;
}

void LectureExportDialog::begin() {
  if (running()) return;
  if (const QString problem = whyNot(); !problem.isEmpty()) return say(problem, true);
  if (!mayReplace()) return;
  m_replaces.clear();  // the next time it is what this export has written
  showRunning(0);      // until the first step is done
  say(tr("writing"), false);
  m_process = std::make_unique<ExportProcess>(m_source.program,
                                              arguments() << QStringLiteral("--progress"));
  connect(m_process.get(), &ExportProcess::progress, this, &LectureExportDialog::showProgress);
  connect(m_process.get(), &ExportProcess::finished, this, &LectureExportDialog::ended);
  m_process->start();
}

void LectureExportDialog::showProgress(int done, int all) {
  showDone(done, all);
  const bool film = kind().kind == lecture::ExportKind::Film;
  say((film ? tr("%1 of %2 frames") : tr("%1 of %2 steps")).arg(done).arg(all), false);
}

void LectureExportDialog::ended(const QString& problem) {
  // Called from its own signal: it must not be deleted now.
  m_process.release()->deleteLater();
  showEnded(problem, file());
}

void LectureExportDialog::cancel() {
  m_process->cancel();
}

}  // namespace tileloom
