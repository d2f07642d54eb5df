// SPDX-License-Identifier: GPL-3.0-or-later
// The real window on the offscreen platform, shown and with its first recording.
#pragma once

#include <QSpinBox>
#include <QtTest>

#include "app/session/page_ids.h"
#include "app/window/application.h"
#include "app/window/files/session_files.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/sight.h"
#include "app/window/frame/window_pictures.h"
#include "app/window/main_window.h"
#include "kernels/analysis/recording.h"
#include "tests/support/patience.h"
#include "tests/support/pointer.h"
#include "tests/support/text.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/bank_view.h"
#include "viz/panels/ladder_list.h"
#include "viz/panels/parameter_panel.h"
#include "viz/panels/parameter_slider.h"
#include "viz/panels/transport_bar.h"

namespace tileloom::test {

class OpenWindow {
 public:
  // Shows the window and waits; ready() says whether it is shown and its scene is ready.
  explicit OpenWindow(const QSize& size = {1600, 1000}) {
    window.resize(size);
    window.show();
    ready_ = QTest::qWaitForWindowActive(&window) &&
             QTest::qWaitFor([this] { return scene().ready(); }, kPatience);
    window.view<LoomView>()->setFocus();
  }
  bool ready() const { return ready_; }

  Explorer& explorer() { return window.explorer(); }
  const Scene& scene() { return window.explorer().scene(); }
  const analysis::Recording& recording() { return *scene().recording; }

  // Waits until the shown recording is the one that the explorer's stage, tile and size ask for.
  bool settled() {
    return QTest::qWaitFor(
        [this] {
          const auto& trace = recording().trace;
          return !scene().stale && trace.rung() == &explorer().stage() &&
                 trace.tile == explorer().tile() && trace.asked == explorer().problem();
        },
        kPatience);
  }
  bool pick(const Stage& stage) {
    LadderList& list = *window.view<LadderList>();
    clickAt(*list.viewport(), list.visualItemRect(list.item(stage.rung - 1)).center());
    return &explorer().stage() == &stage && settled();
  }

  // A key, typed wherever the focus is.
  void key(Qt::Key code) {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : &window, code);
  }

  // Replaces the text of a spin box and presses Return.
  static void type(QSpinBox& box, int value) {
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QString::number(value));
    QTest::keyClick(&box, Qt::Key_Return);
  }

  MainWindow window;

 private:
  bool ready_ = false;
};

}  // namespace tileloom::test
