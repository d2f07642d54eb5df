// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/grand_tour.h"

#include <QApplication>
#include <algorithm>
#include <array>

#include "app/session/page_ids.h"
#include "kernels/tile/constraints.h"

namespace tileloom::app {
namespace {

constexpr std::array kSizes = {Problem{4096, 4096, 4096}, Problem{512, 768, 256},
                               Problem{1000, 3000, 500}};

// The tile with another value of the first tile parameter that has one.
TileShape another(const Stage& stage, const TileShape& tile) {
  for (const ParameterSpec& spec : stage.parameters) {
    for (const int value : legalValues(stage, tile, spec.parameter)) {
      if (value != tile[spec.parameter]) return tile.with(spec.parameter, value);
    }
  }
  return tile;
}

}  // namespace

GrandTour::GrandTour(MainWindow& window) : m_window(window) {
  connect(&window.explorer(), &Explorer::recordingChanged, this, &GrandTour::note);
  connect(&window.explorer(), &Explorer::baselineChanged, this, &GrandTour::note);
  note(window.explorer().scene());
}

int GrandTour::stops() const {
  return static_cast<int>(std::max(everyStage().size(), kTabIds.size()));
}

void GrandTour::visit(int round, int stop) {
  Explorer& explorer = m_window.explorer();
  const auto at = [&](int n, std::size_t count) { return static_cast<std::size_t>(n) % count; };
  const Stage& stage = *everyStage()[at(stop, everyStage().size())];
  explorer.setProblem(kSizes[at(round + stop, kSizes.size())]);
  explorer.setStage(stage);
  settle();
  constexpr int kPagesFurther = 7;  // so that rounds combine rungs and pages in other pairs
  m_window.showPage(kTabIds[at(stop + round * kPagesFurther, kTabIds.size())]);
  settle();
  if (stop % 4 == 0) explorer.pinThis();
  explorer.setTile(another(stage, explorer.tile()));
  settle();
  if (stop % 4 == 2) explorer.pin(std::nullopt);
}

void GrandTour::visitAll(int round) {
  for (int stop = 0; stop < stops(); ++stop) visit(round, stop);
}

int GrandTour::recordingsAlive() {
  std::erase_if(m_seen, [](const auto& recording) { return recording.expired(); });
  return static_cast<int>(m_seen.size());
}

void GrandTour::note(const Scene& scene) {
  if (scene.recording == nullptr) return;
  for (const auto& seen : m_seen) {
    if (seen.lock() == scene.recording) return;
  }
  recordingsAlive();
  m_seen.emplace_back(scene.recording);
  ++m_made;
}

void GrandTour::settle() {
  constexpr int kLookMs = 50;
  do {
    QApplication::processEvents(QEventLoop::AllEvents, kLookMs);
  } while (m_window.explorer().busy() || m_window.services().timeline.pending());
  QApplication::processEvents();
  // Deletes what the window has scheduled for deletion, as its event loop would.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

}  // namespace tileloom::app
