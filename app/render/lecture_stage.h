// SPDX-License-Identifier: GPL-3.0-or-later
// The window in which a lecture is played for its pictures.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

#include "app/lecture/lecture.h"
#include "app/render/export_setup.h"
#include "app/window/main_window.h"
#include "viz/base/theme.h"

class QPainter;

namespace tileloom::lecture {

// The text below the picture of a step.
struct StepText {
  QString headline, text;
  QStringList notes;
  QString asks, answer;
};

class LectureStage {
 public:
  LectureStage(const Lecture& lecture, const ExportSetup& setup);

  // The step as it begins, or some time later if it plays from an empty tile on, with everything in
  // it finished.
  QImage at(std::size_t step);
  // The window at this step: what it shows and where, for tests.
  const MainWindow& windowAt(std::size_t step);
  // The same as vectors and text, onto (0, 0) of a painter whose device has 96 dots per inch.
  void paint(std::size_t step, QPainter& painter);
  // Whether headline, text and question are beside the views, as they are at the beginning.
  void showWords(bool shown);
  const QSize& size() const { return m_size; }
  Theme theme() const { return Theme::of(m_window.palette()); }
  StepText textOf(std::size_t step) const;

  // For a film. The step as it follows the shown one: still at the beginning of the transition.
  void pass(std::size_t step);
  // `ms` after that; LectureMode::kPassMs is the whole transition.
  QImage passed(int ms);
  // Advances playback by this time; false: the warp has ended.
  bool play(double seconds);
  QImage picture();

  // Why the pictures differ from the setup; empty: they do not.
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
  QImage m_image;  // of that step; null: it was not painted
};

}  // namespace tileloom::lecture
