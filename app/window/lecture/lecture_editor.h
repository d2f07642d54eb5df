// SPDX-License-Identifier: GPL-3.0-or-later
// The edited lecture: draft, history, chosen step and errors. It shows each state in the window as
// it will be presented, and does not depend on widgets.
#pragma once

#include <QObject>
#include <QTimer>
#include <QUndoStack>

#include "app/lecture/lecture_draft.h"
#include "app/window/lecture/draft_check.h"

namespace tileloom {

class LectureMode;

class LectureEditor : public QObject {
  Q_OBJECT
 public:
  using Json = lecture::LectureDraft::Json;
  using Take = std::function<Session()>;

  // `take` returns the session of the window.
  LectureEditor(LectureMode& mode, Take take);
  ~LectureEditor() override;

  // Empty, or one sentence without a full stop on why the file was not opened.
  QString open(const QString& file, std::size_t step);
  QString file() const;

  const lecture::LectureDraft& draft() const { return m_draft; }
  std::size_t chosen() const { return m_chosen; }
  const Json& step() const { return m_draft.step(m_chosen); }
  void choose(std::size_t step);
  QUndoStack& stack() { return m_stack; }
  bool modified() const { return !m_stack.isClean(); }

  // Edits of the chosen step; null removes a member. Consecutive typing in one field is one edit.
  void set(const std::string& pointer, Json value, const QString& name);
  // Several members in one edit.
  void setAll(std::vector<std::pair<std::string, Json>> values, const QString& name);
  void setTitle(const std::string& member, const QString& text);
  void retake();
  void takeSolution();  // the present window meets the task
  // Texts of a new step, which the editor reports until they are replaced.
  static QString newHeadline() { return tr("A new step"); }
  static QString newText() { return tr("The text of this step."); }
  // Of marks, in the order of the file.
  Json marks() const;
  void addMark(const MarkTarget& target);
  void setMark(std::size_t mark, Json value, const QString& name);
  void eraseMark(std::size_t mark);
  // Of steps; the new or moved one becomes the chosen one.
  void addShown();
  void duplicate();
  void erase();
  void moveBy(int steps);
  // The next change is a separate edit.
  void endTyping() { ++m_burst; }

  // The valid part of the draft.
  const lecture::Attempt& attempt() const { return m_attempt; }
  // The error of the chosen step at this pointer or below it, except at the pointers `but`.
  QString trouble(const std::string& pointer, const std::vector<std::string>& but = {}) const;
  QString troubleOfStep(std::size_t step) const;
  QString troubleOfLecture(const std::string& pointer) const;  // "/title"
  // The first error, with its step; empty: the lecture can be presented.
  QString whyNotPlayed();

  bool changedByOthers() const { return m_file.changedByOthers(); }
  // Empty, or one sentence without a full stop on why the file was not written; the draft stays.
  QString save();
  QString saveAs(const QString& file);

  // Shows the latest state in the window without a delay.
  void showNow();
  // Ends editing; the lecture continues with its last saved state.
  void leave();

 signals:
  void changed();  // the draft
  void chosenChanged();
  void troubleChanged();
  void saved();
  void refused(const QString& why);  // an edit, as a sentence without a full stop

 private:
  friend class DraftChange;
  struct State {
    lecture::LectureDraft draft;
    std::size_t chosen = 0;
  };
  QString troubleBelow(const std::string& whole, const std::vector<std::string>& but) const;
  void push(State after, const QString& name, const std::string& key = {});
  void apply(const State& state);
  void look();
  // Of the file, of the steps as they run, and of what is not written yet.
  std::vector<lecture::Complaint> complaints() const;
  std::string id() const;

  LectureMode& m_mode;
  Take m_take;
  lecture::LectureDraft m_draft;
  lecture::DraftFile m_file;
  std::size_t m_chosen = 0;
  QUndoStack m_stack;
  int m_burst = 0;
  lecture::Attempt m_attempt;  // of the draft as it is
  DraftCheck m_check;
  QTimer m_soon;   // until the window shows the edit
  QTimer m_pause;  // after which typing is a new edit
};

}  // namespace tileloom
