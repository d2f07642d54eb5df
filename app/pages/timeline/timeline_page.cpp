// SPDX-License-Identifier: GPL-3.0-or-later
// What each warp does and waits for on the virtual clock, with sliders that make memory slower.
// Below, on the same axis, the timestamps of a block on a GPU; or, during a comparison, the
// baseline's timeline above.
#include <QEvent>
#include <QEventLoop>
#include <QFileDialog>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "app/pages/page.h"
#include "app/pages/two_sides.h"
#include "app/services/choice/comparison.h"
#include "app/services/forecasts/launch_limit.h"
#include "app/services/forecasts/present_limit.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "kernels/analysis/recording.h"
#include "kernels/timeline/export.h"
#include "kernels/timeline/recorded/measured_lanes.h"
#include "kernels/timeline/recorded/stamp_files.h"
#include "kernels/timeline/seam.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/timeline/timeline_view.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {
namespace {

// Buttons and sliders side by side; or one below the other, where the sliders would get too narrow.
class Controls : public QWidget {
 public:
  Controls(QLayout* buttons, QLayout* sliders) : m_buttons(buttons), m_sliders(sliders) {
    m_both = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_both->setContentsMargins(8, 0, 8, 0);
    m_both->addLayout(buttons);
    m_both->addLayout(sliders, 1);
  }
  QSize minimumSizeHint() const override {
    const int width =
        std::max(m_buttons->minimumSize().width(), m_sliders->minimumSize().width()) + 16;
    return {width, QWidget::minimumSizeHint().height()};
  }

 protected:
  void resizeEvent(QResizeEvent*) override { arrange(); }
  bool event(QEvent* event) override {
    // A button came or went, or the text size changed.
    if (event->type() == QEvent::LayoutRequest) arrange();
    return QWidget::event(event);
  }

 private:
  void arrange() {
    const int beside =
        m_buttons->sizeHint().width() + m_sliders->minimumSize().width() + kBetweenParts + 16;
    const bool narrow = width() < beside;
    m_both->setSpacing(narrow ? kBetweenRows : kBetweenParts);
    m_both->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  }

  static constexpr int kBetweenRows = 2, kBetweenParts = 16;  // pixels

