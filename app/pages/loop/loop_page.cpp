// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiler leaves on the table: the main loop of a rewritten kernel as compiled and as it
// runs, and what each change is worth.
#include <QCheckBox>
#include <QEventLoop>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <array>

#include "app/pages/page.h"
#include "app/services/measuring/loop_service.h"
#include "app/services/measuring/loop_timing.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/flow_layout.h"
#include "viz/code/loop/loop_view.h"
#include "viz/code/loop/loop_words.h"

namespace tileloom {
namespace {

class LoopPage : public Page {
 public:
  LoopPage(const PageRow& row, PageContext& context) : Page(row, context) {
    m_view = new LoopView;
    m_view->setObjectName(QStringLiteral("loop"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(2);
    auto* line = new FlowLayout;
    line->setContentsMargins(12, 0, 0, 0);
    line->setSpacing(8);
    m_lead = new QLabel(tr("Rewritten with"));
    line->addWidget(m_lead);
    const auto add = [&](const char* name, const QString& text, const QString& tip) {
      auto* box = new QCheckBox(text);
      box->setObjectName(QString::fromLatin1(name));
      box->setToolTip(tip);
      connect(box, &QCheckBox::clicked, this, &LoopPage::choose);
      line->addWidget(box);
      return box;
    };
    m_order = add("loopOrder", tr("2 × 2 order"),
                  tr("Orders multiply-adds in blocks of two rows and two columns, so that almost "
                     "none of them waits for a register bank. Otherwise they are in the compiler's "
                     "order or line by line, whichever loses less."));
    m_loads = add("loopLoads", tr("early loads"),
                  tr("Spreads shared loads over the k before the one that uses them. Otherwise "
                     "each is as close to its use as the compiler put it."));
    m_barrier = add("loopBarrier", tr("early barrier"),
                    tr("Puts the barrier before the last k, and the address steps of fragments "
                       "after it. Otherwise both are where the compiler put them."));
    m_pairs = add("loopPairs", tr("lanes of rung 14"),
                  tr("Assigns lanes as rung 14 does, so that they share loads in pairs. This needs "
                     "another source: the compiled result is measured, and the model uses the same "
                     "SASS with such loads."));
    m_measure = new QPushButton(tr("Measure here"));
    m_measure->setObjectName(QStringLiteral("loopMeasure"));
    m_measure->setFocusPolicy(Qt::TabFocus);
    m_measure->setToolTip(
        tr("Times one iteration of the loop on this machine's GPU, as compiled and in all "
           "versions, with these lanes and those of rung 14, after each has computed the same "
           "result. Takes about ten seconds."));
    connect(m_measure, &QPushButton::clicked, this, &LoopPage::measure);
    line->addWidget(m_measure);
    column->addLayout(line);
    m_trouble = new QLabel;
    m_trouble->setObjectName(QStringLiteral("loopTrouble"));
    m_trouble->setTextFormat(Qt::PlainText);
    m_trouble->setWordWrap(true);
    m_trouble->setContentsMargins(12, 0, 12, 0);
    m_trouble->hide();
    column->addWidget(m_trouble);
    column->addWidget(m_view, 1);
    setWidget(scrolled(page));
    connect(m_view, &LoopView::picked, this, [this](const rewrite::Version& version) {
      const bool usual = m_view->data().study->rewritten().version.pairedLoads;
      m_version = {version.changes, version.pairedLoads != usual};
      refresh();
    });
    connect(&m_service, &LoopService::changed, this, [this] {
      if (inFront()) refresh();
    });
    connect(&services().listings, &Listings::changed, this, [this] {
      if (inFront()) refresh();
    });
    connect(&m_timing, &LoopTiming::changed, this, [this] {
      if (inFront()) refresh();
    });
    // Another worker may be able to measure.
    connect(&services().lab.client(), &WorkerClient::ready, this, [this] {
      if (inFront()) refresh();
    });
    Listings& listings = services().listings;
    Explorer& explorer = services().explorer;
    connect(&explorer, &Explorer::choiceChanged, this, [&](bool legal) {
      if (legal) listings.choose(presentPlace(explorer), explorer.problem());
    });
    listings.choose(presentPlace(explorer), explorer.problem());
  }

  void save(Session& session) const override { session.loop = m_version; }
  void restore(const Session& session) override {
    m_version = session.loop;
    if (inFront()) refresh();
  }
  void resetView() override {
    m_view->setWindow({});
    restore(Session());
  }
  QWidget* focusTarget() const override { return m_view; }

  // Both loops with the rows beside them, and the legend; in a tall window also what the warps wait
  // for.
  int heightWanted() const override {
    if (services().explorer.stage().rewriter == 0) return 0;
    constexpr double kMostOfWindow = 0.45;
    const int boxes = m_order->sizeHint().height() + 12;
    const int all = m_view->usualHeight(true) + boxes;
    return all <= kMostOfWindow * widget()->window()->height() ? all
                                                               : m_view->usualHeight(false) + boxes;
  }

  Caption caption(Caption usual) const override {
    usual.shown = loopSentence(m_view->data());
    if (!m_view->data().origin.isEmpty()) usual.origin = m_view->data().origin;
    return usual;
  }

  QString whyNothing() const override {
    if (services().explorer.stage().rewriter != 0) return {};
    return tr(
        "The main loop of this kernel runs as the compiler made it. For rung 16, Tileloom rewrites "
        "the SASS of the loop after compiling. Choose rung 16 to compare both loops.");
  }
  QString whyEmpty(const QString& file) const override {
    if (m_view->data().ready()) return {};
    return tr("\"%1\" is not written: %2").arg(file, m_view->data().note);
  }

  void prepare() override {
    QEventLoop loop;
    refresh();
    while (m_service.pending()) loop.processEvents(QEventLoop::WaitForMoreEvents);
    refresh();
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    m_view->paintTo(painterOf(painter), QRectF(QPointF(0, 0), sheet.size), sheet.theme,
                    Fonts::of(sheet.font));
  }

 protected:
  void cameToFront() override {
    services().listings.setWanted(m_view, true);
    refresh();
  }
  void leftFront() override { services().listings.setWanted(m_view, false); }

  void refresh() override {
    LoopData data = known();
    const bool there = data.ready();
    for (QWidget* each : std::array<QWidget*, 5>{m_lead, m_order, m_loads, m_barrier, m_pairs})
      each->setVisible(there);
    if (there) {
      const bool paired = data.study->rewritten().version.pairedLoads;
      data.version = m_version;
      data.version.pairedLoads = m_version.pairedLoads != paired;
      m_order->setChecked(m_version.changes.order);
      m_loads->setChecked(m_version.changes.loads);
      m_barrier->setChecked(m_version.changes.barrier);
      m_pairs->setChecked(data.version.pairedLoads);
    }
    const bool can = there && services().lab.canMeasure();
    m_measure->setVisible(can);
    m_measure->setEnabled(!m_timing.measuring());
    m_measure->setText(m_timing.measuring() ? tr("Measuring …") : tr("Measure here"));
    m_trouble->setText(m_timing.trouble());
    m_trouble->setVisible(there && !m_trouble->text().isEmpty());
    m_view->setData(std::move(data));
  }

 private:
  void measure() {
    if (!m_view->data().ready()) return;
    m_timing.measure(usualSubject(services().explorer.stage(), services().explorer.tile()));
  }

  // What is known of the kernel in the window, without the chosen version.
  LoopData known() {
    LoopData data;
    const Explorer& explorer = services().explorer;
    const Stage& stage = explorer.stage();
    if (stage.rewriter == 0) {
      data.note = whyNothing();
      return data;
    }
    const SassSide side = services().listings.now();
    if (!side.facts || side.facts->code.rung() != &stage) {
      data.note = side.note;
      return data;
    }
    const sass::MachineCode& code = side.facts->code;
    data.origin = side.facts->origin();
    if (code.untouched.empty()) {
      data.note = code.whyNotRewritten.empty()
                      ? tr("This listing lacks the kernel as it was compiled.")
                      : tr("This main loop runs as it is compiled, because %1.")
                            .arg(toQString(code.whyNotRewritten));
      return data;
    }
    const auto answer = m_service.of(code);
    if (!answer) {
      data.note = tr("Making all versions of the loop …");
      data.waiting = true;
    } else if (answer->study == nullptr) {
      data.note = tr("There is nothing to compare: %1.").arg(answer->whyNot);
    } else {
      data.study = answer->study;
      data.times = m_timing.of(usualSubject(stage, code.tile));
      data.stalls = side.stalls;
    }
    return data;
  }

  void choose() {
    m_version.changes = {m_order->isChecked(), m_loads->isChecked(), m_barrier->isChecked()};
    const LoopData& data = m_view->data();
    const bool usual = data.ready() && data.study->rewritten().version.pairedLoads;
    m_version.pairedLoads = m_pairs->isChecked() != usual;
    refresh();
  }

  LoopView* m_view = nullptr;
  QLabel* m_lead = nullptr;
  QCheckBox* m_order = nullptr;
  QCheckBox* m_loads = nullptr;
  QCheckBox* m_barrier = nullptr;
  QCheckBox* m_pairs = nullptr;
  QPushButton* m_measure = nullptr;
  QLabel* m_trouble = nullptr;
  LoopService m_service;
  LoopTiming m_timing{services().lab.client()};
  rewrite::Version m_version;  // pairedLoads: not as in this kernel
};

}  // namespace

const PageRow& loop_page() {
  static constexpr PageRow row{
      .id = "loop",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Rewritten loop"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "The main loop, compiled and re&written"),
      .key = Qt::SHIFT | Qt::Key_A,  // A: the machine code
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "The main loop as it was compiled above the rewritten one, and what "
                               "each change is worth"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The re&written loop…"),
      .make = makePage<LoopPage, loop_page>,
      .hidesSourceStrip = true,
      .whyAlone = QT_TRANSLATE_NOOP("tileloom::Page",
                                    "The present rung alone: one loop fills the page. The page "
                                    "SASS shows the code of both sides."),
      .pictureHeight = 560,
  };
  return row;
}

}  // namespace tileloom
