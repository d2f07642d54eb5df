// SPDX-License-Identifier: GPL-3.0-or-later
// All rungs, the tiles of the history, or one rung on several devices race with cuBLAS to fill the
// same C.
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "app/export/export.h"
#include "app/pages/page.h"
#include "app/services/services.h"
#include "kernels/analysis/counts/costliest.h"
#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/model/why/costliest_access.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/words.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/choice_box.h"
#include "viz/charts/race/race_view.h"
#include "viz/charts/race/race_words.h"

namespace tileloom {
namespace {

// When the fast kernels have finished their first C and the others have not, in seconds.
constexpr double kAfterAWhile = 1.3 * Race::kLap;

RaceSpeed speedOf(Freshness freshness) {
  return freshness == Freshness::Live       ? RaceSpeed::Live
         : freshness == Freshness::Recorded ? RaceSpeed::Recorded
                                            : RaceSpeed::Stale;
}

class RacePage : public Page {
 public:
  RacePage(const PageRow& row, PageContext& context) : Page(row, context), m_race(new RaceView) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    m_who = new ChoiceBox;
    m_who->setObjectName(QStringLiteral("racers"));
    m_who->setAccessibleName(tr("Which kernels race"));
    m_who->addItems({tr("all rungs, default tiles"), tr("tiles of the history"),
                     tr("this rung on each device")});
    m_note = new ElidedLabel;
    m_note->setObjectName(QStringLiteral("raceNote"));
    setInk(*m_note, Ink::Soft);
    auto* again = new QPushButton(tr("Start again"));
    again->setObjectName(QStringLiteral("raceAgain"));
    m_pause = new QPushButton;
    m_pause->setObjectName(QStringLiteral("racePause"));
    line->addWidget(m_who);
    line->addWidget(m_note, 1);
    line->addWidget(again);
    line->addWidget(m_pause);
    column->addLayout(line);
    column->addWidget(m_race, 1);
    setWidget(scrolled(page));

    Services& s = services();
    connect(m_who, &QComboBox::currentIndexChanged, this, [this] {
      m_race->restart();
      fill();
    });
    connect(again, &QPushButton::clicked, this, [this] {
      m_race->restart();
      m_race->setRunning(true);
      nameButton();
    });
    connect(m_pause, &QPushButton::clicked, this, [this] {
      m_race->setRunning(!m_race->running());
      nameButton();
    });
    connect(m_race, &RaceView::picked, this, &RacePage::pick);
    connect(&s.lab, &Lab::ladderChanged, this, &RacePage::fill);
    connect(&s.lab, &Lab::historyChanged, this, &RacePage::fill);
    connect(&s.explorer, &Explorer::recordingChanged, this, &RacePage::explain);
    connect(&s.lab, &Lab::kernelChanged, this, &RacePage::explainAgain);
    connect(&s.explorer, &Explorer::choiceChanged, this, [this] {
      if (m_who->currentIndex() == 2) fill();
    });
    nameButton();
    refreshWithFigures();
  }

  void setStill(bool still) override {
    m_race->setStill(still);
    // A stopped race shows all kernels after a while.
    if (still) m_race->setSeconds(kAfterAWhile);
  }
  QWidget* focusTarget() const override { return m_race; }
  QSizeF naturalSize(const QSizeF& screen) const override {
    return screen.expandedTo(m_race->sizeHint());
  }
  Caption caption(Caption usual) const override {
    usual.title = tr("Every kernel fills the same C at %1")
                      .arg(QString::fromStdString(toString(services().explorer.problem())));
    usual.shown = tr("how much of C is done %1 after the start, wave after wave of blocks; which "
                     "kernels have filled it, in which order and after which time")
                      .arg(launchTimeText(m_race->data().elapsed()));
    if (m_byShares)
      usual.shown +=
          tr("; each at its share of cuBLAS in the same run, at the speed of one cuBLAS");
    if (!services().lab.ladderSource().isEmpty()) usual.origin = services().lab.ladderSource();
    return usual;
  }
  void prepare() override { fill(); }
  // The race after a while, not its start.
  void pose() override {
    m_race->setSeconds(kAfterAWhile);
    m_race->setRunning(false);
    nameButton();
  }
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    m_race->paintTo(painterOf(painter), sheet.size);
  }

