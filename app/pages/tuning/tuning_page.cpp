// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the present rung's tiles, and the tuner.
#include <QEventLoop>
#include <QTimer>
#include <QVBoxLayout>

#include "app/pages/page.h"
#include "app/pages/tuning/tuner_controls.h"
#include "app/pages/tuning/tuning_view.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/panels/tuner_row.h"

namespace tileloom {
namespace {

constexpr int kMapMs = 400;  // as often as an eye can follow while the tuner fills the map

class TuningTab : public Page {
 public:
  TuningTab(const PageRow& row, PageContext& context) : Page(row, context), m_view(new TuningView) {
    setWidget(scrolled(m_view));
    Services& s = services();
    connect(m_view, &TuningView::picked, &s.explorer,
            [&s](const TileShape& tile) { s.explorer.setTile(tile); });
    connect(&s.explorer, &Explorer::choiceChanged, this, &TuningTab::refreshInFront);
    connect(&s.lab, &Lab::historyChanged, this, &TuningTab::refreshInFront);
    connect(&s.lab, &Lab::workerStatusChanged, this, &TuningTab::refreshInFront);

    auto* controls = new TunerRow;
    m_view->column()->insertWidget(1, controls);
    m_controls = new TunerControls(s, *controls, this);
    m_controls->setShown([this] { return inFront(); });

    m_due.setSingleShot(true);
    m_due.setInterval(kMapMs);
    connect(&m_due, &QTimer::timeout, this, &TuningTab::takeMeasured);
    connect(&s.tuner, &Tuner::tileMeasured, this, [this] {
      if (!m_due.isActive()) m_due.start();
    });
  }

  void save(Session& session) const override { session.tuning = m_view->choice(); }
  void restore(const Session& session) override { m_view->choose(session.tuning); }

  Caption caption(Caption usual) const override {
    const Explorer& explorer = services().explorer;
    usual.title = tr("Tiles of rung %1, %2, at %3")
                      .arg(figures::rungText(explorer.stage()), toQString(explorer.stage().title),
                           QString::fromStdString(toString(explorer.problem())));
    usual.shown = m_view->description();
    usual.origin = m_view->source();
    return usual;
  }

  void prepare() override {
    refresh();
    QEventLoop loop;
    while (!m_view->settled()) loop.processEvents(QEventLoop::WaitForMoreEvents);
  }
  QSizeF naturalSize(const QSizeF& screen) const override {
    return {std::max(screen.width(), leastWidth()), screen.height()};
  }
  bool knowsWidth() const override { return m_view->form() == TuningForm::List; }
  double leastWidth() const override { return m_view->pictureWidth(); }
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    m_view->paintTo(painterOf(painter), sheet.size);
  }

 protected:
  void cameToFront() override {
    refresh();
    m_controls->show();
  }

  void refresh() override {
    const Services& s = services();
    TuningView::Known known{s.lab.runs()};
    known.revision = known.runs.size();
    for (const runs::RunRecord& run : s.tuner.measured()) known.runs.push_back(&run);
    known.revision += s.tuner.measurements() << 32;
    m_view->show(s.explorer.stage(), s.explorer.tile(), s.explorer.problem(), s.explorer.format(),
                 s.lab.arch(), known);
  }

 private:
  void refreshInFront() {
    if (inFront()) refresh();
  }

  void takeMeasured() {
    refreshInFront();
    // Once per run: the page shows the tuner's device, even if another has more recordings.
    const Tuner& tuner = services().tuner;
    if (tuner.measured().empty() || m_tunedOn == tuner.runs()) return;
    m_tunedOn = tuner.runs();
    TuningChoice choice = m_view->choice();
    choice.device = tuner.measured().front().device;
    choice.others = tuning::Others::Best;  // few of its tiles differ in only two tile parameters
    m_view->choose(choice);
  }

  TuningView* m_view;
  TunerControls* m_controls = nullptr;
  QTimer m_due;
  quint64 m_tunedOn = 0;  // the tuner's run for which the page has changed the device
};

}  // namespace

const PageRow& tuning_page() {
  static constexpr PageRow row{
      .id = "tuning",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Tuning"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "&Tuning"),
      .key = Qt::Key_T,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "What is known of this rung's tiles: map, lines, list"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &tuning map, lines or list…"),
      .make = makePage<TuningTab, tuning_page>,
      .whyAlone = QT_TRANSLATE_NOOP("tileloom::Page",
                                    "The present rung alone: a map has the tiles of one rung. The "
                                    "page Compare has the speeds of both sides."),
  };
  return row;
}

}  // namespace tileloom
