// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_soak.h"

#include <fmt/format.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QWheelEvent>
#include <fstream>
#include <random>

#include "app/commands/parse.h"
#include "app/session/page_ids.h"
#include "app/window/application.h"
#include "app/window/main_window.h"
#include "kernels/tile/constraints.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/bank_view.h"

namespace tileloom::app {
namespace {

constexpr int kReports = 6;

// Resident memory in MB; 0 where the system does not tell.
double residentMb() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// What a restless person does, one thing at a time.
class Person {
 public:
  Person(MainWindow& window, std::uint32_t seed) : w_(window), random_(seed) {}

  void act() {
    Explorer& explorer = w_.explorer();
    switch (below(12)) {
      case 0:
        explorer.setStage(
            stages()[static_cast<std::size_t>(below(static_cast<int>(stages().size())))]);
        break;
      case 1:
      case 2:
      case 3:
        turnAKnob();
        break;
      case 4:
        explorer.setProblem({64 + below(4000), 64 + below(4000), 64 + below(4000)});
        break;
      case 5:
        explorer.setBlockAt(below(explorer.problem().m), below(explorer.problem().n));
        break;
      case 6:
        w_.view<LoomView>()->zoomTo(static_cast<LoomLevel>(below(4)), false);
        break;
      case 7:
        w_.showPage(kTabIds[static_cast<std::size_t>(below(static_cast<int>(kTabIds.size())))]);
        break;
      case 8:
        if (below(2) == 0) {
          explorer.pinThis();
        } else {
          explorer.pin(std::nullopt);
        }
        break;
      case 9:
        w_.undoStack().undo();
        break;
      case 10:
        hover();
        break;
      default:
        for (int i = 0; i < 10; ++i) {
          explorer.step(1 + below(40));
          QApplication::processEvents();
        }
    }
    QApplication::processEvents();
    // What waits to be deleted goes when an event loop comes back to itself; here that is now.
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  void turnAKnob() {
    const Explorer& explorer = w_.explorer();
    const auto& knobs = explorer.stage().knobs;
    const KnobSpec& spec = knobs[static_cast<std::size_t>(below(static_cast<int>(knobs.size())))];
    const auto values = legalValues(explorer.stage(), explorer.tile(), spec.knob);
    // Now and then a value that breaks a rule.
    const int value =
        values.empty() || below(8) == 0
            ? spec.min + below(spec.max - spec.min + 1)
            : values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    w_.explorer().setTile(explorer.tile().with(spec.knob, value));
  }

  void hover() {
    for (QWidget* view :
         {static_cast<QWidget*>(w_.view<LoomView>()), static_cast<QWidget*>(w_.view<BankView>())}) {
      const QPointF at(below(std::max(1, view->width())), below(std::max(1, view->height())));
      QMouseEvent move(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                       Qt::NoModifier);
      QApplication::sendEvent(view, &move);
    }
  }

  MainWindow& w_;
  std::mt19937 random_;
};

void run(const std::string& minutesText, Outcome& outcome) {
  const auto minutes = parseNumber("--minutes", minutesText, 1, 600);
  if (!minutes) return outcome.fail(minutes.error());
  Application application({Platform::Offscreen, Look::Dark});
  MainWindow window;
  window.show();
  Person person(window, 1);
  std::string text = fmt::format("tileloom bench soak: {} minutes of random input\n", *minutes);
  QElapsedTimer clock;
  clock.start();
  long long acts = 0;
  for (int report = 1; report <= kReports; ++report) {
    const qint64 until = qint64{*minutes} * 60'000 * report / kReports;
    while (clock.elapsed() < until) {
      person.act();
      ++acts;
    }
    text += fmt::format("  after {:5.1f} min  {:8} inputs  {:8.1f} MB resident\n",
                        static_cast<double>(clock.elapsed()) / 60'000, acts, residentMb());
  }
  outcome.output = text;
}

}  // namespace

void addBenchSoakCommand(Command bench, Outcome& outcome) {
  auto minutes = std::make_shared<std::string>("60");
  const Command command = bench.addCommand(
      "soak", "The window under random input: resident memory over time (prints figures)");
  command.addOption("--minutes", *minutes, "how long").showDefault();
  command.onRun([minutes, &outcome] { run(*minutes, outcome); });
}

}  // namespace tileloom::app
