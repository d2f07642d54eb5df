// SPDX-License-Identifier: GPL-3.0-or-later
// Which warps of the block wait for which, and the deadlock that a missing arrival would cause.
// During a comparison, the same of the baseline.
#include <QEventLoop>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/pages/compare/pairs_menu.h"
#include "app/pages/page.h"
#include "app/pages/two_sides.h"
#include "app/services/choice/comparison.h"
#include "app/services/services.h"
#include "app/services/teaching/role_pairs.h"
#include "app/services/teaching/teaching_pairs.h"
#include "app/session/session.h"
#include "kernels/tile/derived.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/choice_box.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/waits/waits_geometry.h"
#include "viz/waits/waits_view.h"
#include "viz/waits/waits_words.h"

namespace tileloom {
namespace {

constexpr int kLetters = 64;  // of the picture of one side

class WaitsPage : public Page {
 public:
  WaitsPage(const PageRow& row, PageContext& context)
      : Page(row, context), m_before(services().lab) {
    m_now.view->setObjectName(QStringLiteral("waits"));
    m_baseline.view->setObjectName(QStringLiteral("baselineWaits"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 0, 8, 0);
    m_suppose = new QLabel(tr("Remove this arrival"));
    line->addWidget(m_suppose);
    m_without = new ChoiceBox;
    m_without->setObjectName(QStringLiteral("waitsWithout"));
    m_without->setAccessibleName(tr("Arrival to remove"));
    m_without->setToolTip(tr(
        "Replays the recorded waits without the chosen arrival. Warps that can no longer continue "
        "are shown as deadlocked. A comparison removes it on both sides, if both have it."));
    line->addWidget(m_without);
    line->addStretch(1);
    auto* reasons = new QPushButton(tr("Warp specialisation"));
    reasons->setObjectName(QStringLiteral("whyRoles"));
    reasons->setFocusPolicy(Qt::TabFocus);
    reasons->setMenu(makePairsMenu(comparison(), reasons, rolesGroup()));
    line->addWidget(reasons);
    column->addLayout(line);
    // Which warps wait for which does not depend on the instant.
    auto* pair = m_pair = new SideBySide(m_baseline.view, m_now.view);
    pair->standAboveBelow(kLetters);
    connect(&comparison(), &Comparison::titlesChanged, this,
            [this](const QString& baseline, const QString& now) {
              m_titles = {baseline, now};
              nameSides();
            });
    column->addWidget(pair, 1);
    setWidget(scrolled(page));
    connect(m_without, &QComboBox::activated, this, [this] {
      m_wanted = m_without->currentData().toString().toStdString();
      refresh();
    });
    Explorer& explorer = services().explorer;
    connect(m_now.view, &WaitsView::picked, &explorer, &Explorer::goToWarpsLine);
    connect(m_baseline.view, &WaitsView::picked, &explorer, &Explorer::goToBaselineWarpsLine);
    for (const TimelineSide* side : {&services().timeline, &m_before})
      connect(side, &TimelineSide::changed, this, [this] {
        if (inFront()) refresh();
      });
  }

  void showScene(const Scene&) override {
    if (inFront()) refresh();
  }
  void showBaseline(const Scene& scene) override {
    if (!scene.ready()) m_before.clear();  // also while the page is hidden
    if (inFront()) refresh();
  }

  void save(Session& session) const override { session.without = m_wanted; }
  void restore(const Session& session) override {
    m_wanted = session.without;
    if (inFront()) refresh();
  }
  void resetView() override { restore(Session()); }
  QWidget* focusTarget() const override { return m_without; }
  int heightWanted() const override { return heightOfTwo(*m_pair); }

  Caption caption(Caption usual) const override {
    usual.shown = waitsSentence(m_now.view->data());
    if (comparing()) usual.shown = ofBoth(waitsSentence(m_baseline.view->data()), usual.shown);
    return usual;
  }

  void prepare() override {
    QEventLoop loop;
    TimelineSide& now = services().timeline;
    do {
      refresh();
      while (now.pending() || m_before.pending()) loop.processEvents(QEventLoop::WaitForMoreEvents);
    } while (now.data().waiting || (comparing() && m_before.data().waiting));
    refresh();
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    const Fonts fonts = Fonts::of(sheet.font);
    SidesPicture picture = sides(sheet.font);
    picture.paint = [&](QPainter& p, bool baseline, const QRectF& canvas) {
      (baseline ? m_baseline : m_now).view->paintTo(p, canvas, sheet.theme, fonts);
    };
    paintTwoSides(painterOf(painter), sheet, context(), picture);
  }
  double leastHeight(double width, const QFont& font) const override {
    return leastHeightOfSides(width, font, context(), sides(font));
  }

 protected:
  void cameToFront() override { refresh(); }

  void refresh() override {
    const Explorer& explorer = services().explorer;
    if (!explorer.scene().ready()) return;
    const bool other = facts(m_now, explorer.scene());
    if (comparing()) {
      TimelineSide& now = services().timeline;
      m_before.setLatency(now.delay(), now.varies());
      if (facts(m_baseline, explorer.baseline()) || other) listOmissions();
      show(m_baseline, explorer.baseline(), m_before);
    } else {
      m_before.clear();
      const bool compared = m_baseline.facts != nullptr;
      m_baseline.facts.reset();
      m_baseline.of.reset();
      m_baseline.shown = {};
      if (other || compared) listOmissions();
    }
    show(m_now, explorer.scene(), services().timeline);
    nameSides();
    m_without->setCurrentIndex(std::max(0, m_without->findData(QString::fromStdString(m_wanted))));
  }

 private:
  struct Shown {
    std::shared_ptr<const WaitFacts> facts;
    std::shared_ptr<const timeline::Timeline> timeline;
    std::string wanted;
    std::shared_ptr<const timeline::Beside> beside;  // what a GPU has timestamped
    bool operator==(const Shown&) const = default;
  };
  struct Side {
    WaitsView* view = new WaitsView;
    std::weak_ptr<const analysis::Recording> of;  // used only to tell one recording from another
    std::shared_ptr<const WaitFacts> facts;       // of that
    Shown shown;
  };

  bool comparing() const { return services().explorer.baseline().ready(); }

  SidesPicture sides(const QFont& font) const {
    SidesPicture picture;
    picture.letters = kLetters;
    picture.moments = false;
    picture.leastHeight = [this, fonts = Fonts::of(font)](bool baseline, double width) {
      const WaitsData& data = (baseline ? m_baseline : m_now).view->data();
      return WaitsGeometry::wholeHeight(data, width, fonts);
    };
    return picture;
  }

  // Cycles are per K tile: if its length differs between the sides, the names say the length.
  void nameSides() {
    const Explorer& explorer = services().explorer;
    auto [baseline, now] = m_titles;
    const auto depth = [](const Scene& scene) {
      const emulator::Trace& trace = scene.recording->trace;
      return derive(*trace.rung(), trace.tile).stepK;
    };
    if (comparing() && explorer.scene().ready()) {
      const auto before = depth(explorer.baseline()), here = depth(explorer.scene());
      if (before != here) {
        baseline = tr("%1 · a K tile is %2 long").arg(baseline).arg(before);
        now = tr("%1 · a K tile is %2 long").arg(now).arg(here);
      }
    }
    m_pair->setTitles(baseline, now);
  }

  // Whether they belong to another recording than before.
  static bool facts(Side& side, const Scene& scene) {
    if (side.facts != nullptr && scene.recording == side.of.lock()) return false;
    side.of = scene.recording;
    side.facts = std::make_shared<const WaitFacts>(waitFacts(scene.recording->trace));
    side.shown = {};
    return true;
  }

  void show(Side& side, const Scene& scene, TimelineSide& clock) const {
    const TimelineData& timeline = clock.show(scene);
    const emulator::Trace& trace = scene.recording->trace;
    const bool same =
        timeline.ready() && timeline.rung() == trace.rung() && timeline.tile == trace.tile;
    const Shown shown{side.facts, same ? timeline.timeline : nullptr, m_wanted,
                      same ? timeline.beside : nullptr};
    if (shown == side.shown) return;
    side.shown = shown;
    WaitsData data;
    data.facts = side.facts;
    data.without = omissionNamed(*side.facts, m_wanted);
    if (data.without || !side.facts->fault.empty())
      data.sleepers = analysis::sleepersOf(trace, side.facts->graph, data.without);
    if (same && !data.deadlock()) {
      data.device = timeline.device;
      addCycles(data, *timeline.timeline);
      if (timeline.beside != nullptr && timeline.beside->whole.steady())
        data.timestamped = timeline.beside->whole.cyclesPerTile;
      if (timeline.beside != nullptr) data.measured = timeline.beside->comparison;
    }
    side.view->setData(std::move(data));
  }

  // Of both sides, those of the present one first.
  void listOmissions() {
    m_without->clear();
    m_without->addItem(tr("– (as recorded)"), QString());
    for (const Side* side : {&m_now, &m_baseline}) {
      if (side->facts == nullptr) continue;
      for (const analysis::LeftOut& what : side->facts->omissions) {
        const QString name = QString::fromStdString(omissionName(side->facts->graph, what));
        if (m_without->findData(name) < 0)
          m_without->addItem(omissionText(side->facts->graph, what), name);
      }
    }
    for (QWidget* widget : {static_cast<QWidget*>(m_suppose), static_cast<QWidget*>(m_without)})
      widget->setVisible(m_without->count() > 1);
  }

  SideBySide* m_pair;
  std::pair<QString, QString> m_titles;  // of the baseline, and of what is shown
  Side m_now, m_baseline;
  TimelineSide m_before;  // of the baseline
  QLabel* m_suppose = nullptr;
  QComboBox* m_without = nullptr;
  std::string m_wanted;  // what is removed, as a session names it; empty: nothing
};

}  // namespace

const PageRow& waits_page() {
  static constexpr PageRow row{
      .id = "waits",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Waits"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Waits &on barriers"),
      .key = Qt::Key_O,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Which warps wait at which barriers, what ends these waits, what a "
                               "deadlock would be, and the registers of each role"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "Waits &on barriers…"),
      .make = makePage<WaitsPage, waits_page>,
      .hidesSourceStrip = true,
      .showsBothSides = true,
      .earlierMenu = "Wh&o waits for whom",
      .pictureHeight = 480,
  };
  return row;
}

}  // namespace tileloom
