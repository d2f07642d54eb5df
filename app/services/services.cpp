// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/services.h"

#include "kernels/analysis/recording.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/best.h"

namespace tileloom {
namespace {

// Ceilings are kept beside the runs.
std::filesystem::path ceilingFile(const Lab& lab) {
  std::filesystem::path file = lab.runFile();
  if (!file.empty()) file.replace_filename(model::defaultCeilingFile().filename());
  return file;
}

TuneFiles tuneFiles(const Lab& lab) {
  TuneFiles files;
  if (!lab.runFile().empty()) {
    files.history = lab.runFile();
    files.best = tuning::defaultBestFile();
  }
  return files;
}

}  // namespace

Services::Services(LabSetup setup)
    : lab(std::move(setup)),
      listings(lab),
      timeline(lab),
      ceilings(lab.client(), ceilingFile(lab)),
      tuner(lab.client(), tuneFiles(lab)) {}

void Services::start() {
  QObject::connect(&lab, &Lab::leftUnforetold, &missed,
                   [this](int point, const KernelFacts& kernel) {
                     if (m_chosen) missed.add(point, *m_chosen, kernel);
                   });
  QObject::connect(&missed, &MissedForecasts::foretold, &lab,
                   [this](int point, const std::optional<Forecast>& forecast) {
                     lab.foretell(point, forecast);
                   });
  QObject::connect(&explorer, &Explorer::choiceChanged, &lab, [this](bool legal) {
    lab.setHalves(explorer.halves());
    if (legal) {
      follow();
    } else {
      lab.rest();
    }
  });
  // The explorer made its choice before any slot was connected.
  lab.setHalves(explorer.halves());
  follow();
}

void Services::follow() {
  lab.choose({&explorer.stage(), explorer.tile(), explorer.format()}, explorer.problem());
  m_chosen = Explorer::requestFor(explorer.stage(), explorer.tile(), explorer.state());
}

Subject presentPlace(const Explorer& explorer) {
  return {&explorer.stage(), explorer.tile(), explorer.format()};
}

const analysis::Recording* presentRecording(const Services& services) {
  const auto& recording = services.explorer.scene().recording;
  if (recording == nullptr) return nullptr;
  const emulator::Trace& trace = recording->trace;
  const bool present =
      trace.subject() == services.lab.place() && trace.asked == services.lab.problem();
  return present ? recording.get() : nullptr;
}

}  // namespace tileloom
