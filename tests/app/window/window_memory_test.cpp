// SPDX-License-Identifier: GPL-3.0-or-later
// The memory that the window keeps is bounded, independent of how much it has shown.
#include <algorithm>
#include <vector>

#include "app/bench/grand_tour.h"
#include "tests/app/open_window.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;

class WindowMemoryTest : public QObject {
  Q_OBJECT

  // The shown one, the baseline, and the one with the last chosen instant.
  static constexpr int kMostRecordings = 3;

 private slots:
  // Each page is shown with its own recording, and hidden afterwards.
  void pagesKeepNoOldRecordings() {
    OpenWindow w;
    QVERIFY(w.ready());
    app::GrandTour tour(w.window);
    int n = 256;
    for (const std::string_view tab : kTabIds) {
      w.window.showPage(tab);
      n += 64;
      QVERIFY(w.explorer().setProblem({n, 256, 256}).isEmpty());
      w.explorer().setStage(test::stage(n % 128 == 0 ? "warptiled" : "async"));
      tour.settle();
      QVERIFY2(tour.recordingsAlive() <= kMostRecordings,
               qPrintable(QString("%1 recordings at the page %2")
                              .arg(tour.recordingsAlive())
                              .arg(test::q(tab))));
    }
    QVERIFY(tour.recordingsMade() > static_cast<int>(kTabIds.size()));
  }

  void baselinesAreForgotten() {
    OpenWindow w;
    QVERIFY(w.ready());
    app::GrandTour tour(w.window);
    for (const int stop : {0, 1, 4, 5}) {
      tour.visit(0, stop);
      QVERIFY(tour.recordingsAlive() <= kMostRecordings);
    }
    w.explorer().pin(std::nullopt);
    tour.settle();
    QVERIFY(tour.recordingsAlive() <= kMostRecordings - 1);
  }

  // Widgets with other content are made again, and the old ones are deleted.
  void objectsDoNotGrowInNumber() {
    OpenWindow w;
    QVERIFY(w.ready());
    app::GrandTour tour(w.window);
    const auto visit = [&] {
      for (const char* id : {"warptiled", "naive"}) {
        w.explorer().setStage(test::stage(id));
        tour.settle();
      }
      return w.window.findChildren<QObject*>().size();
    };
    // The number varies by about twenty with pending answers; a leak per visit would be larger.
    constexpr int kLoose = 30;
    const int visits = test::briefly() ? 6 : 10;
    const auto first = visit();
    std::vector<qsizetype> later;
    for (int i = 0; i < visits; ++i) later.push_back(visit());
    const auto least = *std::min_element(later.end() - 3, later.end());
    QVERIFY2(least <= first + kLoose, qPrintable(QString("%1, then %2").arg(first).arg(least)));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowMemoryTest, Window)
#include "window_memory_test.moc"
