// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_menu.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QStatusBar>
#include <algorithm>

#include "app/lecture/export_kinds.h"
#include "app/lecture/lecture_files.h"
#include "app/lecture/lecture_writer.h"
#include "app/window/common/actions.h"
#include "app/window/common/tell.h"
#include "app/window/frame/sight.h"
#include "app/window/lecture/contents_menu.h"
#include "app/window/lecture/lecture_editing.h"
#include "app/window/lecture/lecture_export_dialog.h"
#include "app/window/lecture/mode/kept_step.h"
#include "app/window/lecture/new_step_dialog.h"
#include "app/window/window.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using lecture::Entry;
using lecture::Lecture;

// With which lectureNamed() finds it.
QString nameOf(const Entry& entry) {
  return entry.shipped ? QString::fromStdString(entry.id) : QFile::decodeName(entry.file.c_str());
}

}  // namespace

LectureMenu::LectureMenu(LectureMode& mode, Window& window, QMenu& menu)
    : QObject(&mode), m_mode(mode), m_window(window) {
  auto* learn = menu.addMenu(tr("&Learn alone"));
  learn->setProperty(kFilledLater, true);
  connect(learn, &QMenu::aboutToShow, this, [this, learn] {
    learn->clear();
    offerLectures(*learn, Manner::Learning);
  });
  menu.addAction(tr("From a &file…"), this, [this] { askForFile(Manner::Learning); });
  menu.addSeparator();
  menu.addAction(tr("&Present, or continue"), QKeySequence(Qt::Key_F5), this,
                 [this] { m_mode.present(); })
      ->setProperty(kEarlierText, QStringLiteral("Present, or go on where it was left"));
  const QList<QAction*> inside = {
      menu.addAction(tr("&Next step"), &m_mode, &LectureMode::next),
      menu.addAction(tr("Pre&vious step"), &m_mode, &LectureMode::previous),
      menu.addAction(tr("&Contents…"), &m_mode, &LectureMode::openContents),
      menu.addAction(tr("&Back to this step"), &m_mode, &LectureMode::resume),
      menu.addAction(tr("&Speaker's window"), this, [this] { m_mode.showSpeaker(true); }),
      menu.addAction(tr("&End the lecture"), &m_mode, &LectureMode::close)};
  const auto offer = [this, inside] {
    for (QAction* action : inside) action->setEnabled(m_mode.active());
  };
  offer();
  connect(&m_mode, &LectureMode::stepShown, &menu, offer);
  connect(&m_mode, &LectureMode::closed, &menu, offer);
  menu.addSeparator();
  QAction* take = menu.addAction(tr("E&xport…"), this, &LectureMenu::openExport);
  QStringList kinds;  // the palette also finds it by these
  for (const lecture::ExportKindRow& row : lecture::exportKinds()) kinds += lecture::titleOf(row);
  take->setWhatsThis(kinds.join(tr(", ")));
  menu.addAction(tr("&Add the window as a step…"), this, &LectureMenu::addStep)
      ->setProperty(kEarlierText, QStringLiteral("Add what is shown as a step…"));
  QAction* edit = menu.addAction(tr("E&dit steps…"), this, &LectureMenu::edit);
  edit->setWhatsThis(tr("Headline, text, speaker notes, marks, question and task of each step"));
  connect(&m_mode, &LectureMode::editAsked, this, &LectureMenu::edit);
  connect(&m_mode, &LectureMode::lectureAsked, this, &LectureMenu::askWhich);
}

LectureEditing& LectureMenu::editing() {
  if (m_editing == nullptr) m_editing = new LectureEditing(m_mode, m_window);
  return *m_editing;
}

void LectureMenu::edit() {
  LectureEditing& editing = this->editing();
  if (editing.active()) return editing.comeForward();
  if (!m_mode.active()) return askWhichToEdit();
  const QString name = m_mode.name();
  const bool own = QFile::exists(name);
  own ? editing.tryToEdit(name, m_mode.step()) : editing.askForCopy(name, m_mode.step());
}

void LectureMenu::askWhichToEdit() {
  auto* menu = new QMenu(&m_window.frame());
  menu->setObjectName(QStringLiteral("editWhichMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Edit which lecture?"))->setEnabled(false);
  menu->addSeparator();
  LectureEditing& editing = this->editing();
  std::vector<std::pair<QString, QString>> shipped;
  for (const Entry& entry : lecture::allLectures()) {
    const QString name = nameOf(entry);
    const QString title =
        entry.lecture ? QString::fromStdString(entry.lecture->title) : shownFile(name);
    if (entry.shipped) {
      shipped.emplace_back(name, title);
    } else {
      menu->addAction(plainEntry(title), this, [&editing, name] { editing.tryToEdit(name, 0); });
    }
  }
  menu->addAction(tr("From a &file…"), &editing, &LectureEditing::askForFile);
  menu->addAction(tr("A &new one from the window…"), &editing, &LectureEditing::askForNew);
  menu->addSeparator();
  // Those that ship are read only.
  for (const auto& [name, title] : shipped) {
    menu->addAction(plainEntry(tr("A copy of \"%1\"…").arg(title)), this,
                    [&editing, name = name] { editing.askForCopy(name, 0); });
  }
  popUp(*menu);
}

