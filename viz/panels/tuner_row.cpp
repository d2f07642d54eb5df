// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/tuner_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "kernels/tile/words.h"
#include "viz/base/figure_text.h"
#include "viz/base/labels.h"
#include "viz/base/text.h"
#include "viz/panels/funnel_bar.h"

namespace tileloom {
namespace {

QToolButton* button(const QString& name, const QString& text, const QString& tip) {
  auto* made = new QToolButton;
  made->setObjectName(name);
  made->setText(text);
  made->setAccessibleName(text);
  made->setToolTip(tip);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

}  // namespace

TunerRow::TunerRow(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 0, 8, 0);
  column->setSpacing(2);
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  column->addLayout(row);
  m_go = button(QStringLiteral("tunerGo"), tr("Start"), {});
  m_stop = button(QStringLiteral("tunerStop"), tr("Stop"),
                  tr("Stop tuning; Start goes on from there, and so does the command line"));
  m_anew = button(QStringLiteral("tunerAnew"), tr("Anew"),
                  tr("Measure all of it again; the file of this run is put aside"));
  m_budget = new QComboBox;
  m_budget->setObjectName(QStringLiteral("tunerBudget"));
  m_budget->setAccessibleName(tr("How long to tune"));
  m_budget->setToolTip(tr("How long to tune; each choice is a run of its own"));
  m_budget->setFocusPolicy(Qt::TabFocus);
  for (const int minutes : {0, 1, 5, 15})
    m_budget->addItem(minutes == 0 ? tr("no limit") : tr("%1 min").arg(minutes), 60.0 * minutes);
  m_knobs = new QLineEdit;
  m_knobs->setObjectName(QStringLiteral("tunerKnobs"));
  m_knobs->setPlaceholderText(tr("all values"));
  m_knobs->setAccessibleName(tr("Values to search"));
  m_knobs->setToolTip(
      tr("Which values to search, such as BM=64,128 BK=8,16; what is not named takes all powers of "
         "two. Each choice is a run of its own"));
  m_knobs->setClearButtonEnabled(true);
  m_knobs->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  m_words = new ElidedLabel;
  m_words->setObjectName(QStringLiteral("tunerWords"));
  m_take = button(QStringLiteral("tunerTake"), tr("Take it"), tr("Put this tile into the knobs"));
  row->addWidget(m_go);
  row->addWidget(m_stop);
  row->addWidget(m_anew);
  row->addWidget(m_budget);
  row->addWidget(m_knobs);
  row->addWidget(m_words, 1);
  row->addWidget(m_take);
  m_funnel = new FunnelBar;
  column->addWidget(m_funnel);
  connect(m_go, &QToolButton::clicked, this, [this] {
    if (m_state == TunerState::Running) {
      emit pauseAsked();
    } else if (m_state == TunerState::Paused) {
      emit resumeAsked();
    } else {
      emit startAsked(budgetSeconds());
    }
  });
  connect(m_knobs, &QLineEdit::textChanged, this, &TunerRow::knobsChanged);
  connect(m_stop, &QToolButton::clicked, this, &TunerRow::stopAsked);
  connect(m_anew, &QToolButton::clicked, this, [this] { emit anewAsked(budgetSeconds()); });
  connect(m_take, &QToolButton::clicked, this, [this] { emit taken(m_takeStage, m_takeTile); });
}

double TunerRow::budgetSeconds() const {
  return m_budget->currentData().toDouble();
}

QString TunerRow::knobs() const {
  return m_knobs->text().simplified();
}

QString TunerRow::text() const {
  return m_words->text();
}

QString TunerRow::wordsOf(const Target& target, const TunerStatus& status, bool here) const {
  const auto tile = [&status](const TileShape& t) { return figures::tileText(status.stage, t); };
  const tuning::SearchProgress& p = status.progress;
  QString of;  // another rung or size than the one in sight
  if (!here && status.active()) {
    of = tr("%1, %2: ")
             .arg(toQString(status.stage->title), QString::fromStdString(toString(status.problem)));
  }
  switch (status.state) {
    case TunerState::Preparing:
      return of + tr("counting the legal tiles");
    case TunerState::Running:
    case TunerState::Paused: {
      QString line = status.state == TunerState::Paused ? of + tr("paused; ") : of;
      line += tr("%1: %2 measured").arg(toQString(name(p.phase))).arg(p.timed);
      // What does not fit is cut off at the end: the tile.
      if (p.secondsLeft > 0) {
        line += p.secondsLeft < 90 ? tr(", at most %1 s left").arg(std::ceil(p.secondsLeft))
                                   : tr(", at most %1 min left").arg(std::ceil(p.secondsLeft / 60));
      }
      if (p.best && status.best) {
        line +=
            tr("; best %1 GFLOP/s: %2").arg(figures::speedText(p.bestGflops), tile(*status.best));
      }
      return line;
    }
    case TunerState::Failed:
      if (here && target.wrong.isEmpty()) return status.trouble;
      break;
    case TunerState::Done: {
      if (!here || !target.wrong.isEmpty()) break;
      if (status.tied.empty()) return tr("no tile could be measured");
      const QString first =
          tr("%1, %2 GFLOP/s %3")
              .arg(tile(status.tied.front()), figures::speedText(status.gflops.median),
                   figures::spreadText(status.gflops));
      const QString line = status.won ? tr("winner: %1").arg(first)
                           : status.tied.size() == 1
                               ? tr("noisy, so that no winner is named; first: %1").arg(first)
                               : tr("%1 tiles tie; first: %2").arg(status.tied.size()).arg(first);
      return status.trouble.isEmpty() ? line : status.trouble + u' ' + line;
    }
    case TunerState::Idle:
      break;
  }
  if (!target.wrong.isEmpty()) return target.wrong;
  if (!target.canMeasure) {
    if (!target.space) return tr("Tuning needs a GPU, and there is none here.");
    return tr("Tuning needs a GPU (%1 legal tiles of %2 combinations)")
        .arg(toQString(grouped(target.space->second)), toQString(grouped(target.space->first)));
  }
  if (status.state == TunerState::Idle && here && p.jobs > 0)
    return tr("stopped after %1 measurements: Start goes on from there").arg(p.jobs);
  if (target.known) {
    return tr("%1: %2").arg(target.knownText, figures::tileText(target.stage, *target.known));
  }
  return tr("finds the fastest of the legal tiles on this GPU");
}

void TunerRow::show(const Target& target, const TunerStatus& status) {
  m_state = status.state;
  const bool here = status.stage == target.stage && status.problem == target.problem;
  const bool active = status.active();
  m_go->setText(m_state == TunerState::Running  ? tr("Pause")
                : m_state == TunerState::Paused ? tr("Go on")
                                                : tr("Start"));
  m_go->setAccessibleName(m_go->text());
  m_go->setToolTip(m_state == TunerState::Running
                       ? tr("Pause after the running measurement; the shown tile is measured again")
                   : m_state == TunerState::Paused ? tr("Go on tuning")
                   : target.canMeasure
                       ? tr("Tune this rung at this size, or go on where it was left")
                       : tr("Tuning needs a GPU"));
  const bool canStart = target.canMeasure && target.wrong.isEmpty();
  m_go->setEnabled(active ? m_state != TunerState::Preparing : canStart);
  m_stop->setEnabled(active);
  // Only where there is a run of this rung and size that could be gone on with instead.
  m_anew->setVisible(!active && here && canStart && status.progress.jobs > 0);
  m_budget->setEnabled(!active && target.canMeasure);
  m_knobs->setEnabled(!active);

  const QString words = wordsOf(target, status, here);
  m_words->setText(words);
  QString all = words;
  if (m_state == TunerState::Done && here && status.tied.size() > 1) {
    all = tr("Cannot be told apart:");
    for (const TileShape& t : status.tied) all += u'\n' + figures::tileText(status.stage, t);
  }
  m_words->setToolTip(all);
  const bool wrong = !active && !target.wrong.isEmpty();
  setInk(*m_words, wrong || (here && m_state == TunerState::Failed) ? Ink::Trouble : Ink::Soft);

  // What a click would take: the winner, the best so far, or what an earlier run found.
  std::optional<TileShape> offer;
  if (here && m_state == TunerState::Done && !status.tied.empty()) {
    offer = status.tied.front();
  } else if (here && m_state == TunerState::Paused) {
    offer = status.best;
  } else if (!active) {
    offer = target.known;
  }
  m_take->setVisible(offer && !(*offer == target.tile));
  m_takeStage = target.stage;
  if (offer) m_takeTile = *offer;

  FunnelBar::Steps steps;
  if ((here || active) && status.funnel.generated > 0) {
    const tuning::Funnel& f = status.funnel;
    steps = {f.generated, f.legal, f.compiled - std::min(f.compiled, f.spilling), f.timed};
  } else if (target.space) {
    steps = {target.space->first, target.space->second, std::nullopt, std::nullopt};
  }
  m_funnel->setSteps(steps);
  // Where nothing can be timed the words say it all, and the map needs the room.
  m_funnel->setVisible(target.canMeasure || active);
}

}  // namespace tileloom
