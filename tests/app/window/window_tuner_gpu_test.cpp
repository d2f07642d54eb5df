// SPDX-License-Identifier: GPL-3.0-or-later
// The tuner in the window on this machine's own GPU; skipped with a message if there is none.
#include <QtTest>
#include <set>

#include "app/pages/tuning/tuning_view.h"
#include "app/services/measuring/tuner.h"
#include "app/window/application.h"
#include "app/window/main_window.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/tile/parameters.h"
#include "kernels/tuning/journal.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/panels/tuner_row.h"

namespace tileloom {

using test::stage;
using test::Surroundings;

constexpr int kPatience = 600000;

class WindowTunerGpuTest : public QObject {
  Q_OBJECT

  // Set TILELOOM_PICTURES to a folder to get the pictures of the test.
  static void picture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("TILELOOM_PICTURES");
    if (!folder.isEmpty()) widget.grab().save(folder + "/" + name + ".png");
  }

 private slots:
  void findsATile() {
    const Surroundings around;
    Surroundings::realGpu();
    const auto driver = gpu::Driver::load();
    if (!driver || (*driver)->devices().empty()) QSKIP("there is no GPU on this machine");

    MainWindow window(LabSetup{Surroundings::worker(), around.historyPath(), true});
    window.resize(1600, 1000);
    window.show();
    window.explorer().setStage(stage("warptiled"));
    window.explorer().setProblem({2048, 2048, 2048});
    window.showPage("tuning");
    QVERIFY(QTest::qWaitFor([&] { return window.lab().canMeasure(); }, kPatience));

    Tuner* tuner = &window.services().tuner;
    tuning::TuneRequest request;
    request.stages = {&stage("warptiled")};
    request.problem = {2048, 2048, 2048};
    request.space.listed = {{Parameter::BM, {64, 128, 256}}, {Parameter::BN, {64, 128, 256}},
                            {Parameter::BK, {8, 16, 32}},    {Parameter::WM, {32, 64, 128}},
                            {Parameter::WN, {32, 64, 128}},  {Parameter::TM, {4, 8}},
                            {Parameter::TN, {4, 8}}};
    std::set<std::size_t> sizes;  // of the changes of the map in between
    connect(tuner, &Tuner::tileMeasured, this, [&] { sizes.insert(tuner->measured().size()); });
    QElapsedTimer clock;
    clock.start();
    tuner->start(request);
    QVERIFY(QTest::qWaitFor([&] { return tuner->measured().size() >= 80; }, kPatience));
    QTest::qWait(500);
    picture(window, "gpu-tuner-running");
    QVERIFY(QTest::qWaitFor([&] { return !tuner->status().active(); }, kPatience));
    const TunerStatus& s = tuner->status();
    QVERIFY2(s.state == TunerState::Done, qPrintable(s.trouble));
    QTest::qWait(500);
    picture(window, "gpu-tuner-done");
    QVERIFY(sizes.size() > 40);
    QVERIFY(!s.tied.empty() && s.gflops.known());
    const QStringList files =
        QDir(around.path("data/tileloom/tune")).entryList({QStringLiteral("*.jsonl")});
    QCOMPARE(files.size(), 1);
    const auto log =
        tuning::readJournal(around.path("data/tileloom/tune/" + files.first()).toStdString());
    QVERIFY2(log.has_value(), log ? "" : log.error().c_str());
    std::size_t told = 0;
    for (std::size_t i = 0; i < log->events.size() && told == 0; ++i)
      told = std::holds_alternative<tuning::PredictedEvent>(log->events[i]) ? i : 0;
    qInfo("%s in %.1f s; %zu measured, %zu legal; predictions after %zu events",
          qPrintable(window.findChild<TunerRow*>()->text()), double(clock.elapsed()) / 1000,
          s.funnel.timed, std::size_t(s.funnel.legal), told);
    for (const QString tab : {"roofline", "ladder"}) {
      window.showPage(tab.toStdString());
      QTest::qWait(3000);
      picture(window, "gpu-" + tab);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowTunerGpuTest, Window)
#include "window_tuner_gpu_test.moc"