  QLayout* m_buttons;
  QLayout* m_sliders;
  QBoxLayout* m_both;
};

class TimelinePage : public Page {
 public:
  TimelinePage(const PageRow& row, PageContext& context)
      : Page(row, context),
        m_now(services().timeline),
        m_seam(services().lab),
        m_before(services().lab) {
    m_view = new TimelineView;
    m_view->setObjectName(QStringLiteral("timeline"));
    m_baseline = new TimelineView;
    m_baseline->setObjectName(QStringLiteral("baselineTimeline"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(2);
    column->addWidget(new Controls(makeButtons(), makeSliders()));
    column->addWidget(m_baseline, 1);
    column->addWidget(m_view, 1);
    m_measured = new TimelineView;
    m_measured->setObjectName(QStringLiteral("measuredTimeline"));
    column->addWidget(m_measured, 1);
    m_noStamps = new ElidedLabel;
    m_noStamps->setObjectName(QStringLiteral("noStamps"));
    m_noStamps->setContentsMargins(8, 0, 8, 2);
    column->addWidget(m_noStamps);
    for (QWidget* widget : {static_cast<QWidget*>(m_baseline), static_cast<QWidget*>(m_measured),
                            static_cast<QWidget*>(m_noStamps)})
      widget->hide();
    setWidget(scrolled(page));
    connect(m_view, &TimelineView::picked, this, &TimelinePage::goTo);
    for (TimelineView* view : {m_view, m_baseline, m_measured})
      connect(view, &TimelineView::spanChanged, this, [this, view] { setSpan(view->span()); });
    const auto again = [this] {
      if (inFront()) refresh();
    };
    connect(&m_now, &TimelineSide::changed, this, again);
    m_seam.setBetweenTiles(true);
    connect(&m_seam, &TimelineSide::changed, this, again);
    connect(&m_before, &TimelineSide::changed, this, again);
    connect(&services().ceilings, &DeviceCeilings::changed, this, again);  // the limit
    connect(&services().lab, &Lab::kernelChanged, this, again);
    for (const QSlider* slider : {m_delay, m_varies})
      connect(slider, &QSlider::valueChanged, this, [this] { setLatency(); });
    makeLarger();
    connect(&comparison(), &Comparison::titlesChanged, this, again);
  }

  void showScene(const Scene&) override {
    if (inFront()) refresh();
  }
  void showBaseline(const Scene&) override {
    if (inFront()) refresh();
  }

  void save(Session& session) const override {
    session.timeline.delay = m_delay->value();
    session.timeline.varies = m_varies->value();
    session.timeline.span = m_view->span();
    session.timeline.measured = m_shown->isChecked();
    session.timeline.betweenTiles = m_between->isChecked();
  }
  void restore(const Session& session) override {
    m_delay->setValue(session.timeline.delay);
    m_varies->setValue(session.timeline.varies);
    m_between->setChecked(session.timeline.betweenTiles);
    setSpan(session.timeline.span);
    m_spanOf = session.timeline.span ? session.state.stage : nullptr;
    m_shown->setChecked(session.timeline.measured);
    if (inFront()) refresh();
  }
  void resetView() override { restore(Session()); }

  // The rows of both, one above the other.
  int heightWanted() const override {
    constexpr int kLines = 24;
    return comparing() ? kLines * m_view->fontMetrics().height() : 0;
  }

  QWidget* focusTarget() const override { return m_view; }

  Caption caption(Caption usual) const override {
    const TimelineData& data = m_view->data();
    if (!data.ready()) return usual;
    usual.shown = timelineSentence(data);
    if (comparing()) usual.shown = ofBoth(timelineSentence(m_baseline->data()), usual.shown);
    usual.origin = tr("%1 · predicted by a virtual clock with the rates of %2")
                       .arg(usual.origin, figures::deviceText(data.device));
    if (!m_measured->isHidden())
      usual.origin += tr(" · below it timestamps on %1, %2")
                          .arg(figures::deviceText(m_measured->data().device),
                               QString::fromStdString(data.beside->measured.when).left(10));
    return usual;
  }

  void prepare() override {
    QEventLoop loop;
    do {
      refresh();
      while (m_now.pending() || m_seam.pending() || m_before.pending())
        loop.processEvents(QEventLoop::WaitForMoreEvents);
    } while (m_view->data().waiting);
    refresh();
  }

  QSizeF naturalSize(const QSizeF& screen) const override {
    return screen.expandedTo(m_view->minimumSizeHint());
  }
  double leastHeight(double, const QFont&) const override {
    double least = m_view->minimumSizeHint().height();
    if (comparing()) least += m_baseline->minimumSizeHint().height();
    if (!m_measured->isHidden()) least += m_measured->minimumSizeHint().height();
    return least;
  }

  QString whyEmpty(const QString& file) const override {
    const TimelineData& data = m_view->data();
    if (data.ready() || data.waiting || data.trouble.isEmpty()) return {};
    return tr("\"%1\" is not written: %2").arg(file, data.trouble);
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    QPainter& p = painterOf(painter);
    const Fonts fonts = Fonts::of(sheet.font);
    const QRectF canvas(QPointF(0, 0), sheet.size);
    p.fillRect(canvas, sheet.theme.ground);
    if (!comparing()) {
      paintAlone(p, canvas, QFontMetricsF(fonts.body).height() + 4, sheet.theme, fonts);
      return;
    }
    // Each gets its share: more warps need more rows.
    const double above = m_baseline->minimumSizeHint().height();
    const double part = canvas.height() * above / (above + m_view->minimumSizeHint().height());
    const auto side = [&](const TimelineView& view, double top, double height) {
      const QRectF place(0, 0, canvas.width(), height);
      p.save();
      p.translate(0, top);
      p.setClipRect(place, Qt::IntersectClip);
      view.paintTo(p, place, sheet.theme, fonts);
      p.restore();
    };
    side(*m_baseline, 0, part);
    side(*m_view, part, canvas.height() - part);
  }

  QString write(const QString& file, const Sheet& sheet, bool asOnScreen) const override {
    const bool json = file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    const bool csv = file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
    if (!json && !csv) return Page::write(file, sheet, asOnScreen);
    const TimelineData& data = m_view->data();
    if (!data.ready()) return whyEmpty(file);
    const QString name = tr("%1, %2").arg(figures::stageText(data.rung()),
                                          figures::tileText(data.rung(), data.tile));
    return writeBytes(
        QByteArray::fromStdString(json ? traceOf(data, name) : timeline::spanTable(*data.timeline)),
        file);
  }

 protected:
  void cameToFront() override { refresh(); }

  void refresh() override {
    const Explorer& explorer = services().explorer;
    if (!explorer.scene().ready()) return;
    // A span in cycles of one kernel means nothing for another.
    const Stage* stage = explorer.scene().recording->trace.rung();
    if (stage == &explorer.stage() && m_view->span() && m_spanOf != stage) {
      if (m_spanOf != nullptr) setSpan(std::nullopt);
      m_spanOf = m_view->span() ? stage : nullptr;
    }
    const bool both = explorer.baseline().ready();
    const bool stay = blocksStay(explorer.scene()) && (!both || blocksStay(explorer.baseline()));
    m_between->setVisible(stay);
    const bool between = stay && m_between->isChecked();
    m_shown->setVisible(!both);
    m_predicted->setVisible(both);
    m_seam.setStamps(m_now.stamps());
    if (!between) m_seam.clear();
    m_before.setBetweenTiles(between);
    TimelineData now = (between ? m_seam : m_now).show(explorer.scene());
    // The scene is still that of the former tile while the chosen one is being recorded.
    if (presentRecording(services()) == nullptr) now.another = now.ready();
    // The limit is known for memory at its usual speed.
    if (const auto limit = launchLimit(services()); limit && now.delay == 0 && now.varies == 0)
      now.limit = QString::fromStdString(shortText(*limit));
    m_baseline->setVisible(both);
    m_baseline->setOverSameAxis(both ? m_view : nullptr);
    m_view->setOverSameAxis(both ? m_baseline : nullptr);
    if (both) {
      TimelineData before = m_before.show(explorer.baseline());
      const emulator::Trace& trace = explorer.baseline().recording->trace;
      if (trace != explorer.pinned()) before.another = before.ready();
      // On the same axis, which ends where the shorter one does.
      const double end = before.usualEnd > 0 && now.usualEnd > 0
                             ? std::min(now.usualEnd, before.usualEnd)
                             : std::max(now.usualEnd, before.usualEnd);
      now.usualEnd = before.usualEnd = end;
      if (between) showBothSeams(now, before);
      before.brief = true;
      now.cycles = false;
      std::tie(before.title, now.title) = titlesOf(before, now);
      m_baseline->setData(std::move(before));
    } else {
      m_before.clear();
    }
    const bool wanted = m_shown->isChecked() && !both && now.ready();
    const bool measured = wanted && now.beside != nullptr;
    if (measured) {
      makeRoomForMeasured(now);
      m_measured->setData(measuredData(now));
    }
    m_measured->setVisible(measured);
    m_noStamps->setText(now.noStamps);
    m_noStamps->setToolTip(now.noStamps);
    m_noStamps->setVisible(wanted && !measured && !now.noStamps.isEmpty());
    m_view->setData(std::move(now));
    offerLarger(between);
  }

 private:
  static constexpr int kLeastSlider = 90;  // pixels

  static bool blocksStay(const Scene& scene) {
    return scene.ready() && scene.recording->trace.features().persistent;
  }

  // How their titles differ: by name for two rungs, so that figures fit beside them.
  std::pair<QString, QString> titlesOf(const TimelineData& before, const TimelineData& now) const {
    if (before.rung() == nullptr || now.rung() == nullptr || before.rung() == now.rung())
      return comparison().titles();
    const auto name = [](const Stage& stage) {
      return tr("%1 %2").arg(figures::rungText(stage), toQString(stage.title));
    };
    return {name(*before.rung()), name(*now.rung())};
  }

  // On an axis that shows all of both.
  static void showBothSeams(TimelineData& now, TimelineData& before) {
    if (!now.seam || !before.seam) return;
    now.usualBegin = before.usualBegin = std::min(now.seam->from, before.seam->from);
    now.usualEnd = before.usualEnd = std::max(now.seam->to, before.seam->to);
  }

  // Of the present tile.
  TimelineSide& shownSide() { return m_view->data().seam ? m_seam : m_now; }

  bool comparing() const { return services().explorer.baseline().ready(); }

  void setSpan(const std::optional<CycleSpan>& span) {
    for (TimelineView* view : {m_view, m_baseline, m_measured}) view->setSpan(span);
    m_spanOf = span ? &services().explorer.stage() : nullptr;
  }

  // Predicted above measured, or above the sentence that says why there are no timestamps.
  void paintAlone(QPainter& p, const QRectF& canvas, double line, const Theme& theme,
                  const Fonts& fonts) const {
    const auto at = [&](const TimelineView& view, double top, double height) {
      p.save();
      p.translate(0, top);
      view.paintTo(p, QRectF(0, 0, canvas.width(), height), theme, fonts);
      p.restore();
    };
    if (!m_measured->isHidden()) {
      const double upper = canvas.height() / 2;
      at(*m_view, 0, upper);
      at(*m_measured, upper, canvas.height() - upper);
    } else if (!m_noStamps->isHidden()) {
      at(*m_view, 0, canvas.height() - line);
      p.setFont(fonts.small);
      p.setPen(theme.soft);
      const QRectF place(8, canvas.height() - line, canvas.width() - 16, line);
      p.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                 fitted(m_noStamps->text(), QFontMetricsF(fonts.small), place.width()));
    } else {
      at(*m_view, 0, canvas.height());
    }
  }

  std::string traceOf(const TimelineData& data, const QString& name) const {
    const timeline::Beside* beside = m_measured->isHidden() ? nullptr : data.beside.get();
    return timeline::chromeTrace(
        *data.timeline, name.toStdString(), beside != nullptr ? &beside->aligned : nullptr,
        beside != nullptr ? timeline::captionOf(beside->measured) : std::string());
  }

  // Opens timestamps, and goes to their tile.
  void openStamps() {
    const QString file = QFileDialog::getOpenFileName(widget(), tr("Open timestamps of a block"),
                                                      {}, tr("Timestamps (*.json);;All files (*)"));
    if (file.isEmpty()) return;
    auto stamps = timeline::readStamps(file.toStdString());
    if (!stamps) {
      QMessageBox::warning(widget(), tr("Open timestamps of a block"),
                           QString::fromStdString(stamps.error()) + QLatin1Char('.'));
      return;
    }
    Explorer& explorer = services().explorer;
    const timeline::Measured& m = *stamps;
    explorer.setStage(*m.rung());
    explorer.setTile(m.tile);
    if (m.format != Format::Fp32) explorer.setHalves(m.format);
    m_shown->setChecked(true);
    m_now.setStamps(std::make_shared<const timeline::Measured>(std::move(*stamps)));
  }

  // If the other views have recorded that instruction, they go there.
  void goTo(int warp, int instruction) {
    Explorer& explorer = services().explorer;
    const auto index = shownSide().inRecording(explorer.scene(), static_cast<std::uint32_t>(warp),
                                               static_cast<std::uint32_t>(instruction));
    if (!index) return;
    explorer.setWarp(warp);
    explorer.setIndex(static_cast<int>(*index));
  }

  QHBoxLayout* makeButtons() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    const auto button = [&](const QString& words, const QString& tip, auto pressed) {
      auto* made = new QToolButton;
      made->setText(words);
      made->setToolTip(tip);
      made->setAutoRaise(true);
      made->setFocusPolicy(Qt::TabFocus);
      connect(made, &QToolButton::clicked, this, pressed);
      row->addWidget(made);
      return made;
    };
    row->addWidget(new QLabel(tr("Show")));
    button(
        tr("launch"), tr("The whole launch of the block, up to where the simulation ends"),
        [this] { zoomTo([](const timeline::Timeline& t) { return std::pair(0.0, t.cycles); }); });
    button(tr("K tiles"),
           tr("The first K tiles, as at the beginning, or those around the change from one tile of "
              "C to the next"),
           [this] { setSpan(std::nullopt); });
    button(tr("one K tile"), tr("One K tile of the steady state"), [this] {
      zoomTo([](const timeline::Timeline& t) {
        if (t.steadyFrom + 1 >= t.tileStarts.size()) return std::pair(0.0, t.cycles);
        return std::pair(t.tileStarts[t.steadyFrom], t.tileStarts[t.steadyFrom + 1]);
      });
    });
    m_here = button(tr("here"), tr("The cycles around the present instruction"), [this] {
      zoomTo([this](const timeline::Timeline& t) {
        const double at = m_view->data().now.value_or(0), around = t.cyclesPerTile / 16;
        return std::pair(at - around, at + around);
      });
    });
    row->addSpacing(8);
    m_between = new QToolButton;
    m_between->setObjectName(QStringLiteral("betweenTiles"));
    m_between->setText(tr("between tiles"));
    m_between->setToolTip(
        tr("What happens while the block changes from one tile of C to the next: whether the "
           "tensor cores are idle, and how C is stored. The present instruction is shown in the "
           "second tile; in the epilogue it is after the last K tile of the first."));
    m_between->setAutoRaise(true);
    m_between->setCheckable(true);
    m_between->setFocusPolicy(Qt::TabFocus);
    connect(m_between, &QToolButton::toggled, this, [this] {
      setSpan(std::nullopt);
      if (inFront()) refresh();
    });
    row->addWidget(m_between);
    m_shown = new QToolButton;
    m_shown->setObjectName(QStringLiteral("measuredShown"));
    m_shown->setText(tr("timestamps"));
    m_shown->setToolTip(
        tr("Shows below the prediction the timestamps that one block of this tile wrote on a GPU"));
    m_shown->setAutoRaise(true);
    m_shown->setCheckable(true);
    m_shown->setChecked(true);
    m_shown->setFocusPolicy(Qt::TabFocus);
    connect(m_shown, &QToolButton::toggled, this, [this] {
      if (inFront()) refresh();
    });
    row->addWidget(m_shown);
    m_shown->setPopupMode(QToolButton::MenuButtonPopup);
    auto* menu = new QMenu(m_shown);
    menu->addAction(tr("Open timestamps…"), this, &TimelinePage::openStamps)
        ->setToolTip(tr("Files that \"tileloom timeline STAGE --measure FILE\" has written"));
    menu->setToolTipsVisible(true);
    m_shown->setMenu(menu);
    m_predicted = new QLabel(tr("both predicted"));
    m_predicted->setObjectName(QStringLiteral("bothPredicted"));
    m_predicted->setToolTip(
        tr("While two tiles are compared, both timelines are predicted. Timestamps are shown only "
           "below the timeline of a single tile."));
    setInk(*m_predicted, Ink::Soft);
    m_predicted->hide();
    row->addWidget(m_predicted);
    row->addStretch(1);
    return row;
  }