 protected:
  void cameToFront() override { fill(); }
  void refresh() override { fill(); }

 private:
  void nameButton() { m_pause->setText(m_race->running() ? tr("Pause") : tr("Resume")); }

  void fill() {
    if (!inFront() && !m_race->data().racers.empty()) return;
    const Lab& lab = services().lab;
    const Problem& problem = services().explorer.problem();
    std::vector<Racer> racers;
    double cublas = 0;
    RaceSpeed paced = RaceSpeed::Recorded;
    const auto pace = [&](double gflops, RaceSpeed source) {
      if (gflops <= cublas) return;
      cublas = gflops;
      paced = source;
    };
    if (m_who->currentIndex() == 0) {
      for (const LadderBar& bar : lab.ladder()) {
        // cuBLAS sets the pace, and its speed depends on the number format.
        if (bar.rung() == nullptr || bar.rung()->ladder != services().explorer.stage().ladder)
          continue;
        Racer& r = racers.emplace_back(racer(*bar.rung(), bar.tile, problem));
        r.name = QStringLiteral("%1 %2").arg(figures::rungText(*bar.rung()),
                                             toQString(bar.rung()->title));
        r.brief = figures::rungText(*bar.rung());
        r.source = speedOf(bar.freshness);
        if (bar.gflops.known()) r.gflops = bar.gflops.median;
        if (bar.ratio.known()) r.ratio = bar.ratio.median;
        if (bar.gflops.known() && bar.ratio.known() && bar.ratio.median > 0)
          pace(bar.gflops.median / bar.ratio.median, r.source);
      }
    } else if (m_who->currentIndex() == 1) {
      addHistory(racers, pace);
    } else {
      addDevices(racers);
    }
    m_note->setText(noteOn(racers));
    // Runs at different times differ in clock: where all kernels have their share of cuBLAS in the
    // same run, they race with these shares. Otherwise the ratio is to the pacer, as the times.
    m_byShares = cublas > 0 && std::ranges::all_of(racers, [](const Racer& r) {
                   return r.gflops <= 0 || (r.ratio > 0 && r.source != RaceSpeed::Predicted);
                 });
    for (Racer& r : racers) {
      if (cublas <= 0 || r.ratio <= 0) continue;
      if (m_byShares) r.racing = r.ratio * cublas;
      if (!m_byShares) r.ratio = r.gflops / cublas;
    }
    if (m_byShares && m_note->text().isEmpty())
      m_note->setText(tr("by share of cuBLAS in the same run"));
    if (cublas > 0) {
      Racer& r = racers.emplace_back();
      r.name = tr("%1 in the fastest of these runs, the pacer")
                   .arg(figures::libraryName(services().explorer.format()));
      r.brief = tr("cuBLAS");
      r.gflops = cublas;
      r.source = paced;
    }
    m_race->setWork(2.0 * problem.m * problem.n * problem.k);
    m_race->setRacers(std::move(racers));
  }

