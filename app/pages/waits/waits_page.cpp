// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom in the block, and what would happen if somebody never came: a deadlock.
#include <QEventLoop>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/pages/compare/pairs_menu.h"
#include "app/pages/page.h"
#include "app/services/comparison.h"
#include "app/services/services.h"
#include "app/services/teaching_pairs.h"
#include "app/session/session.h"
#include "viz/base/choice_box.h"
#include "viz/base/labels.h"
#include "viz/base/text.h"
#include "viz/waits/waits_view.h"
#include "viz/waits/waits_words.h"

namespace tileloom {
namespace {

class WaitsPage : public Page {
 public:
  WaitsPage(const PageRow& row, PageContext& context) : Page(row, context) {
    m_view = new WaitsView;
    m_view->setObjectName(QStringLiteral("waits"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 0, 8, 0);
    m_suppose = new QLabel(tr("Suppose that nobody"));
    line->addWidget(m_suppose);
    m_without = new ChoiceBox;
    m_without->setObjectName(QStringLiteral("waitsWithout"));
    m_without->setAccessibleName(tr("What is left out"));
    m_without->setToolTip(
        tr("The waits of the recording are gone through once more, and what is chosen here does "
           "not happen. Who cannot go on then sleeps for ever."));
    line->addWidget(m_without);
    line->addStretch(1);
    auto* reasons = new QPushButton(tr("Why warps get roles"));
    reasons->setObjectName(QStringLiteral("whyRoles"));
    reasons->setFocusPolicy(Qt::TabFocus);
    reasons->setMenu(makePairsMenu(comparison(), reasons, rolesGroup()));
    line->addWidget(reasons);
    column->addLayout(line);
    column->addWidget(m_view, 1);
    setWidget(scrolled(page));
    connect(m_without, &QComboBox::activated, this, [this] {
      m_wanted = m_without->currentData().toString().toStdString();
      refresh();
    });
    connect(m_view, &WaitsView::picked, this, &WaitsPage::goTo);
    connect(&services().timeline, &TimelineSide::changed, this, [this] {
      if (inFront()) refresh();
    });
  }

  void showScene(const Scene&) override {
    if (inFront()) refresh();
  }

  void save(Session& session) const override { session.without = m_wanted; }
  void restore(const Session& session) override {
    m_wanted = session.without;
    if (inFront()) refresh();
  }
  void resetView() override { restore(Session()); }
  QWidget* focusTarget() const override { return m_without; }

  Caption caption(Caption usual) const override {
    usual.shown = waitsSentence(m_view->data());
    return usual;
  }

  void prepare() override {
    QEventLoop loop;
    do {
      refresh();
      while (services().timeline.pending()) loop.processEvents(QEventLoop::WaitForMoreEvents);
    } while (services().timeline.data().waiting);
    refresh();
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    m_view->paintTo(painterOf(painter), QRectF(QPointF(0, 0), sheet.size), sheet.theme,
                    Fonts::of(sheet.font));
  }

 protected:
  void cameToFront() override { refresh(); }

  void refresh() override {
    const Scene& scene = services().explorer.scene();
    if (!scene.ready()) return;
    if (m_facts == nullptr || scene.recording != m_of.lock()) {
      m_of = scene.recording;
      m_facts = std::make_shared<const WaitFacts>(waitFacts(scene.recording->trace));
      m_shown = {};
      listOmissions();
    }
    const TimelineData& timeline = services().timeline.show(scene);
    const emulator::Trace& trace = scene.recording->trace;
    const bool same =
        timeline.ready() && timeline.stage == trace.stage && timeline.tile == trace.tile;
    const Shown shown{m_facts, same ? timeline.timeline : nullptr, m_wanted};
    if (shown == m_shown) return;
    m_shown = shown;
    WaitsData data;
    data.facts = m_facts;
    data.without = omissionNamed(*m_facts, m_wanted);
    if (data.without || !m_facts->fault.empty())
      data.sleepers = analysis::sleepersOf(trace, m_facts->graph, data.without);
    if (same && !data.deadlock()) {
      data.device = timeline.device;
      addCycles(data, *timeline.timeline);
    }
    m_without->setCurrentIndex(
        std::max(0, data.without ? m_without->findData(QString::fromStdString(m_wanted)) : 0));
    m_view->setData(std::move(data));
  }

 private:
  struct Shown {
    std::shared_ptr<const WaitFacts> facts;
    std::shared_ptr<const timeline::Timeline> timeline;
    std::string wanted;
    bool operator==(const Shown&) const = default;
  };

  void listOmissions() {
    m_without->clear();
    m_without->addItem(tr("– (as it is recorded)"), QString());
    for (const analysis::LeftOut& what : m_facts->omissions) {
      m_without->addItem(omissionText(m_facts->graph, what),
                         QString::fromStdString(omissionName(m_facts->graph, what)));
    }
    for (QWidget* widget : {static_cast<QWidget*>(m_suppose), static_cast<QWidget*>(m_without)})
      widget->setVisible(!m_facts->omissions.empty());
  }

  // To the next instruction of this line, or the first one.
  void goTo(int warp, int line) {
    Explorer& explorer = services().explorer;
    const Scene& scene = explorer.scene();
    if (!scene.ready()) return;
    const analysis::Recording& recording = *scene.recording;
    const auto of = static_cast<std::uint32_t>(warp);
    const std::uint32_t length = recording.trace.length(of);
    const std::uint32_t now = scene.moment.warp == of ? scene.moment.index + 1 : 0;
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint32_t index = (now + i) % length;
      if (recording.moment(of, index).instruction.line != line) continue;
      explorer.setWarp(warp);
      explorer.setIndex(static_cast<int>(index));
      return;
    }
  }

  WaitsView* m_view = nullptr;
  QLabel* m_suppose = nullptr;
  QComboBox* m_without = nullptr;
  std::string m_wanted;  // as a session names what is left out; empty: nothing
  std::weak_ptr<const analysis::Recording> m_of;  // only to tell it from another
  std::shared_ptr<const WaitFacts> m_facts;       // of that
  Shown m_shown;
};

}  // namespace

const PageRow& waits_page() {
  static constexpr PageRow row{
      .id = "waits",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Waits"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Wh&o waits for whom"),
      .key = Qt::Key_O,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Which warps wait at which barriers, who ends these waits, what a "
                               "deadlock would be, and the registers of each role"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "Wh&o waits for whom…"),
      .make = makePage<WaitsPage, waits_page>,
      .hidesSourceStrip = true,
      .whyAlone = QT_TRANSLATE_NOOP("tileloom::Page",
                                    "The present tile alone: one picture of barriers fills the "
                                    "page. Swap (Shift+P) shows the baseline."),
      .pictureHeight = 480,
  };
  return row;
}

}  // namespace tileloom
