// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_editing.h"

#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QResizeEvent>
#include <QScreen>
#include <nlohmann/json.hpp>

#include "app/lecture/lecture_files.h"
#include "app/lecture/lecture_writer.h"
#include "app/window/common/tell.h"
#include "app/window/lecture/lecture_editor_panel.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/lecture/mark_fields.h"
#include "app/window/lecture/mark_places.h"
#include "app/window/window.h"
#include "kernels/base/text_file.h"
#include "kernels/tile/placement.h"
#include "viz/base/text/text.h"
#include "viz/lecture/mark_picker.h"

namespace tileloom {
namespace {

// Its close button asks first.
class EditorDock : public QDockWidget {
 public:
  EditorDock(LectureEditing& editing, QWidget* parent) : QDockWidget(parent), m_editing(editing) {}

 protected:
  void closeEvent(QCloseEvent* event) override {
    event->ignore();
    m_editing.close();
  }
  // Keeps the window on the screen when larger text makes it wider.
  void resizeEvent(QResizeEvent* event) override {
    QDockWidget::resizeEvent(event);
    if (!isFloating()) return;
    const QRect room = screen()->availableGeometry(), now = frameGeometry();
    const QPoint at(std::max(room.left(), std::min(now.left(), room.right() - now.width() + 1)),
                    std::max(room.top(), std::min(now.top(), room.bottom() - now.height() + 1)));
    if (at != now.topLeft()) move(at);
  }

 private:
  LectureEditing& m_editing;
};

// The text of a lecture's file, of one that ships or of any other.
tl::expected<std::string, std::string> textOf(const QString& name) {
  for (const EmbeddedFile& file : lecture::lectureFiles()) {
    if (std::filesystem::path(file.name).stem() == name.toStdString())
      return std::string(file.text);
  }
  return readText(fileNamed(name), lecture::kLectureBounds.bytes, Absent::IsAnError);
}

}  // namespace

LectureEditing::LectureEditing(LectureMode& mode, Window& window)
    : QObject(&mode),
      m_mode(mode),
      m_window(window),
      m_editor(new LectureEditor(mode, [&window] { return window.session(); })),
      m_panel(new LectureEditorPanel(*m_editor)),
      m_dock(new EditorDock(*this, &window.frame())),
      m_watcher(new QFileSystemWatcher(this)) {
  m_dock->setObjectName(QStringLiteral("lectureEditorDock"));
  m_dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
  m_dock->setWidget(m_panel);
  m_dock->hide();
  m_window.frame().installEventFilter(this);
  QWidget& stage = *mode.marks().parentWidget();
  m_picker = new MarkPicker(
      [&window, &stage](const QPointF& pixel) {
        return markTargetsAt(window, stage.mapTo(&window.frame(), pixel));
      },
      [&window, &stage](const MarkTarget& target) -> std::optional<QRectF> {
        const auto place = placeOf(window, target);
        if (!place) return std::nullopt;
        return place->translated(stage.mapFrom(&window.frame(), QPointF(0, 0)));
      },
      &stage);
  connect(m_picker, &MarkPicker::picked, this, &LectureEditing::take);
  connect(m_picker, &MarkPicker::ended, this, [this] {
    if (m_active && !m_mode.presenting()) comeForward();
  });
  connect(m_panel, &LectureEditorPanel::saveAsked, this, &LectureEditing::save);
  connect(m_panel, &LectureEditorPanel::saveAsAsked, this, &LectureEditing::saveAs);
  connect(m_panel, &LectureEditorPanel::closeAsked, this, &LectureEditing::close);
  connect(m_panel, &LectureEditorPanel::pickAsked, this, &LectureEditing::pick);
  connect(m_panel, &LectureEditorPanel::backAsked, &mode, &LectureMode::resume);
  connect(&m_editor->stack(), &QUndoStack::cleanChanged, this,
          [this](bool clean) { m_dock->setWindowModified(!clean); });
  connect(m_editor, &LectureEditor::changed, this, [this] { m_panel->say({}, false); });
  connect(m_watcher, &QFileSystemWatcher::fileChanged, this, &LectureEditing::readAgain);
  // An audience sees no editor.
  connect(&mode, &LectureMode::presentingChanged, this, [this](bool presenting) {
    m_picker->cancel();
    m_dock->setVisible(m_active && !presenting);
  });
}

QString LectureEditing::edit(const QString& file, std::size_t step) {
  if (!mayLeave()) return {};
  if (const QString wrong = m_editor->open(file, step); !wrong.isEmpty()) return wrong;
  begin();
  return {};
}

QString LectureEditing::editCopy(const QString& name, const QString& file, std::size_t step) {
  if (!mayLeave()) return {};
  const auto text = textOf(name);
  if (!text) return toQString(text.error());
  if (const auto written = replaceText(fileNamed(file), *text); !written)
    return toQString(written.error());
  return edit(file, step);
}

QString LectureEditing::editNew(const QString& file) {
  if (!mayLeave()) return {};
  auto draft =
      lecture::LectureDraft::of(lecture::newLectureText(lecture::titleOf(fileNamed(file))));
  draft->insertWindow(0, m_window.session(), LectureEditor::newHeadline().toStdString(),
                      LectureEditor::newText().toStdString());
  if (const auto written = replaceText(fileNamed(file), draft->text()); !written)
    return toQString(written.error());
  return edit(file, 0);
}

void LectureEditing::tell(const QString& title, const QString& trouble) {
  if (!trouble.isEmpty()) tellProblem(m_window.frame(), title, trouble);
}

void LectureEditing::tryToEdit(const QString& file, std::size_t step) {
  tell(tr("Edit steps"), edit(file, step));
}

QString LectureEditing::askForName(const QString& title, const QString& proposed) {
  const QString folder = QString::fromStdString(lecture::ownLectureFolder().string());
  if (!folder.isEmpty()) QDir().mkpath(folder);
  QString file = QFileDialog::getSaveFileName(
      &m_window.frame(), title, QDir(folder).filePath(proposed), tr("Lectures (*.json)"));
  if (!file.isEmpty() && QFileInfo(file).suffix().isEmpty())
    file += toQString(lecture::kLectureEnding);
  return file;
}

void LectureEditing::askForCopy(const QString& name, std::size_t step) {
  const QString file = askForName(
      tr("This lecture ships with Tileloom: edit a copy"),
      QFileInfo(name).completeBaseName() + tr("-copy") + toQString(lecture::kLectureEnding));
  if (!file.isEmpty()) tell(tr("Edit a copy"), editCopy(name, file, step));
}

void LectureEditing::askForFile() {
  const QString file =
      QFileDialog::getOpenFileName(&m_window.frame(), tr("Edit a lecture"),
                                   QString::fromStdString(lecture::ownLectureFolder().string()),
                                   tr("Lectures (*.json);;All (*)"));
  if (!file.isEmpty()) tryToEdit(file, 0);
}

void LectureEditing::askForNew() {
  const QString file =
      askForName(tr("A new lecture"), tr("lecture") + toQString(lecture::kLectureEnding));
  if (!file.isEmpty()) tell(tr("A new lecture"), editNew(file));
}

void LectureEditing::begin() {
  m_active = true;
  m_mode.setEdited([this] { return mayLeave(); });
  name();
  place();
  comeForward();
  m_editor->showNow();
}

bool LectureEditing::eventFilter(QObject* watched, QEvent* event) {
  const bool press = event->type() == QEvent::KeyPress;
  if (m_active && watched == &m_window.frame() &&
      (press || event->type() == QEvent::ShortcutOverride) &&
      static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save)) {
    event->accept();  // no shortcut has it: it comes again as a key press
    if (press) save();
    return true;
  }
  return QObject::eventFilter(watched, event);
}

