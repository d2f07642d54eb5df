// SPDX-License-Identifier: GPL-3.0-or-later
// The speaker's window on a second screen: notes, the next step, the clock, and the time of each
// step beside its plan.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;

namespace tileloom {

class LectureClock;
class Prose;

struct SpeakerPage {
  QString where;  // "Bank conflicts · 3 of 12"
  QString headline;
  QStringList notes;
  QString asks, answer;  // of the step's question or task
  QStringList choices;   // of the question
  QString next;          // headline of the next step; empty: this is the last
  double minutes = 0;    // planned for this step
  double plannedBefore = 0, plannedAll = 0;
};

class SpeakerWindow : public QWidget {
  Q_OBJECT
 public:
  // The clock belongs to the lecture, which outlives this.
  explicit SpeakerWindow(const LectureClock& clock, QWidget* parent = nullptr);
  void setPage(std::size_t step, const SpeakerPage& page);
  QString timeText() const;

 signals:
  void nextAsked();
  void previousAsked();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void tick();
  void scaleFonts();

  const LectureClock& m_passed;
  SpeakerPage m_page;
  std::size_t m_step = 0;
  QTimer m_second;
  QLabel* m_where;
  Prose* m_headline;
  Prose* m_notes;
  Prose* m_question;
  Prose* m_next;
  QLabel* m_clock;
  QLabel* m_time;
};

}  // namespace tileloom