void LectureMenu::offerLectures(QMenu& menu, Manner manner) {
  bool any = false;
  for (Entry& entry : lecture::allLectures()) {
    if (!entry.lecture) {
      QAction* broken = menu.addAction(plainEntry(QString::fromStdString(entry.lecture.error())));
      broken->setEnabled(false);
      continue;
    }
    any = true;
    const Lecture& l = *entry.lecture;
    const std::size_t kept = manner == Manner::Learning ? stepToContinueAt(l) : 0;
    const QString name = tr("%1 (%2 min)")
                             .arg(QString::fromStdString(l.title))
                             .arg(static_cast<int>(l.minutes() + 0.5));
    menu.addAction(
        plainEntry(kept > 0 ? tr("%1, at step %2 of %3").arg(name).arg(kept + 1).arg(l.steps.size())
                            : name),
        this, [this, named = nameOf(entry), manner] { tryToOpen(named, manner); });
  }
  if (!any) menu.addAction(tr("No lectures"))->setEnabled(false);
}

void LectureMenu::askForFile(Manner manner) {
  const QString file =
      QFileDialog::getOpenFileName(&m_window.frame(), tr("Open a lecture"),
                                   QString::fromStdString(lecture::ownLectureFolder().string()),
                                   tr("Lectures (*.json);;All (*)"));
  if (!file.isEmpty()) tryToOpen(file, manner);
}

void LectureMenu::tryToOpen(const QString& name, Manner manner) {
  const auto step = LectureMode::beginningOf(manner);
  if (const QString wrong = m_mode.openNamed(name, manner, step); !wrong.isEmpty())
    tellProblem(m_window.frame(), tr("Open a lecture"), wrong);
}

void LectureMenu::askWhich() {
  auto* menu = new QMenu(&m_window.frame());
  menu->setObjectName(QStringLiteral("presentWhichMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Present which lecture?"))->setEnabled(false);
  menu->addSeparator();
  offerLectures(*menu, Manner::Presenting);
  menu->addSeparator();
  menu->addAction(tr("From a &file…"), this, [this] { askForFile(Manner::Presenting); });
  popUp(*menu);
}

void LectureMenu::popUp(QMenu& menu) {
  const QSize size = menu.sizeHint();
  menu.popup(m_window.frame().mapToGlobal(m_window.frame().rect().center()) -
             QPoint(size.width() / 2, size.height() / 2));
  for (QAction* action : menu.actions()) {
    if (!action->isEnabled() || action->isSeparator()) continue;
    menu.setActiveAction(action);  // Enter takes it
    break;
  }
}

void LectureMenu::openExport() {
  LectureExportSource source;
  source.program = QCoreApplication::applicationFilePath();
  source.look = m_window.sight().look();
  for (Entry& entry : lecture::allLectures()) {
    if (!entry.lecture) continue;
    source.lectures.push_back(
        {nameOf(entry), QString::fromStdString(entry.lecture->title), entry.lecture->steps.size()});
  }
  if (const Lecture* shown = m_mode.lecture()) {
    const auto same = std::ranges::find(source.lectures, m_mode.name(), &ExportedLecture::name);
    source.chosen = static_cast<int>(same - source.lectures.begin());
    if (same == source.lectures.end()) {
      source.lectures.push_back(
          {m_mode.name(), QString::fromStdString(shown->title), shown->steps.size()});
    }
  }
  auto* dialog = new LectureExportDialog(std::move(source), &m_window.frame());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void LectureMenu::addStep() {
  const QString folder = QString::fromStdString(lecture::ownLectureFolder().string());
  if (!folder.isEmpty()) QDir().mkpath(folder);
  QString file = QFileDialog::getSaveFileName(&m_window.frame(), tr("Add the window to a lecture"),
                                              folder, tr("Lectures (*.json)"), nullptr,
                                              QFileDialog::DontConfirmOverwrite);
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix().isEmpty()) file += toQString(lecture::kLectureEnding);
  NewStepDialog dialog(&m_window.frame());
  if (dialog.exec() != QDialog::Accepted) return;
  if (const QString wrong = addStepTo(file, dialog.headline(), dialog.text()); !wrong.isEmpty())
    tellProblem(m_window.frame(), dialog.windowTitle(), wrong);
}

QString LectureMenu::addStepTo(const QString& file, const QString& headline, const QString& text) {
  const auto added = lecture::addStep(
      fileNamed(file), {m_window.session(), headline.toStdString(), text.toStdString()});
  if (!added) return QString::fromStdString(added.error());
  const QString done = tr("The window is now step %1 of \"%2\"").arg(*added).arg(shownFile(file));
  // A presentation has no status bar.
  if (m_window.frame().statusBar()->isVisible()) {
    m_window.say(done);
  } else {
    tellResult(m_window.frame(), tr("Add the window as a step"), done);
  }
  return {};
}

}  // namespace tileloom
