// SPDX-License-Identifier: GPL-3.0-or-later
// What the lecturer sees on a second screen: notes, the next step, the clock, and how the time of
// each step compares with its plan.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <vector>

class QLabel;

namespace tileloom {

class Prose;

struct SpeakerPage {
  QString where;  // "Bank conflicts · 3 of 12"
  QString headline;
  QStringList notes;
  QString asks, answer;  // of the step's question or task
  QString next;          // headline of the next step; empty: this is the last
  double minutes = 0;    // planned for this step
  double plannedBefore = 0, plannedAll = 0;
};

class SpeakerWindow : public QWidget {
  Q_OBJECT
 public:
  explicit SpeakerWindow(QWidget* parent = nullptr);
  void setPage(std::size_t step, const SpeakerPage& page);
  // Of the whole lecture and of each step that was shown.
  qint64 elapsedMs() const { return m_whole.elapsed(); }
  qint64 elapsedMs(std::size_t step) const;
  QString timeText() const;

 signals:
  void nextAsked();
  void previousAsked();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void tick();
  void scaleFonts();

  SpeakerPage m_page;
  std::size_t m_step = 0;
  std::vector<qint64> m_spent;  // on steps that were left
  QElapsedTimer m_whole, m_here;
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
