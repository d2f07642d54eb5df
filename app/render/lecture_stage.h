// SPDX-License-Identifier: GPL-3.0-or-later
// The window in which a lecture is played for its pictures.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

#include "app/lecture/lecture.h"
#include "app/render/lecture_export.h"
#include "app/window/main_window.h"
#include "viz/base/theme.h"

class QPainter;

namespace tileloom::lecture {

// What stands below the picture of a step.
struct StepText {
  QString headline, text;
  QStringList notes;
  QString asks, answer;
};

class LectureStage {
 public:
  LectureStage(const Lecture& lecture, const ExportSetup& setup);

  // The step as it begins, or some time later where it plays from an empty tile on, with everything
  // in it made.
  QImage at(std::size_t step);
  // The same in lines and letters, onto (0, 0) of a painter whose device has 96 dots an inch.
  void paint(std::size_t step, QPainter& painter);
  // Whether headline, text and question stand beside the views, as they do at the beginning.
  void showWords(bool shown);
  const QSize& size() const { return m_size; }
  Theme theme() const { return Theme::of(m_window.palette()); }
  StepText textOf(std::size_t step) const;

  // For a film. The step as it follows on what is shown: still at the beginning of the way there.
  void pass(std::size_t step);
  // `ms` after that; LectureMode::kPassMs is all of the way.
  QImage passed(int ms);
  // The loom plays on by this much; false: it has come to the warp's end.
  bool play(double seconds);
  QImage picture();

  // Why the pictures are not as they were asked for; empty: they are.
  const QString& problem() const { return m_problem; }

 private:
  void goTo(std::size_t step);
  bool allSumsAreEmpty();
  void playAWhile();
  void settle();
  void check();

  MainWindow m_window;
  const Lecture& m_lecture;
  QSize m_size;
  QString m_problem;
  std::size_t m_at = static_cast<std::size_t>(-1);
  QImage m_image;  // of that step; null: it was not asked for
};

}  // namespace tileloom::lecture
