// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/tuner_row.h"
#include "kernels/tile/subject.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "kernels/tile/words.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/choice_box.h"
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

// Stays open while boxes are checked, because several may be.
class BoxMenu : public QMenu {
 public:
  using QMenu::QMenu;

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (!check(actionAt(event->pos()))) QMenu::mouseReleaseEvent(event);
  }
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() != Qt::Key_Space || !check(activeAction())) QMenu::keyPressEvent(event);
  }

 private:
  static bool check(QAction* action) {
    if (action == nullptr || !action->isCheckable() || !action->isEnabled()) return false;
    action->trigger();
    return true;
  }
};

QString rungsText(const std::vector<const Stage*>& stages) {
  constexpr std::size_t kNamed = 4;
  if (stages.size() > kNamed) return TunerRow::tr("%1 rungs").arg(stages.size());
  QStringList rungs;
  for (const Stage* stage : stages) rungs << figures::rungText(*stage);
  return TunerRow::tr("rungs %1").arg(rungs.join(QStringLiteral(", ")));
}

bool several(const TunerStatus& status) {
  return status.stages.size() > 1;
}

QString tileText(const TunerStatus& status, const Subject& of) {
  const QString text = figures::tileText(of.rung(), of.tile);
  return several(status) ? TunerRow::tr("rung %1: %2").arg(figures::rungText(*of.rung()), text)
                         : text;
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
                  tr("Stop tuning; Start or the command line continues from there"));
  m_anew = button(QStringLiteral("tunerAnew"), tr("Restart"),
                  tr("Measure everything again; the file of this run is set aside"));
  m_rungs = button(QStringLiteral("tunerRungs"), tr("this rung"),
                   tr("Which rungs to search: with several, the search also finds the fastest "
                      "rung. Each choice is a separate run"));
  m_rungs->setPopupMode(QToolButton::InstantPopup);
  m_rungMenu = new BoxMenu(m_rungs);
  m_rungs->setMenu(m_rungMenu);
  m_budget = new ChoiceBox;
  m_budget->setObjectName(QStringLiteral("tunerBudget"));
  m_budget->setAccessibleName(tr("How long to tune"));
  m_budget->setToolTip(tr("How long to tune; each choice is a separate run"));
  m_budget->setFocusPolicy(Qt::TabFocus);
  for (const int minutes : {0, 1, 5, 15})
    m_budget->addItem(minutes == 0 ? tr("no limit") : tr("%1 min").arg(minutes), 60.0 * minutes);
  m_parameters = new QLineEdit;
  m_parameters->setObjectName(QStringLiteral("tunerKnobs"));
  m_parameters->setPlaceholderText(tr("all values"));
  m_parameters->setAccessibleName(tr("Values to search"));
  m_parameters->setToolTip(
      tr("Which values to search, such as BM=64,128 BK=8,16; other parameters take all powers of "
         "two. Each choice is a separate run"));
  m_parameters->setClearButtonEnabled(true);
  m_parameters->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  m_words = new ElidedLabel;
  m_words->setObjectName(QStringLiteral("tunerWords"));
  m_take = button(QStringLiteral("tunerTake"), tr("Use this tile"),
                  tr("Set the tile parameters to this tile"));
  row->addWidget(m_go);
  row->addWidget(m_stop);
  row->addWidget(m_anew);
  row->addWidget(m_rungs);
  row->addWidget(m_budget);
  row->addWidget(m_parameters);
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
  connect(m_parameters, &QLineEdit::textChanged, this, &TunerRow::parametersChanged);
  connect(m_stop, &QToolButton::clicked, this, &TunerRow::stopAsked);
  connect(m_anew, &QToolButton::clicked, this, [this] { emit anewAsked(budgetSeconds()); });
  connect(m_take, &QToolButton::clicked, this, [this] {
    const Subject offered = m_offer;  // a new rung replaces the offer during the signal
    emit taken(offered.rung(), offered.tile);
  });
}

std::vector<const Stage*> TunerRow::stagesWith(const Stage& shown) const {
  if (std::ranges::find(m_chosen, &shown) != m_chosen.end()) return m_chosen;
  return {&shown};
}

void TunerRow::choose(const Stage& rung, bool wanted) {
  m_chosen = stagesWith(*m_shown);
  std::erase(m_chosen, &rung);
  if (wanted) m_chosen.push_back(&rung);
  std::ranges::sort(m_chosen, {}, &Stage::rung);
  emit rungsChanged();
}

// A check box per rung of the ladder; the shown one is always searched.
void TunerRow::showRungs(const Target& target) {
  const auto chosen = stagesWith(*target.rung());
  m_rungs->setText(chosen.size() == 1 ? tr("this rung") : rungsText(chosen));
  m_rungs->setAccessibleName(tr("Rungs to search: %1").arg(m_rungs->text()));
  const auto ladder = ladderOf(*target.rung());
  const bool other = m_shown == nullptr || m_shown->ladder != target.rung()->ladder;
  m_shown = target.rung();
  if (other) {
    m_rungMenu->clear();
    for (const Stage& rung : ladder) {
      QAction* box = m_rungMenu->addAction(figures::stageText(&rung));
      box->setCheckable(true);
      connect(box, &QAction::triggered, this, [this, &rung](bool wanted) { choose(rung, wanted); });
    }
  }
  const QList<QAction*> boxes = m_rungMenu->actions();
  for (std::size_t i = 0; i < ladder.size(); ++i) {
    const Stage& rung = ladder[i];
    const bool calculates = rung.calculatesIn(target.format);
    QAction& box = *boxes[static_cast<qsizetype>(i)];
    box.setChecked(std::ranges::find(chosen, &rung) != chosen.end());
    box.setEnabled(&rung != target.rung() && calculates);
  }
}

