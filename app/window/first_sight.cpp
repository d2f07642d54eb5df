// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/first_sight.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/lecture/lecture_files.h"
#include "app/window/layouts.h"
#include "app/window/lecture_mode.h"
#include "app/window/main_window.h"
#include "app/window/settings.h"
#include "app/window/sight.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {
namespace {

constexpr const char* kSeen = "first sight/seen";

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::FirstSight)
};

// A line above everything. It goes once it is answered, and is not there the next time.
void offerTour(MainWindow& window) {
  auto* bar = new QWidget;
  bar->setObjectName(QStringLiteral("tourOffer"));
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 4, 8, 4);
  row->addWidget(new QLabel(Words::tr("New here?")));
  auto* show = new QPushButton(Words::tr("Show me around (two minutes)"));
  show->setObjectName(QStringLiteral("tourShow"));
  auto* no = new QPushButton(Words::tr("No, thank you"));
  no->setObjectName(QStringLiteral("tourNo"));
  for (QPushButton* button : {show, no}) {
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
    // Later, for it is the bar's own button.
    QObject::connect(button, &QPushButton::clicked, bar, [bar] { bar->deleteLater(); });
  }
  row->addWidget(new QLabel(Words::tr("It stays in the menu Lecture.")), 1);
  // Whoever has found the lectures by themselves is not asked any more.
  QObject::connect(&window.lecture(), &LectureMode::stepShown, bar, [bar, &window] {
    window.view<LoomView>()->setHinted(false);
    bar->deleteLater();
  });
  QObject::connect(show, &QPushButton::clicked, &window, [&window] {
    window.lecture().openNamed(
        QString::fromUtf8(lecture::kShowMeAround.data(), lecture::kShowMeAround.size()));
  });
  static_cast<QVBoxLayout*>(window.centralWidget()->layout())->insertWidget(0, bar);
  bar->show();
}

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
  offerTour(window);
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
