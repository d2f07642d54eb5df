// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/render_window.h"

#include <QApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <set>

#include "app/commands/common/parse.h"
#include "app/pages/tuning/tuning_view.h"
#include "app/session/page_ids.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/sight.h"
#include "app/window/frame/window_pictures.h"
#include "app/window/main_window.h"
#include "app/window/quiet.h"
#include "kernels/analysis/recording.h"
#include "kernels/runs/run_index.h"
#include "viz/base/text/text.h"
#include "viz/charts/roofline/roofline_chart.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/layout_experiment.h"
#include "viz/waits/waits_data.h"

namespace tileloom::app {
namespace {

constexpr int kStopMs = 600;  // longer than a stop in passing

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Render)
};

// M of the sizes at which this stage has runs on such a device, as --size takes them; ascending.
QStringList sizesWithRuns(const Lab& lab, const Stage& stage, const std::string& device) {
  std::set<int> sizes;
  for (const runs::RunRecord* run : lab.runs()) {
    const Problem& p = run->problem;
    if (run->stage == stage.id && p.m == p.n && p.n == p.k && runs::isDevice(run->device, device))
      sizes.insert(p.m);
  }
  QStringList words;
  for (const int size : sizes) words += QString::number(size);
  return words;
}

QString unknownDevice(MainWindow& window, const Stage& stage, const std::string& device) {
  const QString known = window.view<TuningView>()->devices().join(Words::tr(", "));
  const QStringList sizes = sizesWithRuns(window.lab(), stage, device);
  const QString asked = QString::fromStdString(quotable(device));
  if (!sizes.isEmpty())
    return Words::tr(
               "no device with \"%1\" in its name has runs of this stage at this size: it has runs "
               "at --size %2")
        .arg(asked, sizes.join(Words::tr(" or ")));
  return known.isEmpty() ? Words::tr(
                               "no device has runs of this stage at this size: leave out --on and "
                               "--and-on")
                         : Words::tr(
                               "no device with \"%1\" in its name has runs of this stage at this "
                               "size: choose one of %2")
                               .arg(asked, known);
}

void dwell(int ms) {
  QEventLoop loop;
  QTimer::singleShot(ms, &loop, &QEventLoop::quit);
  loop.exec();
}

// Moves the tile parameters as a user would, staying at each tile; says when its first figure came.
void walk(MainWindow& window, const RenderRequest& r, QStringList& report) {
  Lab& lab = window.lab();
  for (const TileShape& tile : r.moves) {
    QElapsedTimer clock;
    bool told = false;
    const auto connection = QObject::connect(&lab, &Lab::historyChanged, &window, [&] {
      if (told || lab.current() < 0) return;
      const HistoryPoint& point = lab.history()[static_cast<std::size_t>(lab.current())];
      if (point.tile != tile || !point.gflops.known() || point.freshness != Freshness::Live) return;
      told = true;
      report += QStringLiteral("%1: first figure after %2 ms")
                    .arg(QString::fromStdString(tileText(*r.trace.rung(), tile)))
                    .arg(clock.elapsed());
    });
    clock.start();
    window.explorer().setTile(tile);
    dwell(std::max(kStopMs, r.live * 1000));
    QObject::disconnect(connection);
  }
}

// Handles events until all requests are recorded.
void awaitRecordings(const Explorer& explorer) {
  QEventLoop loop;
  while (explorer.busy()) loop.processEvents(QEventLoop::WaitForMoreEvents);
}

}  // namespace

CaptionFacts factsWithoutGpu() {
  return {Words::tr("no GPU used: emulated"), QDateTime::currentDateTimeUtc().date()};
}

QString makeRoom(Picture& picture, double caption) {
  constexpr double kLowest = 60;  // pixels for the text below which the caption is
  const double height = picture.size.height() - caption;
  if (height < kLowest) {
    return Words::tr("the caption takes %1 pixels: choose a height of %2 at least, or no caption")
        .arg(caption)
        .arg(caption + kLowest);
  }
  picture.size.setHeight(height);
  return {};
}

