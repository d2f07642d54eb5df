// SPDX-License-Identifier: GPL-3.0-or-later
// The roofs of the window's device, on the fake GPU: measured once, kept, and requested only by
// pages that show them.
#include "app/services/measuring/device_ceilings.h"

#include <QLabel>
#include <QSignalSpy>
#include <QtTest>

#include "app/window/application.h"
#include "app/window/main_window.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/charts/roofline/roofline_chart.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom {

using model::CeilingOrigin;
using test::Surroundings;

class DeviceCeilingsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  std::filesystem::path file() const {
    return m_around->path("data/tileloom/ceilings.jsonl").toStdString();
  }
  std::size_t kept() const {
    const auto read = model::readCeilings(file());
    return read ? read->all.size() : 0;
  }
  LabSetup measuring() const { return {Surroundings::worker(), m_around->historyPath(), true}; }

 private slots:
  // A broken line is not used, and the page says so.
  void aBrokenLineIsTold() {
    m_around->nothing();
    QVERIFY(Surroundings::write(m_around->path("data/tileloom/ceilings.jsonl"), "rubbish\n"));
    MainWindow window(measuring());
    window.show();
    window.showPage("roofline");
    const auto* trouble = window.findChild<QLabel*>("ceilingTrouble");
    QVERIFY(trouble != nullptr);
    QTRY_VERIFY(trouble->text().contains("ceilings.jsonl, line 1"));
    QVERIFY(trouble->isVisible());
  }

  void init() {
    m_around = std::make_unique<Surroundings>();
    m_around->fakeGpu("jitter=0,polls=0");
  }

  void theWindowMeasuresThemOnce() {
    for (int time = 0; time < 2; ++time) {
      MainWindow window(measuring());
      window.show();
      window.explorer().setProblem({64, 64, 64});
      QVERIFY(QTest::qWaitFor([&] { return window.lab().canMeasure(); }, test::kPatience));
      QCOMPARE(kept(), std::size_t(time));  // no page has shown them here
      window.showPage("roofline");
      const RooflineData& shown = window.view<RooflineChart>()->data();
      QTRY_VERIFY(shown.ceilings.origin == CeilingOrigin::Live);
      QCOMPARE(test::q(shown.ceilings.device), QStringLiteral("Fake H100"));
      QVERIFY(shown.ceilings.l2GBs.known() && !shown.measuringCeilings);
      QVERIFY(charts::rooflineCaption(shown).contains("roofs measured on Fake H100"));
      window.showPage("banks");
      window.showPage("roofline");
      QTest::qWait(200);
      QCOMPARE(kept(), std::size_t(1));
    }
  }

  void meanwhileThoseThatAreComputed() {
    WorkerClient client(Surroundings::worker());
    DeviceCeilings ceilings(client, {});
    QVERIFY(ceilings.get().origin != CeilingOrigin::Live);  // the reference device's
    client.start();
    QVERIFY(QTest::qWaitFor([&] { return client.info().has_value(); }, test::kPatience));
    ceilings.forget();
    QVERIFY(ceilings.get().origin == CeilingOrigin::Computed);
    QSignalSpy changed(&ceilings, &DeviceCeilings::changed);
    ceilings.measureOnce();
    QVERIFY(ceilings.measuring() && changed.size() == 1);
    QTRY_VERIFY(!ceilings.measuring());
    QVERIFY2(ceilings.trouble().isEmpty(), qPrintable(ceilings.trouble()));
    QVERIFY(ceilings.get().origin == CeilingOrigin::Live);  // not kept in a file, but known
    ceilings.measureOnce();
    QVERIFY(!ceilings.measuring());
  }

  void whatCannotBeMeasuredIsNotTriedAgain() {
    m_around->fakeGpu("fail=cuLaunchKernel:700");
    WorkerClient client(Surroundings::worker());
    DeviceCeilings ceilings(client, file());
    client.start();
    QVERIFY(QTest::qWaitFor([&] { return client.info().has_value(); }, test::kPatience));
    ceilings.measureOnce();
    QTRY_VERIFY(!ceilings.measuring());
    QVERIFY(!ceilings.trouble().isEmpty());
    QVERIFY(QTest::qWaitFor([&] { return client.info().has_value(); }, test::kPatience));
    ceilings.forget();
    QVERIFY(ceilings.get().origin == CeilingOrigin::Computed);
    ceilings.measureOnce();
    QVERIFY(!ceilings.measuring());
    QCOMPARE(kept(), std::size_t(0));
  }

  void withoutAGpu() {
    Surroundings::nothing();
    WorkerClient client(Surroundings::worker());
    DeviceCeilings ceilings(client, file());
    client.start();
    QVERIFY(QTest::qWaitFor([&] { return client.info().has_value(); }, test::kPatience));
    ceilings.measureOnce();
    QVERIFY(!ceilings.measuring());
    QVERIFY(ceilings.get().origin == CeilingOrigin::Recorded);
    QVERIFY(ceilings.get().l2GBs.known());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::DeviceCeilingsTest, Window)
#include "device_ceilings_test.moc"
