// SPDX-License-Identifier: GPL-3.0-or-later
// What if a shared array had another layout: the present access and all others of a K tile, before
// and after.
#include <algorithm>
#include <utility>

#include "app/pages/page.h"
#include "app/services/choice/layout_search.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "kernels/analysis/recording.h"
#include "viz/panels/layout_panel.h"

namespace tileloom {
namespace {

class LayoutPage : public Page {
 public:
  LayoutPage(const PageRow& row, PageContext& context)
      : Page(row, context), m_panel(new LayoutPanel) {
    m_panel->setObjectName(QStringLiteral("layoutPanel"));
    setWidget(scrolled(m_panel));
    Services& s = services();
    connect(m_panel, &LayoutPanel::chosen, this, [this] { refresh(); });
    connect(m_panel, &LayoutPanel::asked, &s.explorer, &Explorer::goToInstruction);
    for (AccessView* view : {m_panel->before(), m_panel->after()}) {
      connect(view, &AccessView::hovered, &s.explorer, &Explorer::hover);
      connect(view, &AccessView::clicked, &s.explorer, &Explorer::hold);
    }
    const auto again = [this] {
      if (inFront()) refresh();
    };
    connect(&s.lab, &Lab::kernelChanged, this, again);
    connect(&m_search, &LayoutSearch::found, this, again);
  }

  void showScene(const Scene& scene) override {
    if (inFront()) return refresh();
    if (scene.recording != m_experiment.recording) forget();
  }

  void save(Session& session) const override { session.layout = m_panel->choice(); }
  void restore(const Session& session) override {
    m_panel->choose(session.layout);
    if (inFront()) refresh();
  }
  void resetView() override { restore(Session()); }

  QWidget* focusTarget() const override { return m_panel->after(); }

  Caption caption(Caption usual) const override {
    if (m_experiment.ready()) {
      usual.shown = QStringLiteral("%1 · %2").arg(experimentQuestion(m_experiment), usual.shown);
    }
    return usual;
  }

  void prepare() override {
    refresh();
    if (m_experiment.ready()) m_panel->setBest(m_search.answer(question()));
  }
  QString whyNothing() const override {
    if (services().explorer.stage().features().sharedTiles) return {};
    return tr("This rung keeps nothing in shared memory. Choose one from 3 on.");
  }
  QSizeF naturalSize(const QSizeF& screen) const override { return m_panel->pictureSize(screen); }
  bool knowsHeight() const override { return true; }
  double leastWidth() const override { return m_panel->pictureSize({}).width(); }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    m_panel->paintTo(painterOf(painter), sheet.size, sheet.theme, sheet.font);
  }

 protected:
  void cameToFront() override {
    m_new = true;
    refresh();
  }

  void refresh() override {
    const Scene& scene = services().explorer.scene();
    const BlockLoad load = blockLoad(scene);
    const bool another = m_use == nullptr || scene.recording != m_recorded.lock();
    if (another) {
      m_recorded = scene.recording;
      m_use = scene.ready() ? std::make_shared<const analysis::SharedUse>(
                                  analysis::sharedUse(*scene.recording, 0))
                            : std::make_shared<const analysis::SharedUse>();
    }
    // During playback the access changes and the experiment does not.
    if (another || !(m_choice == m_panel->choice()) || !(m_load == load) ||
        m_experiment.array != experimentArray(scene, m_panel->choice().array)) {
      m_choice = m_panel->choice();
      m_load = load;
      m_experiment = layoutExperiment(scene, *m_use, m_choice, load);
      m_panel->setExperiment(m_experiment);
    }
    m_panel->setScene(scene);
    if (!m_experiment.ready()) return;
    m_panel->setBest(m_search.ask(question()));
    // After the explorer has published the scene that this belongs to.
    if (m_new && !services().explorer.recording())
      QMetaObject::invokeMethod(this, &LayoutPage::leadToChange, Qt::QueuedConnection);
  }

  // Until the user navigates or chooses a layout, the page shows an effect of a change: plain rows
  // if the array has the usual layout, and the access that changes most if the access at which the
  // recording opened does not change.
  void leadToChange() {
    // Only in the latest recording: a newer one may have been requested already.
    if (!inFront() || services().explorer.recording() || !std::exchange(m_new, false)) return;
    const Scene& scene = services().explorer.scene();
    if (!m_experiment.ready() || !scene.access || services().explorer.playing()) return;
    if (scene.moment.warp != 0 || scene.moment.index != openingIndex(*scene.recording)) return;
    if (m_panel->choice() == LayoutChoice{} &&
        (!m_experiment.shape.inRows() ||
         m_experiment.shape.pitch == m_experiment.shape.length + LayoutChoice{}.layout.pad)) {
      m_panel->choose({{}, analysis::ArrayLayout::plain()});
      refresh();
    }
    const auto change = [](const analysis::LayoutLine& line) {
      return line.possible ? std::max(line.before.wavefronts, line.after.wavefronts) -
                                 std::min(line.before.wavefronts, line.after.wavefronts)
                           : std::uint64_t{0};
    };
    const auto lines = m_experiment.cost.linesAbout(m_experiment.array);
    const auto most = std::ranges::max_element(lines, {}, change);
    if (most == lines.end() || change(*most) == 0) return;
    const auto& here = scene.access->instruction;
    for (const analysis::LayoutLine& line : lines) {
      if (line.line == here.line && line.kind == here.kind && change(line) > 0) return;
    }
    const auto& array = scene.recording->trace.arrays[most->array].name;
    services().explorer.goToInstruction(most->line, most->kind, QString::fromStdString(array));
  }

 private:
  LayoutSearch::Question question() const {
    return {m_use, m_experiment.array, m_experiment.shape, m_load.arch};
  }

  // The known kernel may belong to a tile that was requested and is not recorded yet.
  BlockLoad blockLoad(const Scene& scene) const {
    Services& s = services();
    BlockLoad load{s.lab.arch(), std::nullopt};
    const auto& kernel = s.lab.kernel();
    if (scene.ready() && kernel && kernel->registers > 0 &&
        &s.explorer.stage() == scene.recording->trace.rung() &&
        s.explorer.tile() == scene.recording->trace.tile)
      load.registers = kernel->registers;
    return load;
  }

  // A hidden page keeps only the present recording.
  void forget() {
    if (m_recorded.expired() && m_experiment.recording == nullptr) return;
    m_recorded.reset();
    m_use.reset();
    m_experiment = {};
    m_panel->forget();
  }

  LayoutPanel* m_panel;
  LayoutSearch m_search;
  std::weak_ptr<const analysis::Recording> m_recorded;
  std::shared_ptr<const analysis::SharedUse> m_use;
  LayoutChoice m_choice;  // of the experiment, as are the next two
  BlockLoad m_load;
  LayoutExperiment m_experiment;
  bool m_new = false;  // the page has come to the front and has not navigated yet
};

}  // namespace

const PageRow& layout_page() {
  static constexpr PageRow row{
      .id = "layout",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Layout"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "La&yout of shared arrays"),
      .key = Qt::Key_Y,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "What if a shared array were padded or swizzled: its bank conflicts "
                               "before and after"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The la&yout of a shared array…"),
      .make = makePage<LayoutPage, layout_page>,
      .hidesSourceStrip = true,
      .whyAlone = QT_TRANSLATE_NOOP("tileloom::Page",
                                    "The baseline is not shown: both pictures are of the present "
                                    "tile, as it is and in another layout."),
  };
  return row;
}

}  // namespace tileloom
