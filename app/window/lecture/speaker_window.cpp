// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/speaker_window.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QTime>
#include <QVBoxLayout>

#include "app/window/lecture/lecture_clock.h"
#include "viz/base/text/labels.h"

namespace tileloom {
namespace {

// "4:07"
QString minutesText(double minutes) {
  const int seconds = static_cast<int>(minutes * 60 + 0.5);
  return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

SpeakerWindow::SpeakerWindow(const LectureClock& clock, QWidget* parent)
    : QWidget(parent, Qt::Window), m_passed(clock) {
  setObjectName(QStringLiteral("speaker"));
  setWindowTitle(tr("Notes for the speaker"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 18, 24, 18);
  column->setSpacing(14);
  auto* head = new QHBoxLayout;
  m_where = new ElidedLabel;
  setInk(*m_where, Ink::Soft);
  head->addWidget(m_where, 1);
  m_clock = new QLabel;
  head->addWidget(m_clock);
  column->addLayout(head);
  m_headline = new Prose;
  column->addWidget(m_headline);
  m_time = new QLabel;
  m_time->setObjectName(QStringLiteral("speakerTime"));
  column->addWidget(m_time);
  auto* words = new QWidget;
  auto* inner = new QVBoxLayout(words);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(12);
  m_notes = new Prose;
  m_notes->setObjectName(QStringLiteral("speakerNotes"));
  inner->addWidget(m_notes);
  m_question = new Prose;
  m_question->setObjectName(QStringLiteral("speakerQuestion"));
  inner->addWidget(m_question);
  inner->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(words);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  column->addWidget(scroll, 1);
  m_next = new Prose;
  setInk(*m_next, Ink::Soft);
  column->addWidget(m_next);
  auto* buttons = new QHBoxLayout;
  auto* previous = new QPushButton(tr("‹ Back"));
  auto* next = new QPushButton(tr("Next ›"));
  connect(previous, &QPushButton::clicked, this, &SpeakerWindow::previousAsked);
  connect(next, &QPushButton::clicked, this, &SpeakerWindow::nextAsked);
  buttons->addWidget(previous);
  buttons->addStretch(1);
  buttons->addWidget(next);
  column->addLayout(buttons);
  m_second.setInterval(1000);
  connect(&m_second, &QTimer::timeout, this, &SpeakerWindow::tick);
  m_second.start();
  scaleFonts();
  resize(900, 700);
}

void SpeakerWindow::setPage(std::size_t step, const SpeakerPage& page) {
  m_step = step;
  m_page = page;
  m_where->setText(page.where);
  m_headline->setText(page.headline);
  m_notes->setText(page.notes.isEmpty() ? tr("This step has no notes.")
                                        : page.notes.join(QStringLiteral("\n\n")));
  QString asks = page.asks.isEmpty() ? QString() : tr("Asks: %1").arg(page.asks);
  for (const QString& choice : page.choices) asks += QStringLiteral("\n  • ") + choice;
  if (!page.asks.isEmpty()) asks += tr("\n\nAnswer: %1").arg(page.answer);
  m_question->setText(asks);
  m_question->setVisible(!page.asks.isEmpty());
  m_next->setText(page.next.isEmpty() ? tr("This is the last step.")
                                      : tr("Next: %1").arg(page.next));
  tick();
}

QString SpeakerWindow::timeText() const {
  constexpr double kMinute = 60'000;
  if (!m_passed.runs()) {
    return tr("The clock starts with the presentation (F5) · this step %1 of %2, planned so far "
              "%3")
        .arg(minutesText(m_page.minutes), minutesText(m_page.plannedAll),
             minutesText(m_page.plannedBefore));
  }
  const double here = static_cast<double>(m_passed.elapsedMs(m_step)) / kMinute;
  const double all = static_cast<double>(m_passed.elapsedMs()) / kMinute;
  return tr("This step %1 of %2 · all %3 of %4, planned so far %5")
      .arg(minutesText(here), minutesText(m_page.minutes), minutesText(all),
           minutesText(m_page.plannedAll), minutesText(m_page.plannedBefore));
}

void SpeakerWindow::tick() {
  m_clock->setText(QTime::currentTime().toString(QStringLiteral("HH:mm")));
  m_time->setText(timeText());
}

void SpeakerWindow::scaleFonts() {
  scaleFont(*m_headline, font(), 1.7, true);
  scaleFont(*m_notes, font(), 1.35);
  scaleFont(*m_question, font(), 1.2);
  scaleFont(*m_next, font(), 1.2);
  scaleFont(*m_clock, font(), 1.7, true);
  scaleFont(*m_time, font(), 1.1);
}

void SpeakerWindow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) scaleFonts();
}

}  // namespace tileloom