  template <class Pace>
  void addHistory(std::vector<Racer>& racers, Pace&& pace) const {
    constexpr std::size_t kMost = 24;  // the latest ones
    const Lab& lab = services().lab;
    std::set<std::pair<const Stage*, std::string>> seen;
    for (auto p = lab.history().rbegin(); p != lab.history().rend() && racers.size() < kMost; ++p) {
      if (p->rung() == nullptr || p->format != services().explorer.format() ||
          !(p->problem == services().explorer.problem()))
        continue;
      const std::string tile = tileText(*p->rung(), p->tile);
      if (!seen.insert({p->rung(), tile}).second) continue;
      Racer& r = racers.emplace_back(racer(*p->rung(), p->tile, p->problem));
      r.name = QStringLiteral("%1 · %2").arg(figures::rungText(*p->rung()),
                                             QString::fromStdString(tile));
      r.brief = figures::rungText(*p->rung());
      if (p->gflops.known()) {
        r.gflops = p->gflops.median;
        r.source = speedOf(p->freshness);
        if (p->ratio.known()) r.ratio = p->ratio.median;
      } else if (p->forecast) {
        r.gflops = p->forecast->gflops;
        r.source = RaceSpeed::Predicted;
      }
      if (p->cublas.known()) pace(p->cublas.median, speedOf(p->freshness));
    }
  }

  // Each device has its own cuBLAS; the fastest one sets the pace.
  void addDevices(std::vector<Racer>& racers) const {
    const Explorer& explorer = services().explorer;
    for (const HistoryPoint& p : services().lab.onEveryDevice(
             {&explorer.stage(), explorer.tile(), explorer.format()}, explorer.problem())) {
      Racer& r = racers.emplace_back(racer(*p.rung(), p.tile, p.problem));
      r.name = tr("%1 on %2").arg(figures::rungText(*p.rung()), p.device);
      if (!(p.tile == explorer.tile()))
        r.name +=
            tr(", its fastest tile %1").arg(QString::fromStdString(tileText(*p.rung(), p.tile)));
      r.brief = figures::deviceText(p.device);
      r.gflops = p.gflops.median;
      r.source = speedOf(p.freshness);
      if (p.ratio.known()) r.ratio = p.ratio.median;
      if (!p.cublas.known()) continue;
      Racer& pacer = racers.emplace_back();
      pacer.name = tr("%1 on %2, in the same run").arg(figures::libraryName(p.format), p.device);
      pacer.brief = tr("cuBLAS %1").arg(figures::deviceText(p.device));
      pacer.gflops = p.cublas.median;
      pacer.source = speedOf(p.freshness);
    }
  }

  // Why there is no race.
  QString noteOn(const std::vector<Racer>& racers) const {
    const auto kernels =
        std::ranges::count_if(racers, [](const Racer& r) { return r.rung() != nullptr; });
    const QString size = QString::fromStdString(toString(services().explorer.problem()));
    if (m_who->currentIndex() == 1 && kernels == 0)
      return tr("the history has no tile at %1 yet: change a tile parameter").arg(size);
    if (m_who->currentIndex() != 2 || kernels > 1) return {};
    return (kernels == 0 ? tr("no device has runs of this rung at %1: those that ship are at 1024, "
                              "2048, 4096 and 8192")
                         : tr("only one device has runs of this rung at %1: those that ship of a "
                              "second one are at 4096"))
        .arg(size);
  }

  Racer racer(const Stage& stage, const TileShape& tile, const Problem& problem) const {
    Racer r;
    r.subject() = {&stage, tile, formatOf(stage, services().explorer.halves())};
    r.grid = launchOf(stage, tile, paddedProblem(stage, tile, problem)).grid;
    if (const auto kernel = services().lab.kernelOf(r); kernel && kernel->blocks > 0)
      r.atOnce = services().lab.residencyOf(*kernel).blocks();
    return r;
  }

  void pick(int index) {
    // A copy: another rung replaces the racers.
    const Racer r = m_race->data().at(index);
    if (r.rung() == nullptr) return m_race->freeze(-1, {});
    m_race->freeze(index, tr("looking for its costliest access …"));
    Explorer& explorer = services().explorer;
    m_picked = index;
    explorer.setPlaying(false);
    explorer.setStage(*r.rung());
    explorer.setTile(r.tile);
    if (explorer.scene().ready()) explain(explorer.scene());
  }