double TunerRow::budgetSeconds() const {
  return m_budget->currentData().toDouble();
}

QString TunerRow::parameters() const {
  return m_parameters->text().simplified();
}

QString TunerRow::text() const {
  return m_words->text();
}

QString TunerRow::wordsOf(const Target& target, const TunerStatus& status, bool here) const {
  const auto tile = [&status](const Subject& of) { return tileText(status, of); };
  const tuning::SearchProgress& p = status.progress;
  QString of;  // another rung or size than the shown one
  if (!here && status.active()) {
    of = tr("%1, %2: ")
             .arg(several(status) ? rungsText(status.stages) : toQString(status.stages[0]->title),
                  QString::fromStdString(toString(status.problem)));
  }
  switch (status.state) {
    case TunerState::Preparing:
      return of + tr("counting the legal tiles");
    case TunerState::Running:
    case TunerState::Paused: {
      QString line = status.state == TunerState::Paused ? of + tr("paused; ") : of;
      line += tr("%1: %2 measured").arg(toQString(name(p.phase))).arg(p.timed);
      // What does not fit is cut off at the end, so the tile comes last.
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
                               ? tr("too noisy to name a winner; first: %1").arg(first)
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
    return tr("stopped after %1 measurements: Start continues from there").arg(p.jobs);
  if (target.known) {
    return tr("%1: %2").arg(
        target.knownText,
        target.known->rung() == target.rung()
            ? figures::tileText(target.rung(), target.known->tile)
            : tr("rung %1: %2")
                  .arg(figures::rungText(*target.known->rung()),
                       figures::tileText(target.known->rung(), target.known->tile)));
  }
  return stagesWith(*target.rung()).size() == 1
             ? tr("finds the fastest of the legal tiles on this GPU")
             : tr("finds the fastest rung and tile on this GPU");
}

void TunerRow::show(const Target& target, const TunerStatus& status) {
  m_state = status.state;
  showRungs(target);
  const bool here = status.stages == stagesWith(*target.rung()) && status.problem == target.problem;
  const bool active = status.active();
  m_go->setText(m_state == TunerState::Running  ? tr("Pause")
                : m_state == TunerState::Paused ? tr("Resume")
                                                : tr("Start"));
  m_go->setAccessibleName(m_go->text());
  m_go->setToolTip(m_state == TunerState::Running
                       ? tr("Pause after the running measurement; the shown tile is measured again")
                   : m_state == TunerState::Paused ? tr("Resume tuning")
                   : target.canMeasure ? tr("Tune at this size, or continue a stopped run")
                                       : tr("Tuning needs a GPU"));
  const bool canStart = target.canMeasure && target.wrong.isEmpty();
  m_go->setEnabled(active ? m_state != TunerState::Preparing : canStart);
  m_stop->setEnabled(active);
  // Only if there is a run of this rung and size that Start would continue.
  m_anew->setVisible(!active && here && canStart && status.progress.jobs > 0);
  m_rungs->setEnabled(!active);
  m_budget->setEnabled(!active && target.canMeasure);
  m_parameters->setEnabled(!active);

  const QString words = wordsOf(target, status, here);
  m_words->setText(words);
  QString all = words;
  if (m_state == TunerState::Done && here && status.tied.size() > 1) {
    all = tr("Indistinguishable:");
    for (const Subject& of : status.tied) all += u'\n' + tileText(status, of);
  }
  m_words->setToolTip(all);
  const bool wrong = !active && !target.wrong.isEmpty();
  setInk(*m_words, wrong || (here && m_state == TunerState::Failed) ? Ink::Trouble : Ink::Soft);

  // The tile for a click: the winner, the best so far, or that of an earlier run.
  std::optional<Subject> offer;
  if (here && m_state == TunerState::Done && !status.tied.empty()) {
    offer = status.tied.front();
  } else if (here && m_state == TunerState::Paused) {
    offer = status.best;
  } else if (!active) {
    offer = target.known;
  }
  m_take->setVisible(offer && *offer != target.subject());
  if (offer) m_offer = *offer;

  FunnelBar::Steps steps;
  if ((here || active) && status.funnel.generated > 0) {
    const tuning::Funnel& f = status.funnel;
    steps = {f.generated, f.legal, f.compiled - std::min(f.compiled, f.spilling), f.timed};
  } else if (target.space) {
    steps = {target.space->first, target.space->second, std::nullopt, std::nullopt};
  }
  m_funnel->setSteps(steps);
  // Without a GPU to measure the words suffice, and the map needs the room.
  m_funnel->setVisible(target.canMeasure || active);
}

}  // namespace tileloom