  QHBoxLayout* makeSliders() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    const auto slider = [&](const char* name, int most, const QString& before,
                            const QString& accessible, const QString& tip, auto words) {
      auto* label = new QLabel(before);
      label->setToolTip(tip);
      row->addWidget(label);
      auto* made = new QSlider(Qt::Horizontal);
      made->setObjectName(QLatin1String(name));
      made->setRange(0, most);
      made->setSingleStep(10);
      made->setPageStep(100);
      made->setMinimumWidth(kLeastSlider);
      made->setMaximumWidth(320);
      made->setAccessibleName(accessible);
      made->setToolTip(tip);
      row->addWidget(made, 1);
      auto* cycles = new SteadyLabel(words(0), words(most));
      cycles->setToolTip(tip);
      row->addWidget(cycles);
      connect(made, &QSlider::valueChanged, cycles,
              [cycles, words](int value) { cycles->setText(words(value)); });
      return made;
    };
    m_delay = slider("timelineDelay", kMostDelay, tr("Memory takes longer by"),
                     tr("Cycles that memory takes longer"),
                     tr("Adds this many cycles to the latency of global memory. Prefetching hides "
                        "it; a wait right after the load does not."),
                     [](int cycles) { return tr("%1 cycles").arg(figures::grouped(cycles)); });
    row->addSpacing(4);
    m_varies =
        slider("timelineVaries", kMostVaries, tr("and up to"),
               tr("Cycles by which the latency of memory varies"),
               tr("Adds a random delay, from 0 to this many cycles, to each K tile of A and each "
                  "of B. The uniform distribution is an assumption and was not measured. The delay "
                  "depends only on the K tile, so two kernels that are compared get the same "
                  "delays. Cycles per K tile are then an average over up to 64."),
               [](int cycles) { return tr("%1 more").arg(figures::grouped(cycles)); });
    row->addStretch(1);
    return row;
  }