  // Once the picked racer is recorded: goes to its costliest access.
  void explain(const Scene& scene) {
    if (m_picked < 0 || m_picked >= m_race->data().count()) return;
    const Racer& r = m_race->data().at(m_picked);
    const auto& trace = scene.recording->trace;
    if (trace.rung() != r.rung() || !(trace.tile == r.tile)) return;
    const int racer = std::exchange(m_picked, -1);
    std::uint32_t index = 0;
    const auto words = costliest(scene, index);
    m_explained = words ? racer : -1;
    m_led = index;
    if (!words) return m_race->freeze(racer, tr("it accesses no memory in the loop"));
    m_race->freeze(racer, *words);
    // After the explorer has published the recording of this index.
    QMetaObject::invokeMethod(
        &services().explorer,
        [this, index] { services().explorer.setIndex(static_cast<int>(index)); },
        Qt::QueuedConnection);
  }

  // The kernel may become known only after its recording; another access may be the costliest then.
  void explainAgain() {
    const Scene& scene = services().explorer.scene();
    if (m_explained < 0 || m_explained != m_race->data().frozen || !scene.ready() || scene.stale ||
        services().explorer.recording() || scene.moment.index != m_led)
      return;
    m_picked = m_explained;
    explain(scene);
  }

  // The costliest access of the kernel, and a sentence on it: in predicted cycles if its registers
  // and the rates of the device are known, else in passes through the memory pipes.
  std::optional<QString> costliest(const Scene& scene, std::uint32_t& index) const {
    const auto& recording = *scene.recording;
    const std::uint32_t warp = scene.moment.warp;
    if (const auto costs = costsOf(recording.trace)) {
      if (const auto found = model::costliestAccess(recording, warp, *costs)) {
        index = found->index;
        return tr("%1 % of its predicted time, most of it %2 (%3)")
            .arg(qRound(100 * found->share))
            .arg(QString::fromStdString(std::string(model::name(found->cost))),
                 describeMoment(recording.moment(warp, index)));
      }
    }
    const auto found = analysis::costliestAccess(recording, warp);
    if (!found) return std::nullopt;
    index = found->index;
    return tr("%1 % of the passes through its memory pipes (%2)")
        .arg(qRound(100 * found->share))
        .arg(describeMoment(recording.moment(warp, index)));
  }

  std::optional<model::TileCosts> costsOf(const emulator::Trace& trace) const {
    const auto kernel = services().lab.kernelOf(trace);
    if (!kernel || kernel->blocks < 1) return std::nullopt;
    const auto rates = model::ratesOf(*trace.rung(), kernel->arch.toStdString());
    if (!rates) return std::nullopt;
    model::KernelFacts facts;
    facts.registers = kernel->registers;
    facts.spillBytes = kernel->spillBytes;
    facts.shape.blocksPerSm = kernel->blocks;
    if (kernel->loop.ffmas > 0) facts.shape.loop = kernel->loop;
    facts.source = model::Source::MachineCode;
    const analysis::LoopTotals loop = analysis::loopTotals(trace);
    return model::costsOf(trace, services().explorer.problem(), loop.totals, loop.kTiles, facts,
                          *rates);
  }

  RaceView* m_race;
  QComboBox* m_who = nullptr;
  ElidedLabel* m_note = nullptr;
  QPushButton* m_pause = nullptr;
  bool m_byShares = false;  // see Racer::racing
  int m_picked = -1;        // picked; its recording is awaited
  int m_explained = -1;     // the racer explained last, …
  std::uint32_t m_led = 0;  // … and the access that it led to
};

}  // namespace

const PageRow& race_page() {
  static constexpr PageRow row{
      .id = "race",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Race"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Rac&e"),
      .key = Qt::Key_E,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Every kernel fills the same matrix at its measured speed"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The rac&e…"),
      .make = makePage<RacePage, race_page>,
      .hidesSourceStrip = true,
      .showsBothSides = true,
  };
  return row;
}

}  // namespace tileloom
