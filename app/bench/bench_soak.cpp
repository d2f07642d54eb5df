// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_soak.h"

#include <fmt/format.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QTimer>
#include <limits>
#include <memory>

#include "app/bench/memory_figures.h"
#include "app/bench/random_user.h"
#include "app/bench/stall_watch.h"
#include "app/commands/common/output.h"
#include "app/commands/common/parse.h"
#include "app/window/application.h"
#include "app/window/main_window.h"
#include "kernels/runs/run_store.h"

namespace tileloom::app {
namespace {

constexpr int kReports = 6;

struct Options {
  std::string minutes = "60";
  std::string seed = "1";
  std::string worker;
};

void run(const Options& options, Outcome& outcome) {
  const auto minutes = parseNumber("--minutes", options.minutes, 1, 600);
  if (!minutes) return outcome.fail(minutes.error());
  const auto seed = parseNumber("--seed", options.seed, 0, std::numeric_limits<int>::max());
  if (!seed) return outcome.fail(seed.error());
  Application application({Platform::Offscreen, Look::Dark});
  QApplication::setQuitOnLastWindowClosed(false);  // the user opens it again
  LabSetup lab;
  if (!options.worker.empty()) {
    lab = {QProcess::splitCommand(QString::fromStdString(options.worker)), runs::defaultRunFile(),
           true};
  }
  MainWindow window(lab);
  window.show();
  RandomUser user(window, static_cast<std::uint32_t>(*seed));
  writeStandardError(
      fmt::format("tileloom bench soak: {} minutes of random input, seed {}\n", *minutes, *seed));
  QElapsedTimer clock;
  clock.start();
  int report = 0;
  QTimer reports;
  QObject::connect(&reports, &QTimer::timeout, &window, [&] {
    writeStandardError(fmt::format(
        "  after {:5.1f} min  {:8} inputs  {:8.1f} MB resident  {:8.1f} MB allocated\n",
        static_cast<double>(clock.elapsed()) / 60'000, user.acts(), residentMb(), allocatedMb()));
    if (++report < kReports) return;
    user.stop();
    while (QWidget* box = QApplication::activeModalWidget()) box->close();
    QApplication::quit();
  });
  reports.start(*minutes * 60'000 / kReports);
  user.start();
  StallWatch watch([&user] { return user.latest(); });
  QApplication::exec();
  outcome.output =
      fmt::format("{} inputs\nthe window did not respond: {}\n", user.acts(), watch.text());
}

}  // namespace

void addBenchSoakCommand(Command bench, Outcome& outcome) {
  const auto options = std::make_shared<Options>();
  const Command command = bench.addCommand(
      "soak", "The window under random input: resident memory over time (prints figures)");
  command.addOption("--minutes", options->minutes, "how long").showDefault();
  command.addOption("--seed", options->seed, "of the random input").showDefault();
  command
      .addOption("--worker", options->worker, "the command of a worker; by default there is none")
      .file("COMMAND");
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