QString withWindow(const RenderRequest& r, const Scene& wanted, QStringList& report,
                   const std::function<QString(MainWindow&)>& use) {
  MainWindow window(LabSetup{{}, {}, r.live > 0});
  if (r.page == nullptr) window.resize(r.picture.size.toSize());
  window.sight().setTextSize(r.session.text.value_or(kUsualText));
  window.layouts().showPanel(SidePanel::Ladder, r.session.ladderPanel);
  window.layouts().showPanel(SidePanel::Tile, r.session.tilePanel);
  window.layouts().showTime(r.session.timeStrip);
  window.services().timeline.setStamps(r.stamps);
  window.services().own.keep(r.session.own);
  window.show();
  Explorer& explorer = window.explorer();
  // Immediate and requested: no point of the history comes before it, however slow the machine is.
  ViewState state;
  state.stage = r.trace.rung();
  state.tile = r.trace.tile;
  state.problem = r.trace.problem;
  state.halves = r.session.state.halves;
  window.lab().setAskedFor(true);
  explorer.setState(state);
  window.lab().setAskedFor(false);
  awaitRecordings(explorer);
  const auto& map = wanted.recording->map;
  if (const Extent block = wanted.recording->trace.block; !(block == explorer.block())) {
    explorer.setBlockAt(static_cast<int>(map.c.row), static_cast<int>(map.c.column));
    awaitRecordings(explorer);
  }
  explorer.setWarp(static_cast<int>(r.session.state.warp));
  explorer.setIndex(static_cast<int>(wanted.moment.index));
  if (!wanted.selection.empty()) explorer.hold(wanted.selection);
  window.view<LoomView>()->zoomTo(r.picture.zoom, false);
  if (r.session.state.pinned) {
    explorer.pin(r.session.state.pinned);
    awaitRecordings(explorer);
  }
  window.showPage(r.shownTab().empty() ? r.session.tab : r.shownTab());
  window.middle().setLower(r.session.lower);
  // The zoom of the loom is that of the picture.
  for (const auto& page : window.pages())
    if (page->row().place == PagePlace::Below) page->restore(r.session);
  if (r.shownTab() == "tuning") {
    const TuningView& tuning = *window.view<TuningView>();
    for (const std::string& device : {r.session.tuning.device, r.session.tuning.beside}) {
      if (!tuning.knows(device)) return unknownDevice(window, *r.trace.rung(), device);
    }
    if (!r.session.tuning.beside.empty() && !tuning.hasBeside())
      return Words::tr("--and-on \"%1\" is the device that is shown already: name another")
          .arg(QString::fromStdString(quotable(r.session.tuning.beside)));
  }
  if (const std::string& array = r.session.layout.array;
      r.shownTab() == "layout" && !array.empty()) {
    const std::uint32_t found = experimentArray(explorer.scene(), array);
    if (wanted.recording->trace.arrays[found].name != array)
      return Words::tr(
                 "--array \"%1\" is not a shared array of %2: leave it out for that of the access")
          .arg(QString::fromStdString(quotable(array)), toQString(r.trace.rung()->id));
  }
  if (const std::string& without = r.session.without;
      r.shownTab() == "waits" && !without.empty() &&
      !omissionNamed(waitFacts(wanted.recording->trace), without)) {
    return Words::tr(
               "--remove \"%1\" is not an arrival in %2: leave it out, or choose in the window")
        .arg(QString::fromStdString(quotable(without)), toQString(r.trace.rung()->id));
  }
  if (r.live > 0 || !r.moves.empty()) dwell(std::max(kStopMs, r.live * 1000));
  walk(window, r, report);
  // The best layouts, marks of sliders and results of pages' own threads arrive later: a picture
  // always waits for them.
  waitUntilQuiet(window);
  return use(window);
}

QString writeFromWindow(const RenderRequest& r, const Scene& wanted, const QString& file,
                        QStringList& report) {
  ViewExport how;
  how.size = r.picture.size;
  how.scale = r.picture.scale;
  how.text = r.picture.text;
  if (r.caption) how.caption = QDateTime::currentDateTimeUtc().date();
  const std::string_view view = r.page != nullptr ? r.page->id : kWindowId;
  return withWindow(r, wanted, report, [&](MainWindow& window) {
    Page* page = window.page(view);
    if (page != nullptr) page->pose();
    how.grows = page != nullptr && !r.ownHeight;
    if (page != nullptr && page->knowsWidth() && !r.ownWidth) how.size.setWidth(0);
    if (page != nullptr && page->knowsHeight() && !r.ownHeight) how.size.setHeight(0);
    return writeView(window, view, file, how);
  });
}

}  // namespace tileloom::app
