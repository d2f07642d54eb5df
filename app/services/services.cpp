// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/services.h"

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
  QObject::connect(&explorer, &Explorer::choiceChanged, &lab, [this](bool legal) {
    lab.setHalves(explorer.halves());
    if (legal) {
      lab.choose(explorer.stage(), explorer.tile(), explorer.problem(), explorer.arithmetic());
    } else {
      lab.rest();
    }
  });
  // The explorer has chosen before anybody listened.
  lab.setHalves(explorer.halves());
  lab.choose(explorer.stage(), explorer.tile(), explorer.problem(), explorer.arithmetic());
}

Place presentPlace(const Explorer& explorer) {
  return {&explorer.stage(), explorer.tile(), explorer.arithmetic()};
}

Place pinnedPlace(const Explorer& explorer) {
  const auto& pinned = explorer.pinned();
  if (!pinned) return {};
  return {pinned->stage, pinned->tile, arithmeticOf(*pinned->stage, explorer.halves())};
}

}  // namespace tileloom