  // In the middle of the page, below the sentence that says why there is nothing to show.
  void makeLarger() {
    m_larger = new QPushButton;
    m_larger->setObjectName(QStringLiteral("largerSize"));
    m_larger->hide();
    auto* middle = new QVBoxLayout(m_view);
    middle->addSpacing(8);
    middle->addStretch(1);
    middle->addWidget(m_larger, 1, Qt::AlignHCenter | Qt::AlignTop);
    connect(m_larger, &QPushButton::clicked, this, [this] {
      if (m_withSeam) services().explorer.setProblem(*m_withSeam);
    });
  }

  // Offers a size at which both have a change from one tile of C to the next.
  void offerLarger(bool between) {
    m_withSeam.reset();
    const Explorer& explorer = services().explorer;
    if (between && !m_view->data().ready() && !m_view->data().waiting) {
      m_withSeam = explorer.problem();
      for (const Scene* scene : {&explorer.scene(), &explorer.baseline()}) {
        if (!scene->ready() || !m_withSeam) continue;
        const auto& trace = scene->recording->trace;
        m_withSeam = timeline::sizeWithSeam(trace, *m_withSeam);
      }
    }
    if (m_withSeam) m_larger->setText(tr("Show %1").arg(figures::sizeText(*m_withSeam)));
    m_larger->setVisible(m_withSeam.has_value());
  }

