// SPDX-License-Identifier: GPL-3.0-or-later
// Ceilings in files: written, read back, found again, and broken lines.
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "tests/support/test_class.h"

#include "kernels/model/limits/ceilings.h"
#include "kernels/tile/architecture.h"

namespace tileloom::test {

using namespace model;

class CeilingsTest : public QObject {
  Q_OBJECT

  static Ceilings madeUp() {
    Ceilings c;
    c.when = "2026-11-21T03:25:00Z";
    c.device = "Invented Device";
    c.arch = "sm_90";
    c.driver = "1.2.3";
    c.cuda = "13.0";
    c.fmaGflops = {60000.5, 60000, 60001};
    c.dramGBs = {3000, 2990, 3010};
    c.sharedGBs = {31000, 30900, 31100};
    c.smClockMHz = 1755;
    c.l2CacheBytes = 50 << 20;
    c.sms = 132;
    return c;
  }

 private slots:
  void readsWhatItWrites() {
    Ceilings c = madeUp();
    const auto again = ceilingsFromLine(toLine(c));
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QVERIFY(*again == c);
    QVERIFY(!again->l2GBs.known());
    // Files of earlier versions lack mma.sync.
    auto older = toJson(c);
    older.erase("mma_gflops");
    older.erase("mma_clock_mhz");
    QVERIFY(*ceilingsFrom(older) == c);
    QVERIFY(!again->mmaGflops.known());
    c.l2GBs = {5500, 5400, 5600};
    c.mmaGflops = {650000, 640000, 660000};
    c.mmaClockMHz = 1700;
    c.origin = CeilingOrigin::Computed;
    QVERIFY(*ceilingsFromLine(toLine(c)) == c);
  }

  void brokenLines_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::newRow("no device") << "device"
                               << "";
    QTest::newRow("no FMA") << "fma_gflops"
                            << "";
    QTest::newRow("DRAM below zero") << "dram_gbs"
                                     << "[-1,-1,-1]";
    QTest::newRow("a single number") << "shared_gbs"
                                     << "31000";
    QTest::newRow("a median outside its interval") << "dram_gbs"
                                                   << "[100,200,300]";
    QTest::newRow("an interval the wrong way round") << "fma_gflops"
                                                     << "[100,110,90]";
    QTest::newRow("a device with a colour") << "device"
                                            << "\"\\u001b[31mX\"";
    QTest::newRow("another schema") << "schema"
                                    << "\"tileloom.ceilings/2\"";
    QTest::newRow("an origin that is none") << "origin"
                                            << "\"guessed\"";
  }
  void brokenLines() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    auto damaged = toJson(madeUp());
    damaged.erase(key.toStdString());
    if (!value.isEmpty()) damaged[key.toStdString()] = nlohmann::json::parse(value.toStdString());
    const std::string good = toLine(madeUp());
    const CeilingFile file = parseCeilings(good + "\n" + damaged.dump() + "\n" + good, "x.jsonl");
    QCOMPARE(file.all.size(), std::size_t{2});
    QCOMPARE(file.complaints.size(), std::size_t{1});
    QVERIFY2(file.complaints[0].starts_with("x.jsonl, line 2: ") &&
                 file.complaints[0].find(key.toStdString()) != std::string::npos,
             file.complaints[0].c_str());
  }

  void theReferenceDeviceIsShipped() {
    for (const EmbeddedFile& file : shippedCeilingFiles())
      QVERIFY(parseCeilings(file.text, std::string(file.name)).complaints.empty());
    const Ceilings* c = ceilingsOf({}, {});
    QVERIFY(c != nullptr);
    QVERIFY(c->device == kReferenceDevice && c->sms == kReferenceSms);
    QVERIFY(c->origin != CeilingOrigin::Live);
    if (c->origin != CeilingOrigin::Computed) return;
    // What they were computed from: SMs, FMAs per cycle and clock; 32 banks of 4 bytes.
    QVERIFY(std::abs(c->fmaGflops.median - 132 * 128 * 2 * 1.98) < 0.1);
    QVERIFY(std::abs(c->sharedGBs.median - 132 * 128 * 1.98) < 0.1);
    QVERIFY(!c->l2GBs.known());
  }

  void theLatestOfTheDeviceIsFound() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("a/ceilings.jsonl").toStdString();
    Ceilings old = madeUp(), other = madeUp(), latest = madeUp(), elsewhere = madeUp();
    old.sms = 1;
    other.driver = "9.9";
    latest.sms = 3;
    elsewhere.device = "Another Device";
    for (const Ceilings& c : {old, latest, other, elsewhere}) {
      const auto kept = appendCeilings(path, c);
      QVERIFY2(kept.has_value(), kept ? "" : kept.error().c_str());
    }
    const auto file = readCeilings(path);
    QVERIFY(file && file->complaints.empty());
    QVERIFY(*ceilingsOf(file->all, "Invented Device", "1.2.3") == latest);
    QVERIFY(*ceilingsOf(file->all, "Invented Device") == other);
    QVERIFY(*ceilingsOf(file->all, "Invented Device", "7") == other);
    QVERIFY(ceilingsOf(file->all, "Unheard of") == nullptr);
    QVERIFY(ceilingsOf(file->all, {})->device == kReferenceDevice);
    Ceilings nothing;
    QVERIFY(!appendCeilings(path, nothing));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CeilingsTest, Nothing)
#include "ceilings_test.moc"
