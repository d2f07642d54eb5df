// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/first_sight.h"

#include <QEvent>
#include <QFileDialog>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <QWhatsThis>

#include "app/lecture/lecture_files.h"
#include "app/session/session_text.h"
#include "app/window/common/settings.h"
#include "app/window/common/tell.h"
#include "app/window/files/open_file.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/welcome_bar.h"
#include "app/window/window.h"
#include "viz/lecture/marks_layer.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {
namespace {

constexpr const char* kSeen = "first sight/seen";

void noteSeen() {
  Settings().set(kSeen, true);
}

void showAreas(Window& window, bool shown) {
  window.layouts().showPanel(SidePanel::Ladder, shown);
  window.layouts().showPanel(SidePanel::Tile, shown);
  window.layouts().showTime(shown);
  window.middle().showPages(shown);
}

// A ring around each area, with its number and its name.
void ringAreas(Window& window) {
  auto& marks = *window.view<MarksLayer>();
  std::vector<Mark> rings;
  for (std::size_t i = 0; i < std::size(kAreas); ++i) {
    Mark& ring = rings.emplace_back();
    ring.form = MarkForm::Ring;
    ring.target.thing = MarkTarget::Thing::Area;
    ring.target.text = kAreas[i];
    ring.text = WelcomeBar::areaName(i).toStdString();
  }
  marks.setMarks(std::move(rings));
  marks.show();
  marks.raise();
}

void end(Window& window, WelcomeBar& bar) {
  window.view<LoomView>()->setHinted(false);
  noteSeen();
  bar.setEnabled(false);
  bar.deleteLater();  // its own button may end it
}

// The notes explain whole matrices and one block tile. Closer views have a text.
bool hasHints(LoomLevel level) {
  return level == LoomLevel::Grid || level == LoomLevel::Block;
}

QString closeUpWords(LoomLevel level) {
  const QString paragraphs = QStringLiteral("<p><b>%1</b></p><p>%2</p><p>%3</p>");
  const QString title =
      level == LoomLevel::Warp ? WelcomeBar::tr("One warp") : WelcomeBar::tr("One thread");
  const QString words =
      level == LoomLevel::Warp
          ? WelcomeBar::tr(
                "The part of the block tile that one warp computes: 32 threads that run "
                "together. A number is that of a thread in its warp, its lane.")
          : WelcomeBar::tr(
                "The elements of C that one thread computes, and the values of A and B "
                "that it multiplies for them.");
  const QString zoom = WelcomeBar::tr("Keys 1 to 4 show the grid, a block, a warp and a thread.");
  return paragraphs.arg(title.toHtmlEscaped(), words.toHtmlEscaped(), zoom.toHtmlEscaped());
}

// The bar has the notes for which the loom has no room.
class NotesInBar : public QObject {
 public:
  NotesInBar(Window& window, WelcomeBar& bar)
      : QObject(&bar), m_loom(*window.view<LoomView>()), m_bar(bar) {
    m_loom.installEventFilter(this);
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &NotesInBar::show);
    connect(&m_loom, &LoomView::hintsPutAway, this, &NotesInBar::show);
    connect(&window.explorer(), &Explorer::sceneChanged, &m_soon, qOverload<>(&QTimer::start));
    m_soon.start();
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize) m_soon.start();
    return QObject::eventFilter(watched, event);
  }

 private:
  void show() { m_bar.setNotes(m_loom.hinted() ? m_loom.hintsWithoutRoom() : QString()); }

  LoomView& m_loom;
  WelcomeBar& m_bar;
  QTimer m_soon;
};

void welcome(Window& window) {
  auto* bar = new WelcomeBar;
  new NotesInBar(window, *bar);
  const auto tour = [&window, bar] {
    showAreas(window, true);  // shown after the tour
    end(window, *bar);
    window.lecture().openNamed(
        QString::fromUtf8(lecture::kShowMeAround.data(), lecture::kShowMeAround.size()),
        LectureMode::Manner::Learning, 0);
  };
  const auto kernel = [&window, bar] {
    window.view<LoomView>()->setHinted(false);
    noteSeen();
    showAreas(window, true);
    window.view<LoomView>()->zoomTo(LoomLevel::Block);
    bar->showAreas();
    ringAreas(window);
    window.view<LoomView>()->setFocus();
  };
  const auto open = [&window, bar] {
    const QString file =
        QFileDialog::getOpenFileName(&window.frame(), WelcomeBar::tr("Open a file"), {},
                                     WelcomeBar::tr("Sessions and lectures (*.%1 *.json);;All (*)")
                                         .arg(QLatin1String(kSessionSuffix)));
    if (file.isEmpty()) return;
    if (const QString problem = openFile(window, file); !problem.isEmpty())
      return tellProblem(window.frame(), WelcomeBar::tr("Open a file"), problem);
    showAreas(window, true);
    end(window, *bar);
  };
  QObject::connect(bar, &WelcomeBar::tourAsked, &window.frame(), tour);
  QObject::connect(bar, &WelcomeBar::kernelAsked, &window.frame(), kernel);
  QObject::connect(bar, &WelcomeBar::openAsked, &window.frame(), open);
  QObject::connect(bar, &WelcomeBar::closed, &window.frame(), [&window, bar] {
    auto& marks = *window.view<MarksLayer>();
    marks.setMarks({});
    marks.hide();
    end(window, *bar);
  });
  // A user who opens a lecture does not need the welcome bar. The marks then belong to the lecture.
  QObject::connect(&window.lecture(), &LectureMode::stepShown, bar,
                   [&window, bar] { end(window, *bar); });
  static_cast<QVBoxLayout*>(window.frame().centralWidget()->layout())->insertWidget(0, bar);
  bar->show();
  bar->findChild<QPushButton*>(QStringLiteral("welcomeTour"))->setFocus();
}

}  // namespace

bool inFirstSight(const Window& window) {
  const auto* bar = window.view<WelcomeBar>();
  return bar != nullptr && bar->isEnabled() && bar->asks();
}

bool isFirstSight(const Settings& settings) {
  return !settings.flag(kSeen).value_or(false);
}

void explainTheLoom(Window& window) {
  auto* loom = window.view<LoomView>();
  if (!hasHints(loom->level())) {
    const QPoint at(loom->width() / 4, loom->height() / 4);
    return QWhatsThis::showText(loom->mapToGlobal(at), closeUpWords(loom->level()), loom);
  }
  if (const QString words = loom->hintsWithoutRoom(); !words.isEmpty())
    return QWhatsThis::showText(loom->mapToGlobal(loom->rect().center()), words, loom);
  loom->setHinted(true);
}

void beginFirstSight(Window& window) {
  showAreas(window, false);
  window.view<TransportBar>()->setPace(Pace::Tile8);
  auto* loom = window.view<LoomView>();
  loom->zoomTo(LoomLevel::Grid, false);
  loom->setHinted(true);
  welcome(window);
  QObject::connect(loom, &LoomView::hintsPutAway, &window.frame(), [] { noteSeen(); });
  // A block in the middle of C, at the beginning of its kernel.
  ViewState begin = window.explorer().state();
  begin.row = 800;
  begin.column = 640;
  begin.warp = 0;
  begin.index = 0;
  window.explorer().setState(begin);
}

}  // namespace tileloom