  void setLatency() {
    for (TimelineSide* side : {&m_now, &m_seam, &m_before})
      side->setLatency(m_delay->value(), m_varies->value());
  }

  template <class Range>
  void zoomTo(Range range) {
    if (!m_view->data().ready()) return;
    const auto [from, to] = range(*m_view->data().timeline);
    const int first = std::max(0, static_cast<int>(from));
    setSpan(CycleSpan{first, std::max(first + 1, static_cast<int>(to) + 1)});
  }

  TimelineSide& m_now;    // the present tile
  TimelineSide m_seam;    // the change between two tiles of C
  TimelineSide m_before;  // the baseline
  TimelineView* m_view = nullptr;
  TimelineView* m_baseline = nullptr;
  TimelineView* m_measured = nullptr;  // timestamps
  ElidedLabel* m_noStamps = nullptr;   // why there are none
  QToolButton* m_shown = nullptr;      // shows either of them
  QToolButton* m_between = nullptr;
  QToolButton* m_here = nullptr;
  const Stage* m_spanOf =
      nullptr;  // the rung whose cycles the shown span counts; null: no span is chosen
  QLabel* m_predicted = nullptr;  // instead of m_shown, while two tiles are compared
  QSlider* m_delay = nullptr;
  QSlider* m_varies = nullptr;
  QPushButton* m_larger = nullptr;  // shows m_withSeam
  std::optional<Problem> m_withSeam;
};

}  // namespace

const PageRow& timeline_page() {
  static constexpr PageRow row{
      .id = "timeline",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Timeline"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Ti&meline"),
      .key = Qt::Key_K,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "What each warp does and what it waits for, on a virtual clock"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The ti&meline…"),
      .make = makePage<TimelinePage, timeline_page>,
      .hidesSourceStrip = true,
      .hidesTimeStrip = true,
      .showsBothSides = true,
      .moves = true,
      .exportsData = true,
      .pictureHeight = 460,
  };
  return row;
}

}  // namespace tileloom
