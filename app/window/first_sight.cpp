// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/first_sight.h"

#include "app/window/layouts.h"
#include "app/window/main_window.h"
#include "app/window/settings.h"
#include "app/window/sight.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {
namespace {

constexpr const char* kSeen = "first sight/seen";

}  // namespace

bool isFirstSight(const Settings& settings) {
  return !settings.flag(kSeen).value_or(false);
}

void explainTheLoom(MainWindow& window) {
  auto* loom = window.view<LoomView>();
  loom->zoomTo(LoomLevel::Block, false);
  loom->setHinted(true);
}

void beginFirstSight(MainWindow& window) {
  window.layouts().setFolded(true);
  window.view<TransportBar>()->setPace(Pace::Tile8);
  explainTheLoom(window);
  QObject::connect(window.view<LoomView>(), &LoomView::hintsPutAway, &window,
                   [] { Settings().set(kSeen, true); });
  // From where the recording is opened on, once there is one.
  Explorer& explorer = window.explorer();
  const auto play = [&window, &explorer] {
    if (!window.sight().reducedMotion()) explorer.setPlaying(true);
  };
  if (explorer.scene().ready()) return play();
  QObject::connect(
      &explorer, &Explorer::recordingChanged, &window, play,
      static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

}  // namespace tileloom
