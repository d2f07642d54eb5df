// SPDX-License-Identifier: GPL-3.0-or-later
// The page Energy in the window: its key, the rung of the window, a click on a rung.
#include "tests/app/open_window.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "viz/charts/energy/energy_chart.h"
#include "viz/charts/energy/energy_words.h"

namespace tileloom {

using test::OpenWindow;

class WindowEnergyTest : public QObject {
  Q_OBJECT

 private slots:
  void theRungOfTheWindowIsMarked() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_J);
    QCOMPARE(w.window.currentPage(), std::string_view("energy"));
    EnergyChart& chart = *w.window.view<EnergyChart>();
    // It opens with a rung of the FP32 ladder, without measurements: the page says so, and still
    // shows the tensor ladder.
    QVERIFY(charts::energyNotes(chart.data()).front().contains("FP32"));
    QVERIFY(!chart.geometryOfRows().present);
    QCOMPARE(chart.geometryOfRows().rows.size(), model::kLoads.size());
    QVERIFY(charts::energyHeadlines(chart.data()).front().contains("about 13 % of the energy"));

    const auto rungs = chart.data().rungs();
    const auto hopper = std::ranges::find(rungs, &test::stage("hopper"), &EnergyRung::stage);
    QVERIFY(hopper != rungs.end());
    const auto at = static_cast<std::size_t>(hopper - rungs.begin());
    test::clickAt(chart, chart.geometryOfRows().rungRows[at].row.center().toPoint());
    QCOMPARE(&w.explorer().stage(), &test::stage("hopper"));
    QTRY_VERIFY(chart.geometryOfRows().present == static_cast<int>(at));
    QVERIFY(charts::energyNotes(chart.data()).isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowEnergyTest, Window)
#include "window_energy_test.moc"
