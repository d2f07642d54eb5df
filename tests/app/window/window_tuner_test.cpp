// SPDX-License-Identifier: GPL-3.0-or-later
// The tuner in the window, on the fake GPU: from start to winner, paused, stopped and continued,
// with a worker that is killed, and without a GPU.
#include <signal.h>

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/pages/tuning/tuning_view.h"
#include "app/services/measuring/tuner.h"
#include "app/window/application.h"
#include "app/window/frame/sight.h"
#include "app/window/main_window.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/charts/tiles/tile_list_model.h"
#include "viz/panels/funnel_bar.h"
#include "viz/panels/tuner_row.h"

namespace tileloom {

using test::stage;
using test::Surroundings;

constexpr const char* kGpu = "jitter=0,polls=0,landscape=0.5,spill-above=32";
constexpr int kEdge = 64;

class WindowTunerTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  // Set TILELOOM_PICTURES to a folder to get the pictures of the tests.
  static void picture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("TILELOOM_PICTURES");
    if (!folder.isEmpty()) widget.grab().save(folder + "/" + name + ".png");
  }

  struct Open {
    explicit Open(LabSetup setup) : window(std::move(setup)) {
      window.resize(1600, 1000);
      window.show();
      window.explorer().setStage(stage("warptiled"));
      window.explorer().setTile(window.explorer().tile());
      window.explorer().setProblem({kEdge, kEdge, kEdge});
      window.showPage("tuning");
      tuner = &window.services().tuner;
      row = window.findChild<TunerRow*>();
    }
    bool ready() {
      return QTest::qWaitFor([this] { return window.lab().canMeasure(); }, test::kPatience);
    }
    bool reaches(TunerState state) {
      return QTest::qWaitFor([this, state] { return tuner->status().state == state; },
                             test::kPatience);
    }
    bool measures(std::size_t jobs) {
      return QTest::qWaitFor([this, jobs] { return tuner->status().progress.jobs >= jobs; },
                             test::kPatience);
    }
    QToolButton& button(const char* name) { return *window.findChild<QToolButton*>(name); }

    MainWindow window;
    Tuner* tuner = nullptr;
    TunerRow* row = nullptr;
  };

  LabSetup measuring() const { return {Surroundings::worker(), m_around->historyPath(), true}; }

  // That of tests/app/tune_test.cpp, in the terms of the window.
  static tuning::TuneRequest small() {
    tuning::TuneRequest request;
    request.stages = {&stage("warptiled")};
    request.problem = {kEdge, kEdge, kEdge};
    request.space.listed = {{Parameter::BM, {32, 64}},
                            {Parameter::BN, {32, 64}},
                            {Parameter::BK, {8, 16}},
                            {Parameter::WNITER, {1, 2}},
                            {Parameter::TN, {4, 8}}};
    return request;
  }
  static constexpr const char* kSmall =
      "tune warptiled --json --size 64 --parameter BM=32,64 --parameter BN=32,64 --parameter "
      "BK=8,16 --parameter "
      "WNITER=1,2 --parameter TN=4,8";

  std::optional<tuning::TuneLog> journal() const {
    const QDir folder(m_around->path("data/tileloom/tune"));
    const QStringList files = folder.entryList({"*.jsonl"});
    if (files.size() != 1) return std::nullopt;
    auto log = tuning::readJournal(folder.filePath(files[0]).toStdString());
    return log ? std::optional(std::move(*log)) : std::nullopt;
  }
  // How often the most often screened tile was screened.
  static int mostScreens(const tuning::TuneLog& log) {
    std::map<std::size_t, int> count;
    int most = 0;
    for (const auto& event : log.events) {
      const auto* timed = std::get_if<tuning::TimedEvent>(&event);
      if (timed != nullptr && timed->phase == tuning::SearchPhase::Screen)
        most = std::max(most, ++count[timed->candidate]);
    }
    return most;
  }
  std::size_t kept() const {
    const auto file = runs::readRuns(m_around->historyPath());
    return file ? file->runs.size() : 0;
  }

 private slots:
  void init() {
    m_around = std::make_unique<Surroundings>();
    m_around->fakeGpu(kGpu);
  }

  void fromStartToWinner() {
    Open w(measuring());
    QVERIFY(w.ready());
    const auto shownIsMeasured = [&w] {
      const HistoryPoint& p = w.window.lab().history().back();
      return p.gflops.known() && !p.measuring;
    };
    QTRY_VERIFY(shownIsMeasured());
    auto* take = w.window.findChild<QAction*>("takeTuned");
    QVERIFY(!take->isEnabled());
    QVERIFY(w.button("tunerGo").isEnabled() && !w.button("tunerStop").isEnabled());
    const std::size_t before = w.window.lab().runs().size(), own = kept();
    w.tuner->start(small());
    QVERIFY(w.tuner->status().active() && w.button("tunerStop").isEnabled());
    QVERIFY(w.reaches(TunerState::Done));
    const TunerStatus& s = w.tuner->status();
    QVERIFY2(s.trouble.isEmpty(), qPrintable(s.trouble));
    QVERIFY(s.funnel.generated > s.funnel.legal && s.funnel.spilling > 0 && s.funnel.timed > 20);
    QVERIFY(!s.tied.empty() && s.gflops.known());
    QVERIFY2(
        w.row->text().startsWith(s.won ? "winner: " : QString("%1 tiles tie").arg(s.tied.size())),
        qPrintable(w.row->text()));
    QVERIFY(w.row->funnel()->words().endsWith(QString("%1 timed").arg(s.funnel.timed)));
    // Each tile that was timed is a run, on disk and in the window.
    QCOMPARE(kept(), own + s.funnel.timed);
    QCOMPARE(w.window.lab().runs().size(), before + s.funnel.timed);
    picture(w.window, "tuner-done");
    // The same run on the command line is finished, with the same end.
    const auto said = test::runTileloom(QString(kSmall).split(' '));
    QVERIFY2(said.err.contains("was finished before"), said.err.constData());
    const auto sum = nlohmann::json::parse(said.out.begin(), said.out.end());
    QCOMPARE(sum["funnel"]["timed"], s.funnel.timed);
    QCOMPARE(sum["tied"][0]["BM"], s.tied.front().tile[Parameter::BM]);
    QCOMPARE(kept(), own + s.funnel.timed);

    const TileShape best = s.tied.front().tile;
    QVERIFY(w.button("tunerTake").isVisible());
    w.button("tunerTake").click();
    QVERIFY(w.window.explorer().tile() == best);
    QVERIFY(!w.button("tunerTake").isVisible() && !take->isEnabled());
    // It is offered, not used, when the rung is chosen again.
    w.window.explorer().setTile(stage("warptiled").standardTile());
    QVERIFY(take->isEnabled());
    take->trigger();
    QVERIFY(w.window.explorer().tile() == best);
    // The lab has the GPU again.
    QTRY_VERIFY(w.window.lab().history().back().gflops.known());
  }

  // The same lists as on the command line, and the same run.
  void valuesTypedIntoTheRow() {
    Open w(measuring());
    QVERIFY(w.ready());
    auto* parameters = w.window.findChild<QLineEdit*>("tunerKnobs");
    parameters->setText("BM");
    QVERIFY2(w.row->text().startsWith("\"BM\" is not a tile parameter of warptiled"),
             qPrintable(w.row->text()));
    QVERIFY(!w.button("tunerGo").isEnabled());
    parameters->setText("BM=64 BM=128");
    QVERIFY2(w.row->text().contains("BM is listed twice"), qPrintable(w.row->text()));
    parameters->setText("BK=6");
    QTRY_VERIFY(w.row->text().startsWith("No tile with these values is legal"));
    QVERIFY(!w.button("tunerGo").isEnabled());
    picture(w.window, "tuner-wrong");
    parameters->setText(" BM=32,64  BN=32,64 BK=8,16 WNITER=1,2 TN=4,8 ");
    QTRY_VERIFY(w.button("tunerGo").isEnabled());
    const auto space = tuning::spaceOf(stage("warptiled"), small().space);
    const QString legal = QString("%1 legal").arg(space->legal.size());
    QTRY_VERIFY2(w.row->funnel()->words().contains(legal),
                 qPrintable(legal + ": " + w.row->funnel()->words()));
    w.button("tunerGo").click();
    QVERIFY(!parameters->isEnabled());
    QVERIFY(w.reaches(TunerState::Done));
    QVERIFY(parameters->isEnabled());
    picture(w.window, "tuner-listed");
    const auto said = test::runTileloom(QString(kSmall).split(' '));
    QVERIFY2(said.err.contains("was finished before"), said.err.constData());
  }

  // Rungs are added in the menu; the winner may be of another rung than the shown one, and is used
  // with it. The command line finds the same run.
  void severalRungs() {
    Open w(measuring());
    QVERIFY(w.ready());
    QToolButton& rungs = w.button("tunerRungs");
    QCOMPARE(rungs.text(), QString("this rung"));
    const auto box = [&](const char* id) { return rungs.menu()->actions()[stage(id).rung - 1]; };
    QVERIFY(box("warptiled")->isChecked() && !box("warptiled")->isEnabled());
    box("padded")->trigger();
    box("naive")->trigger();
    QCOMPARE(rungs.text(), QString("rungs 1, 8, 9"));
    box("naive")->trigger();
    QCOMPARE(rungs.text(), QString("rungs 8, 9"));
    // A click, or the space bar, checks a box, and the menu stays for the next one.
    QMenu& menu = *rungs.menu();
    menu.popup(rungs.mapToGlobal(rungs.rect().bottomLeft()));
    QVERIFY(QTest::qWaitForWindowExposed(&menu));
    QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(box("shared")).center());
    QCOMPARE(rungs.text(), QString("rungs 3, 8, 9"));
    QVERIFY(menu.isVisible());
    picture(menu, "tuner-rungs-menu");
    menu.setActiveAction(box("shared"));
    QTest::keyClick(&menu, Qt::Key_Space);
    QCOMPARE(rungs.text(), QString("rungs 8, 9"));
    QVERIFY(menu.isVisible());
    QTest::keyClick(&menu, Qt::Key_Escape);
    QVERIFY(!menu.isVisible());
    auto* parameters = w.window.findChild<QLineEdit*>("tunerKnobs");
    parameters->setText("BM=32,64 BN=32,64 BK=8,16 WNITER=1,2 TN=4,8 PAD=4");
    QTRY_VERIFY(w.button("tunerGo").isEnabled());
    const auto legal = [](const char* id, bool pad) {
      tuning::SpaceOptions its = small().space;
      if (pad) its.listed.push_back({Parameter::PAD, {4}});
      return tuning::spaceOf(stage(id), its)->legal.size();
    };
    const QString both = QString("%1 legal").arg(legal("warptiled", false) + legal("padded", true));
    QTRY_VERIFY2(w.row->funnel()->words().contains(both), qPrintable(w.row->funnel()->words()));
    // A rung that is not selected is tuned alone.
    w.window.explorer().setStage(stage("vectorized"));
    QCOMPARE(rungs.text(), QString("this rung"));
    w.window.explorer().setStage(stage("padded"));
    QCOMPARE(rungs.text(), QString("rungs 8, 9"));
    picture(w.window, "tuner-rungs-before");
    w.button("tunerGo").click();
    QVERIFY(!rungs.isEnabled());
    QVERIFY(w.measures(3));
    picture(w.window, "tuner-rungs-running");
    QVERIFY(w.reaches(TunerState::Done));
    const TunerStatus& s = w.tuner->status();
    QVERIFY2(s.trouble.isEmpty(), qPrintable(s.trouble));
    const Subject best = s.tied.front();
    const QString named = QString("rung %1: BM").arg(best.rung()->rung);
    QVERIFY2(w.row->text().contains(named), qPrintable(w.row->text()));
    picture(w.window, "tuner-rungs-done");
    // From each of them.
    const char* other = best.rung() == &stage("padded") ? "warptiled" : "padded";
    w.window.explorer().setStage(stage(other));
    QVERIFY(w.button("tunerTake").isVisible());
    w.button("tunerTake").click();
    QVERIFY(&w.window.explorer().stage() == best.rung() && w.window.explorer().tile() == best.tile);
    QVERIFY(!w.button("tunerTake").isVisible());
    const auto said =
        test::runTileloom(QString("tune 8,9 --json --size 64 --parameter BM=32,64 --parameter "
                                  "BN=32,64 --parameter BK=8,16 --parameter "
                                  "WNITER=1,2 --parameter TN=4,8 --parameter PAD=4")
                              .split(' '));
    QVERIFY2(said.err.contains("was finished before"), said.err.constData());
    const auto sum = nlohmann::json::parse(said.out.begin(), said.out.end());
    QCOMPARE(sum["tied"][0]["stage"].get<std::string>(), std::string(best.rung()->id));
  }

  void pausedAndGoneOnWith() {
    m_around->fakeGpu(QByteArray(kGpu) + ",slow-stage=warptiled:0.2");
    Open w(measuring());
    QVERIFY(w.ready());
    w.tuner->start(small());
    QVERIFY(w.measures(5));
    // The list, and with it the map, fills during the run.
    w.window.view<TuningView>()->choose({.form = TuningForm::List});
    const auto live = [&w] {
      const auto& figures = w.window.view<TuningView>()->list()->figures();
      return std::ranges::count(figures, tuning::TileFigure::Kind::Live, &tuning::TileFigure::kind);
    };
    QTRY_VERIFY(live() >= 5);
    w.window.view<TuningView>()->choose({.form = TuningForm::Map});
    QVERIFY(w.tuner->hasGpu() && w.window.lab().workerStatus().contains("The tuner has the GPU"));
    QVERIFY(!w.window.lab().history().back().measuring);
    QCOMPARE(w.button("tunerGo").text(), QString("Pause"));
    w.button("tunerGo").click();
    QVERIFY(w.tuner->status().state == TunerState::Paused);
    QCOMPARE(w.button("tunerGo").text(), QString("Resume"));
    QVERIFY2(w.row->text().startsWith("paused; screen: "), qPrintable(w.row->text()));
    picture(w.window, "tuner-paused");
    // The shown tile has its turn.
    QTRY_VERIFY(w.window.lab().history().back().gflops.known());
    const std::size_t jobs = w.tuner->status().progress.jobs;
    QTest::qWait(300);
    QVERIFY(w.tuner->status().progress.jobs <= jobs + 1);  // what was running
    w.button("tunerGo").click();
    QVERIFY(w.measures(jobs + 5));
    picture(w.window, "tuner-running");
    // Predictions arrive when other processes have compiled their kernels.
    const auto predicted = [this] {
      const auto log = journal();
      return log && std::ranges::any_of(log->events, [](const auto& event) {
               return std::holds_alternative<tuning::PredictedEvent>(event);
             });
    };
    QTRY_VERIFY(predicted());
    w.window.resize(1280, 720);
    w.window.sight().setLook(Look::Light);
    QTest::qWait(200);
    picture(w.window, "tuner-running-small");
    w.window.sight().setLook(Look::Dark);
    w.button("tunerStop").click();
    QVERIFY(w.tuner->status().state == TunerState::Idle);
    QVERIFY2(w.row->text().startsWith("stopped after "), qPrintable(w.row->text()));
  }

  void theCommandLineGoesOn() {
    std::size_t left = 0;
    {
      Open w(measuring());
      QVERIFY(w.ready());
      w.tuner->start(small());
      QVERIFY(w.measures(10));
      left = w.tuner->status().progress.jobs;
    }
    const auto said = test::runTileloom(QString(kSmall).split(' '));
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.contains("continuing after"), said.err.constData());
    const auto log = journal();
    QVERIFY(log && log->events.size() > left);
    QCOMPARE(mostScreens(*log), 1);
  }

  void restarted() {
    Open w(measuring());
    QVERIFY(w.ready());
    QVERIFY(!w.button("tunerAnew").isVisible());
    tuning::TuneRequest request = small();
    w.tuner->start(request);
    QVERIFY(w.reaches(TunerState::Done));
    const std::size_t jobs = w.tuner->status().progress.jobs;
    QVERIFY(w.button("tunerAnew").isVisible());
    QVERIFY(w.tuner->measured().empty());  // they are in the history now
    w.tuner->start(request);               // that run has ended, and so it says again
    QVERIFY(w.reaches(TunerState::Done));
    QCOMPARE(w.tuner->status().resumedFrom, jobs);
    w.tuner->start(request, Tuner::Begin::Anew);
    QVERIFY(w.measures(1));
    QCOMPARE(w.tuner->status().resumedFrom, std::size_t(0));
    QVERIFY(!w.button("tunerAnew").isVisible());
    const QDir folder(m_around->path("data/tileloom/tune"));
    QCOMPARE(folder.entryList({"*.old1"}).size(), 1);
    QVERIFY(journal().has_value());
  }

  void stoppedAndStartedAgain() {
    std::size_t left = 0;
    {
      Open w(measuring());
      QVERIFY(w.ready());
      w.tuner->start(small());
      QVERIFY(w.measures(10));
      w.tuner->stop();
      w.tuner->start(small());
      QVERIFY(w.measures(20));
      QVERIFY(w.tuner->status().resumedFrom >= 10);
      // Another process would get in its way, and says so.
      const auto said = test::runTileloom(QString(kSmall).split(' '));
      QVERIFY2(said.err.contains("another process is tuning"), said.err.constData());
      left = w.tuner->status().progress.jobs;
    }
    QVERIFY(journal().has_value() && kept() <= 2);
    Open w(measuring());
    QVERIFY(w.ready());
    w.tuner->start(small());
    QVERIFY(w.reaches(TunerState::Done));
    QVERIFY(w.tuner->status().resumedFrom >= left);
    const auto log = journal();
    QVERIFY(log.has_value());
    QCOMPARE(mostScreens(*log), 1);
  }

  void workerKilledInTheMiddle() {
    m_around->fakeGpu(QByteArray(kGpu) + ",slow-stage=warptiled:0.2");
    Open w(measuring());
    QVERIFY(w.ready());
    w.tuner->start(small());
    QVERIFY(w.measures(8));
    QCOMPARE(::kill(static_cast<pid_t>(w.window.lab().client().processId()), SIGKILL), 0);
    const std::size_t jobs = w.tuner->status().progress.jobs;
    QVERIFY(w.measures(jobs + 10));
    QVERIFY(w.tuner->status().state == TunerState::Running);
    QVERIFY(w.tuner->status().funnel.failed <= 1);
    const auto log = journal();
    QVERIFY(log.has_value());
    QCOMPARE(mostScreens(*log), 1);
    // A click of the user starts it, too; the window may be closed at any moment.
    w.tuner->stop();
    w.button("tunerGo").click();
    QVERIFY(w.tuner->status().active());
  }

  void aWorkerThatCannotBeHad() {
    m_around->fakeGpu(QByteArray(kGpu) + ",abort=launch");
    Open w(measuring());
    QVERIFY(w.ready());
    w.tuner->start(small());
    QVERIFY(w.reaches(TunerState::Failed));
    QVERIFY2(w.tuner->status().trouble.contains("not started again"),
             qPrintable(w.tuner->status().trouble));
    QCOMPARE(w.row->text(), w.tuner->status().trouble);
    QVERIFY(!w.tuner->hasGpu());
  }

  void withoutAGpu() {
    Surroundings::nothing();
    Open w({{}, {}, false});
    QTRY_VERIFY(w.row->funnel()->words().endsWith(" legal"));
    QVERIFY2(w.row->funnel()->words().contains("15,360 legal"),
             qPrintable(w.row->funnel()->words()));
    QVERIFY(w.row->text().contains("15,360 legal") && w.row->text().contains("needs a GPU"));
    QVERIFY(!w.button("tunerGo").isEnabled() && !w.button("tunerStop").isEnabled());
    QVERIFY(!w.window.findChild<QComboBox*>("tunerBudget")->isEnabled());
    QVERIFY(!w.window.findChild<QAction*>("takeTuned")->isEnabled());
    w.window.explorer().setProblem({4096, 4096, 4096});
    picture(w.window, "tuner-no-gpu");
    w.tuner->start(small());
    QVERIFY(w.tuner->status().state == TunerState::Failed);
    QVERIFY(w.tuner->status().trouble.contains("needs a GPU"));
    w.window.explorer().setStage(stage("naive"));
    QTRY_VERIFY(!w.row->funnel()->words().contains("15,360") &&
                w.row->funnel()->words().endsWith(" legal"));
    w.window.resize(1280, 720);
    picture(w.window, "tuner-no-gpu-small");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowTunerTest, Window)
#include "window_tuner_test.moc"
