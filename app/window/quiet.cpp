// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/quiet.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTimer>

#include "app/services/services.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/tile_panel.h"
#include "app/window/window.h"

namespace tileloom {
namespace {

bool isAnswered(Window& window) {
  const LectureMode& lecture = window.lecture();
  return (!lecture.active() || lecture.settled()) && !window.services().explorer.busy() &&
         !window.services().lab.settling() && !window.services().totals.busy() &&
         !window.services().missed.busy() && !window.services().tuner.surveying() &&
         !window.view<TilePanel>()->explaining();
}

void turn() {
  QEventLoop loop;
  QTimer::singleShot(10, &loop, &QEventLoop::quit);
  loop.exec();
}

// Events that follow without waiting: layouts, scrolling, deferred charts. Animations would go on
// for ever.
void drain() {
  constexpr int kMost = 100;
  QEventLoop loop;
  for (int turns = 0; turns < kMost && loop.processEvents(); ++turns) {
  }
}

}  // namespace

bool waitUntilQuiet(Window& window, int most) {
  const QDeadlineTimer patience(most);
  do {
    while (!isAnswered(window)) {
      if (patience.hasExpired()) return false;
      turn();
    }
    if (Page* page = window.page(window.currentPage())) {
      page->prepare();
      page->pose();
    }
    window.middle().awaitTime();
    drain();
  } while (!isAnswered(window));
  window.lecture().marks().settle();
  return true;
}

}  // namespace tileloom
