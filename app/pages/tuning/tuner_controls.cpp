// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/tuning/tuner_controls.h"

#include "app/commands/knob_lists.h"
#include "app/services/services.h"
#include "viz/panels/tuner_row.h"

namespace tileloom {
namespace {

// What the person wants searched of this rung.
tl::expected<std::vector<tuning::KnobValues>, std::string> listedIn(const TunerRow& row,
                                                                    const Stage& stage) {
  std::vector<std::string> texts;
  for (const QString& text : row.knobs().split(QLatin1Char(' '), Qt::SkipEmptyParts))
    texts.push_back(text.toStdString());
  return app::parseKnobLists(stage, texts);
}

}  // namespace

TunerControls::TunerControls(Services& services, TunerRow& row, QObject* parent)
    : QObject(parent), m_services(services), m_row(row) {
  Tuner& tuner = services.tuner;
  Lab& lab = services.lab;
  connect(&tuner, &Tuner::changed, this, [this, &tuner, &lab] {
    lab.lend(tuner.hasGpu());
    show();
  });
  connect(&tuner, &Tuner::surveyed, this, &TunerControls::show);
  connect(&tuner, &Tuner::bestChanged, this, &TunerControls::show);
  connect(&tuner, &Tuner::ended, &lab,
          [&lab](const std::vector<runs::RunRecord>& runs) { lab.take(runs); });
  connect(&lab, &Lab::workerStatusChanged, this, &TunerControls::show);
  connect(&services.explorer, &Explorer::choiceChanged, this, &TunerControls::show);

  connect(&row, &TunerRow::knobsChanged, this, &TunerControls::show);
  connect(&row, &TunerRow::startAsked, this,
          [this](double seconds) { start(seconds, Tuner::Begin::GoOn); });
  connect(&row, &TunerRow::anewAsked, this,
          [this](double seconds) { start(seconds, Tuner::Begin::Anew); });
  connect(&row, &TunerRow::pauseAsked, &tuner, &Tuner::pause);
  connect(&row, &TunerRow::resumeAsked, &tuner, &Tuner::resume);
  connect(&row, &TunerRow::stopAsked, &tuner, &Tuner::stop);
  connect(&row, &TunerRow::taken, &services.explorer,
          [&services](const Stage* stage, const TileShape& tile) {
            services.explorer.setStage(*stage);
            services.explorer.setTile(tile);
          });
}

void TunerControls::show() {
  if (!m_shown()) return;
  const Explorer& explorer = m_services.explorer;
  TunerRow::Target target;
  target.stage = &explorer.stage();
  target.problem = explorer.problem();
  target.tile = explorer.tile();
  target.canMeasure = m_services.lab.canMeasure();
  if (const auto listed = listedIn(m_row, explorer.stage()); !listed) {
    target.wrong = tr("%1.").arg(QString::fromStdString(listed.error()));
  } else if (const auto counted =
                 m_services.tuner.survey(explorer.stage(), m_services.lab.arch(), *listed)) {
    target.space = {counted->generated, counted->legal};
    if (counted->legal == 0)
      target.wrong = tr("No tile with these values is legal: list others, or leave one out.");
  }
  if (const auto best =
          m_services.tuner.bestOf(explorer.stage(), explorer.problem(), explorer.arithmetic())) {
    target.known = best->run.tile;
    target.knownText = QString::fromStdString(tunedText(*best));
  }
  m_row.show(target, m_services.tuner.status());
}

void TunerControls::start(double budgetSeconds, Tuner::Begin begin) {
  const Explorer& explorer = m_services.explorer;
  auto listed = listedIn(m_row, explorer.stage());
  if (!listed) return;  // the row says so
  tuning::TuneRequest request;
  request.space.listed = std::move(*listed);
  request.stage = &explorer.stage();
  request.arithmetic = explorer.arithmetic();
  request.problem = explorer.problem();
  request.search.budgetSeconds = budgetSeconds;
  m_services.tuner.start(std::move(request), begin);
}

}  // namespace tileloom
