// SPDX-License-Identifier: GPL-3.0-or-later
// The window's tuning tab: what it shows of the present rung, what a click there does, and its
// tuner.
#include <QAction>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/commands/knob_lists.h"
#include "app/pages/tuning/tuning_view.h"
#include "app/services/tuner.h"
#include "app/window/main_window.h"
#include "viz/base/text.h"
#include "viz/panels/tuner_row.h"

namespace tileloom {
namespace {

constexpr int kMapMs = 400;

// What the person wants searched of this rung.
tl::expected<std::vector<tuning::KnobValues>, std::string> listedIn(const TunerRow& row,
                                                                    const Stage& stage) {
  std::vector<std::string> texts;
  for (const QString& text : row.knobs().split(QLatin1Char(' '), Qt::SkipEmptyParts))
    texts.push_back(text.toStdString());
  return app::parseKnobLists(stage, texts);
}

}  // namespace

void MainWindow::connectTuning() {
  connect(m_tuning, &TuningView::picked, this,
          [this](const TileShape& tile) { m_explorer.setTile(tile); });
  // What is not in sight is not looked up.
  const auto refresh = [this] {
    if (currentTab() == LowerTab::Tuning) showTuning();
  };
  connect(m_lower, &QTabWidget::currentChanged, this, refresh);
  connect(&m_lab, &Lab::historyChanged, this, refresh);
  connect(&m_lab, &Lab::standingChanged, this, refresh);
  connect(&m_explorer, &Explorer::choiceChanged, this, refresh);

  TuneFiles files;
  if (!m_lab.runFile().empty()) {
    files.history = m_lab.runFile();
    files.best = tuning::defaultBestFile();
  }
  m_tuner = new Tuner(m_lab.client(), files, this);
  auto* const tuner = m_tuner;
  auto* row = new TunerRow;
  m_tuning->column()->insertWidget(1, row);
  auto* take = findChild<QAction*>(QStringLiteral("takeTuned"));
  const auto show = [this, tuner, row, take] {
    const auto best = tuner->bestOf(m_explorer.stage(), m_explorer.problem());
    take->setEnabled(best && !(best->run.tile == m_explorer.tile()));
    if (currentTab() != LowerTab::Tuning) return;
    TunerRow::Target target{&m_explorer.stage(),
                            m_explorer.problem(),
                            m_explorer.tile(),
                            m_lab.canMeasure(),
                            {},
                            {},
                            {},
                            {}};
    if (const auto listed = listedIn(*row, m_explorer.stage()); !listed) {
      target.wrong = tr("%1.").arg(QString::fromStdString(listed.error()));
    } else if (const auto counted = tuner->survey(m_explorer.stage(), m_lab.arch(), *listed)) {
      target.space = {counted->generated, counted->legal};
      if (counted->legal == 0)
        target.wrong = tr("No tile with these values is legal: list others, or leave one out.");
    }
    if (best) {
      target.known = best->run.tile;
      target.knownText = QString::fromStdString(tunedText(*best));
    }
    row->show(target, tuner->status());
  };
  connect(tuner, &Tuner::changed, this, [this, tuner, show] {
    m_lab.lend(tuner->hasGpu());
    show();
  });
  connect(tuner, &Tuner::surveyed, this, show);
  connect(row, &TunerRow::knobsChanged, this, show);
  connect(tuner, &Tuner::bestChanged, this, show);
  connect(m_lower, &QTabWidget::currentChanged, this, show);
  connect(&m_lab, &Lab::standingChanged, this, show);
  connect(&m_explorer, &Explorer::choiceChanged, this, show);
  connect(tuner, &Tuner::ended, this,
          [this](const std::vector<runs::RunRecord>& runs) { m_lab.take(runs); });
  // The map fills while the tuner measures, as often as an eye follows it.
  auto* due = new QTimer(this);
  due->setSingleShot(true);
  due->setInterval(kMapMs);
  connect(due, &QTimer::timeout, this, [this, tuner, refresh] {
    refresh();
    // Once a run: theirs is the device to look at, whichever has more recordings.
    if (tuner->measured().size() > 0 && m_tunedOn != tuner->runs()) {
      m_tunedOn = tuner->runs();
      TuningChoice choice = m_tuning->choice();
      choice.device = tuner->measured().front().device;
      choice.others = tuning::Others::Best;  // few of its tiles differ in two knobs alone
      m_tuning->choose(choice);
    }
  });
  connect(tuner, &Tuner::tileMeasured, due, [due] {
    if (!due->isActive()) due->start();
  });
  const auto start = [this, tuner, row](double budgetSeconds, Tuner::Begin begin) {
    auto listed = listedIn(*row, m_explorer.stage());
    if (!listed) return;  // the row says so
    tuning::TuneRequest request;
    request.space.listed = std::move(*listed);
    request.stage = &m_explorer.stage();
    request.problem = m_explorer.problem();
    request.search.budgetSeconds = budgetSeconds;
    tuner->start(std::move(request), begin);
  };
  connect(row, &TunerRow::startAsked, this,
          [start](double budgetSeconds) { start(budgetSeconds, Tuner::Begin::GoOn); });
  connect(row, &TunerRow::anewAsked, this,
          [start](double budgetSeconds) { start(budgetSeconds, Tuner::Begin::Anew); });
  connect(row, &TunerRow::pauseAsked, tuner, &Tuner::pause);
  connect(row, &TunerRow::resumeAsked, tuner, &Tuner::resume);
  connect(row, &TunerRow::stopAsked, tuner, &Tuner::stop);
  connect(row, &TunerRow::taken, this, [this](const Stage* stage, const TileShape& tile) {
    m_explorer.setStage(*stage);
    m_explorer.setTile(tile);
  });
  connect(take, &QAction::triggered, this, [this, tuner] {
    if (const auto best = tuner->bestOf(m_explorer.stage(), m_explorer.problem()))
      m_explorer.setTile(best->run.tile);
  });
  take->setEnabled(false);
}

void MainWindow::showTuning() {
  TuningView::Known known{m_lab.runs()};
  known.revision = known.runs.size();
  for (const runs::RunRecord& run : m_tuner->measured()) known.runs.push_back(&run);
  known.revision += m_tuner->measurements() << 32;
  m_tuning->show(m_explorer.stage(), m_explorer.tile(), m_explorer.problem(), m_lab.arch(), known);
}

Caption MainWindow::tuningCaption(Caption caption) const {
  caption.title = tr("Tiles of rung %1, %2, at %3")
                      .arg(m_explorer.stage().rung)
                      .arg(toQString(m_explorer.stage().title),
                           QString::fromStdString(toString(m_explorer.problem())));
  caption.shown = m_tuning->description();
  caption.origin = m_tuning->source();
  return caption;
}

}  // namespace tileloom