void LectureEditing::name() {
  m_dock->setWindowTitle(tr("Steps of %1[*]").arg(QFileInfo(m_editor->file()).fileName()));
  m_dock->setWindowModified(m_editor->modified());
  watch();
}

void LectureEditing::watch() {
  const QString file = QFileInfo(m_editor->file()).absoluteFilePath();
  const QStringList now = m_watcher->files();
  for (const QString& other : now)
    if (other != file) m_watcher->removePath(other);
  // Many programs replace the file by a new one.
  if (!now.contains(file) && QFile::exists(file)) m_watcher->addPath(file);
}

// Reloads a file that another program has changed, unless edits would be lost.
void LectureEditing::readAgain() {
  if (!m_active) return;
  watch();
  if (!m_editor->changedByOthers()) return;
  const QString name = QFileInfo(m_editor->file()).fileName();
  if (m_editor->modified()) {
    return m_panel->say(
        tr("Another program has changed %1. The edits here are kept, and are not saved yet.")
            .arg(name),
        true);
  }
  const QString wrong = m_editor->open(m_editor->file(), m_editor->chosen());
  if (!wrong.isEmpty()) return m_panel->say(wrong, true);
  this->name();
  m_panel->say(tr("%1 was reloaded: another program has changed it").arg(name), false);
}

