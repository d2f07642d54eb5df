// SPDX-License-Identifier: GPL-3.0-or-later
// The window under random input: how long its thread does not respond. The figures are printed; a
// test does not time.
#include "app/bench/stall_watch.h"

#include <fmt/format.h>

#include <QThread>
#include <QTimer>

#include "app/bench/random_user.h"
#include "tests/app/open_window.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"

namespace tileloom {

using app::StallWatch;

class StallWatchTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<test::Surroundings>(); }

  // A long stall is found, with what was done.
  void findsAStall() {
    StallWatch watch([] { return std::string("sleeping"); });
    QEventLoop loop;
    QTimer::singleShot(0, [] { QThread::msleep(200); });
    QTimer::singleShot(300, &loop, &QEventLoop::quit);
    loop.exec();
    QVERIFY(!watch.stalls().empty());
    const auto longest = std::ranges::max_element(watch.stalls(), {}, &StallWatch::Stall::ms);
    QVERIFY(longest->ms >= 100);  // asleep, not kept from a processor
    QCOMPARE(longest->doing, std::string("sleeping"));
    QVERIFY2(watch.text().find("(sleeping)") != std::string::npos, watch.text().c_str());
  }

  void twoHundredActs() {
    test::OpenWindow w;
    QVERIFY(w.ready());
    app::RandomUser user(w.window, 7);
    StallWatch watch([&user] { return user.latest(); });
    user.start();
    QVERIFY(QTest::qWaitFor([&] { return user.acts() >= 200; }, test::kPatience));
    user.stop();
    while (QWidget* box = QApplication::activeModalWidget()) box->close();
    fmt::print("200 acts: the window did not respond: {}\n", watch.text());
    if (qEnvironmentVariableIsSet("TILELOOM_TEST_ALL")) {
      for (const auto& stall : watch.stalls())
        if (stall.ms > 30) fmt::print("  {:.0f} ms: {}\n", stall.ms, stall.doing);
    }
    QVERIFY(watch.asked() > 10);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::StallWatchTest, Window)
#include "stall_watch_test.moc"
