// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/tuning/tuner_controls.h"

#include <algorithm>
#include <utility>

#include "app/commands/common/parameter_lists.h"
#include "app/services/services.h"
#include "viz/panels/tuner_row.h"

namespace tileloom {
namespace {

// What the user wants to search of these rungs.
tl::expected<std::vector<tuning::ParameterValues>, std::string> listedIn(
    const TunerRow& row, std::span<const Stage* const> stages) {
  std::vector<std::string> texts;
  for (const QString& text : row.parameters().split(QLatin1Char(' '), Qt::SkipEmptyParts))
    texts.push_back(text.toStdString());
  return app::parseParameterLists(stages, texts);
}

// Over all of these rungs; std::nullopt: some are not counted yet, and Tuner::surveyed follows.
std::optional<Tuner::Survey> surveyOf(Tuner& tuner, std::span<const Stage* const> stages,
                                      const Architecture& arch,
                                      const std::vector<tuning::ParameterValues>& listed) {
  std::optional<Tuner::Survey> sum = Tuner::Survey{};
  for (const Stage* stage : stages) {
    const auto one = tuner.survey(*stage, arch, tuning::optionsFor(*stage, {false, listed}).listed);
    if (!one)
      sum.reset();  // but counts the others as well
    else if (sum)
      sum = Tuner::Survey{sum->generated + one->generated, sum->legal + one->legal};
  }
  return sum;
}

// The fastest tile tuned for this size, else one tuned for a size near it.
std::optional<tuning::BestTile> bestOf(const Tuner& tuner, std::span<const Stage* const> stages,
                                       const Problem& problem, Format format) {
  std::optional<tuning::BestTile> best;
  const auto rank = [&](const tuning::BestTile& tile) {
    return std::pair(tile.run.problem == problem, tile.run.gflops.median);
  };
  for (const Stage* stage : stages) {
    auto its = tuner.bestOf(*stage, problem, format);
    if (its && (!best || rank(*its) > rank(*best))) best = std::move(its);
  }
  return best;
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

  connect(&row, &TunerRow::rungsChanged, this, &TunerControls::show);
  connect(&row, &TunerRow::parametersChanged, this, &TunerControls::show);
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
  target.subject() = {&explorer.stage(), explorer.tile(), explorer.format()};
  target.problem = explorer.problem();
  target.canMeasure = m_services.lab.canMeasure();
  const auto stages = m_row.stagesWith(explorer.stage());
  if (const auto listed = listedIn(m_row, stages); !listed) {
    target.wrong = tr("%1.").arg(QString::fromStdString(listed.error()));
  } else if (const auto counted =
                 surveyOf(m_services.tuner, stages, m_services.lab.arch(), *listed)) {
    target.space = {counted->generated, counted->legal};
    if (counted->legal == 0)
      target.wrong = tr("No tile with these values is legal: list others, or leave one out.");
  }
  if (const auto best = bestOf(m_services.tuner, stages, explorer.problem(), explorer.format())) {
    const auto its = std::ranges::find(stages, best->run.stage, &Stage::id);
    if (its != stages.end()) target.known = Subject{*its, best->run.tile, best->run.format};
    target.knownText = QString::fromStdString(tunedText(*best));
  }
  m_row.show(target, m_services.tuner.status());
}

void TunerControls::start(double budgetSeconds, Tuner::Begin begin) {
  const Explorer& explorer = m_services.explorer;
  const auto stages = m_row.stagesWith(explorer.stage());
  auto listed = listedIn(m_row, stages);
  if (!listed) return;  // the row says so
  tuning::TuneRequest request;
  request.space.listed = std::move(*listed);
  request.stages = stages;
  request.format = explorer.format();
  request.problem = explorer.problem();
  request.search.budgetSeconds = budgetSeconds;
  m_services.tuner.start(std::move(request), begin);
}

}  // namespace tileloom