// Docked if the views keep most of the window, otherwise a separate window: beside the main window
// if the screen has room, or over the lecture panel, whose texts the editor has as well.
void LectureEditing::place() {
  if (m_placed) return;
  m_placed = true;
  m_window.frame().addDockWidget(Qt::RightDockWidgetArea, m_dock);
  const QSize wanted = m_panel->sizeHint();
  constexpr int kShare = 4;
  if (m_window.frame().width() >= wanted.width() * kShare) return;
  m_dock->setFloating(true);
  const QRect room = m_window.frame().screen()->availableGeometry();
  const QRect window = m_window.frame().frameGeometry();
  constexpr int kFrame = 30;  // of its own, which counts only once it is shown
  const QWidget& stage = *m_mode.marks().parentWidget();
  const int top = stage.mapToGlobal(QPoint()).y();
  const int below = std::max(window.height() / 2, stage.height() - kFrame);
  const QSize size = (wanted + QSize(20, 40)).boundedTo({room.width() / 2, room.height()});
  const bool right = room.right() - window.right() >= size.width();
  const bool left = window.left() - room.left() >= size.width();
  const int x = right ? window.right() + 1 : left ? window.left() - size.width() : window.left();
  m_dock->resize(size.width(), right || left ? size.height() : std::min(size.height(), below));
  m_dock->move(std::clamp(x, room.left(), std::max(room.left(), room.right() - size.width() + 1)),
               std::clamp(top, room.top(), std::max(room.top(), room.bottom() - size.height())));
}

void LectureEditing::comeForward() {
  m_dock->show();
  m_dock->raise();
  if (m_dock->isFloating()) m_dock->activateWindow();
  QWidget* focus = m_panel->focusWidget();
  (focus != nullptr ? focus : m_panel->focusTarget())->setFocus();
}

LectureEditing::Answer LectureEditing::ask(const QString& sentence, const QString& first,
                                           const QString& second) {
  QMessageBox box(&m_window.frame());
  box.setIcon(QMessageBox::Question);
  box.setWindowTitle(tr("Edit steps"));
  box.setTextFormat(Qt::PlainText);
  box.setText(sentence);
  const QPushButton* yes = box.addButton(first, QMessageBox::AcceptRole);
  const QPushButton* other =
      second.isEmpty() ? nullptr : box.addButton(second, QMessageBox::DestructiveRole);
  QPushButton* cancel = box.addButton(tr("Keep editing"), QMessageBox::RejectRole);
  box.setEscapeButton(cancel);
  // A key that is pressed too fast must not choose the harmful answer.
  if (second.isEmpty()) box.setDefaultButton(cancel);
  box.exec();
  if (box.clickedButton() == yes) return Answer::First;
  return other != nullptr && box.clickedButton() == other ? Answer::Second : Answer::Cancel;
}

bool LectureEditing::mayLeave() {
  if (!m_active) return true;
  m_picker->cancel();
  if (m_editor->modified()) {
    const Answer answer =
        ask(tr("%1 has unsaved changes.").arg(QFileInfo(m_editor->file()).fileName()), tr("Save"),
            tr("Discard"));
    if (answer == Answer::Cancel || (answer == Answer::First && !save())) return false;
  }
  end();
  return true;
}

void LectureEditing::end() {
  m_active = false;
  m_mode.setEdited({});
  if (const QStringList files = m_watcher->files(); !files.isEmpty()) m_watcher->removePaths(files);
  m_editor->leave();
  m_dock->hide();
}

// The lecture continues with the state of its file.
void LectureEditing::close() {
  if (!m_active) return;
  const QString file = m_editor->file();
  const std::size_t step = m_editor->chosen();
  if (!mayLeave()) return;
  if (m_mode.active() && !m_mode.openNamed(file, LectureMode::Manner::Learning, step).isEmpty())
    m_mode.close();
}

bool LectureEditing::saved(const QString& trouble) {
  m_panel->say(trouble, true);
  tell(tr("Save the lecture"), trouble);
  if (!trouble.isEmpty()) return false;
  const QString done = tr("Saved as \"%1\"").arg(shownFile(m_editor->file()));
  m_panel->say(done, false);
  m_window.say(done);
  name();
  return true;
}

bool LectureEditing::save() {
  if (!m_active) return false;
  if (m_editor->changedByOthers()) {
    const Answer answer = ask(tr("Another program has changed %1 since it was opened here.")
                                  .arg(QFileInfo(m_editor->file()).fileName()),
                              tr("Save as…"), tr("Overwrite"));
    if (answer == Answer::Cancel) return false;
    if (answer == Answer::First) return saveAs();
  }
  if (const QString why = m_editor->whyNotPlayed(); !why.isEmpty()) {
    if (ask(tr("The lecture cannot be presented yet. %1.").arg(why), tr("Save anyway"), {}) !=
        Answer::First)
      return false;
  }
  return saved(m_editor->save());
}

bool LectureEditing::saveAs() {
  if (!m_active) return false;
  const QString file =
      askForName(tr("Save the lecture as"), QFileInfo(m_editor->file()).absoluteFilePath());
  return !file.isEmpty() && saved(m_editor->saveAs(file));
}

// A separate window would cover the picture to click on.
void LectureEditing::pick() {
  if (m_dock->isFloating()) m_dock->hide();
  m_window.frame().activateWindow();
  m_picker->start();
}

void LectureEditing::take(const MarkTarget& target) {
  m_editor->addMark(target);
  m_panel->marks().choose(static_cast<int>(m_editor->marks().size()) - 1);
}

}  // namespace tileloom
