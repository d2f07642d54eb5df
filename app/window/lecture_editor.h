// SPDX-License-Identifier: GPL-3.0-or-later
// The lecture that somebody edits: draft, history, chosen step, and what is wrong with it. It shows
// each state in the window as it will be presented, and knows no widget of the editor.
#pragma once

#include <QObject>
#include <QTimer>
#include <QUndoStack>

#include "app/lecture/lecture_draft.h"
#include "app/window/draft_check.h"

namespace tileloom {

class LectureMode;

class LectureEditor : public QObject {
  Q_OBJECT
 public:
  using Json = lecture::LectureDraft::Json;
  using Take = std::function<Session()>;

  // `take` tells what the window shows.
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

  // Edits of the chosen step; null takes a member away. Typing on in one field is one edit.
  void set(const std::string& pointer, Json value, const QString& name);
  // Several members in one edit.
  void setAll(std::vector<std::pair<std::string, Json>> values, const QString& name);
  void setTitle(const std::string& member, const QString& text);
  void retake();
  void takeSolution();  // what the window shows meets the task
  // Of marks, in the order of the file.
  Json marks() const;
  void addMark(const MarkTarget& target);
  void setMark(std::size_t mark, Json value, const QString& name);
  void eraseMark(std::size_t mark);
  // Of steps; the one that was made or moved is chosen.
  void addShown();
  void duplicate();
  void erase();
  void moveBy(int steps);
  // What follows is an edit of its own.
  void endTyping() { ++m_burst; }

  // What is good of the draft.
  const lecture::Attempt& attempt() const { return m_attempt; }
  // What is wrong with the chosen step at this pointer or below it, without what is said at the
  // pointers `but`.
  QString trouble(const std::string& pointer, const std::vector<std::string>& but = {}) const;
  QString troubleOfStep(std::size_t step) const;
  QString troubleOfLecture(const std::string& pointer) const;  // "/title"
  // The first thing that is wrong, with its step; empty: the lecture can be presented.
  QString whyNotPlayed();

  bool changedByOthers() const { return m_file.changedByOthers(); }
  // Empty, or one sentence without a full stop on why the file is as it was; the draft stays.
  QString save();
  QString saveAs(const QString& file);

  // The window shows the latest state now, and not a moment later.
  void showNow();
  // The draft is left; the lecture goes on as it was saved last.
  void leave();

 signals:
  void changed();  // the draft
  void chosenChanged();
  void troubleChanged();
  void saved();

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
  QTimer m_soon;   // until the window shows what was typed
  QTimer m_pause;  // after which typing is another edit
};

}  // namespace tileloom
