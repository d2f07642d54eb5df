// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window's listings come from: the real worker with a fake compiler and a script as
// disassembler, or the shipped ones.
#include "app/services/measuring/listings.h"

#include <QSignalSpy>
#include <QtTest>

#include "kernels/sass/recorded.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/surroundings.h"
#include "tests/support/cubin_file.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::stage;
using test::Surroundings;

class ListingsTest : public QObject {
  Q_OBJECT

  static constexpr Problem kSize{256, 256, 256};

  std::unique_ptr<Surroundings> m_around;

  void tool(const QByteArray& body) {
    const QString path = m_around->path("nvdisasm");
    QVERIFY(Surroundings::write(path, "#!/bin/sh\n" + body));
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("TILELOOM_NVDISASM", path.toUtf8());
  }
  static void choose(Listings& listings, const char* id) {
    listings.choose(standardSubject(stage(id)), kSize);
  }
  static constexpr const char* kPrint = "cat '" TILELOOM_FIXTURES "/naive.life-ranges.txt'\n";

 private slots:
  void init() {
    m_around = std::make_unique<Surroundings>();
    qputenv("TILELOOM_NVDISASM", "none");
  }

  void unwantedIsNotRequested() {
    m_around->fakeGpu();
    tool(kPrint);
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    choose(listings, "naive");
    QTRY_VERIFY(lab.client().info().has_value());
    QTest::qWait(400);
    QVERIFY(listings.now().facts->code.recorded);  // and not requested
    listings.setWanted(&listings, true);
    QTRY_VERIFY(!listings.now().facts->code.recorded);
  }

  void fromTheWorker() {
    m_around->fakeGpu();
    tool(kPrint);
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    const Stage& s = stage("warptiled");
    listings.choose(usualSubject(s, s.standardTile().with(Parameter::BK, 8)),
                    kSize);  // which is not recorded
    QVERIFY(listings.now().facts == nullptr && !listings.now().note.isEmpty());
    QTRY_VERIFY(listings.now().facts != nullptr);
    const auto facts = listings.now().facts;
    QCOMPARE(facts->freshness(), Freshness::Live);
    QCOMPARE(facts->size(), 92);
    QVERIFY(facts->code.listing.hasLive());
    QVERIFY(facts->code.tile[Parameter::BK] == 8);
    // The baseline's, too; and what is known is not requested again.
    listings.watch(standardSubject(stage("shared")));
    QTRY_VERIFY(listings.baseline().facts && !listings.baseline().facts->code.recorded);
    tool("exit 1\n");
    choose(listings, "naive");
    listings.choose(usualSubject(s, s.standardTile().with(Parameter::BK, 8)), kSize);
    QVERIFY(listings.now().facts == facts);
  }

  // Where its warps wait, once the listing of the samples is there.
  void samplesFromTheWorker() {
    m_around->fakeGpu();
    qputenv("TILELOOM_FAKE_SAMPLING", "kernel=warptiled");
    tool(kPrint);
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    const Stage& s = stage("warptiled");
    const TileShape tile = s.standardTile().with(Parameter::BK, 8);
    listings.choose(usualSubject(s, tile), kSize);
    QTRY_VERIFY(listings.now().stalls != nullptr);
    const auto stalls = listings.now().stalls;
    QVERIFY(!stalls->samples.recorded);
    QCOMPARE(stalls->samples.total(), std::uint64_t{14});
    QCOMPARE(static_cast<int>(stalls->byInstruction.size()), listings.now().facts->size());
    QVERIFY(stalls->ofInstruction(4) != nullptr && stalls->ofInstruction(0) == nullptr);
    QVERIFY(listings.stallsOf(usualSubject(s, tile), kSize) == stalls);
    QVERIFY(listings.stallsOf(usualSubject(s, tile), {512, 512, 512}) == nullptr);  // not sampled
    qunsetenv("TILELOOM_FAKE_SAMPLING");
  }

  // A rung of the tensor ladder like any other.
  void onTensorCores() {
    m_around->fakeGpu();
    qputenv("TILELOOM_FAKE_SAMPLING", "kernel=mmaring");
    tool("cat '" TILELOOM_FIXTURES "/mmaring.by-hand.txt'\n");
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    const Stage& s = stage("mmaring");
    const TileShape tile = s.standardTile().with(Parameter::STAGES, 2);  // which is not recorded
    listings.choose(usualSubject(s, tile), kSize);
    QVERIFY(listings.now().facts == nullptr && !listings.now().note.isEmpty());
    QTRY_VERIFY(listings.now().facts != nullptr);
    QVERIFY(listings.now().facts->code.format == Format::Bf16);
    QVERIFY(!listings.now().facts->banksKnown());
    QTRY_VERIFY(listings.now().stalls != nullptr);
    QVERIFY(listings.now().stalls->samples.rung() == &s);
    qunsetenv("TILELOOM_FAKE_SAMPLING");
  }

  // The format belongs to a kernel as its tile does: only bf16 is recorded.
  void anotherFormat() {
    Lab lab({{}, {}, false});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    const Stage& s = stage("hopper");
    const Subject usual = standardSubject(s), other{&s, s.standardTile(), Format::Fp16};
    listings.choose(usual, kSize);
    listings.watch(usual);
    QVERIFY(listings.now().facts->code.format == Format::Bf16);
    QVERIFY2(listings.now().facts->origin().contains(" · bf16 · "),
             qPrintable(listings.now().facts->origin()));
    QVERIFY(listings.now().stalls->origin().contains(" in bf16"));
    listings.choose(other, kSize);
    listings.watch(other);
    for (const SassSide& side : {listings.now(), listings.baseline()}) {
      QVERIFY(side.facts == nullptr && side.stalls == nullptr);
      QVERIFY2(side.note.contains(" in fp16; only default tiles in bf16 are."),
               qPrintable(side.note));
    }
    QVERIFY(listings.stallsOf(usual, kSize) != nullptr);
    QVERIFY(listings.stallsOf(other, kSize) == nullptr);
    listings.choose(usual, kSize);
    QVERIFY(listings.now().facts->code.format == Format::Bf16);
  }

  // The worker gets the chosen format, and its answers are distinguished.
  void anotherFormatFromTheWorker() {
    m_around->fakeGpu();
    qputenv("TILELOOM_FAKE_SAMPLING", "kernel=mmaring");
    tool("cat '" TILELOOM_FIXTURES "/mmaring.by-hand.txt'\n");
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    const Stage& s = stage("mmaring");
    const Subject usual = standardSubject(s), other{&s, s.standardTile(), Format::Fp16};
    for (const Subject& place : {other, usual, other}) {
      listings.choose(place, kSize);
      const auto there = [&] {
        const SassSide side = listings.now();
        return side.facts && !side.facts->code.recorded && side.stalls &&
               !side.stalls->samples.recorded;
      };
      QTRY_VERIFY(there());
      QVERIFY(listings.now().facts->code.format == place.format);
      QVERIFY(listings.now().stalls->samples.format == place.format);
    }
    qunsetenv("TILELOOM_FAKE_SAMPLING");
  }

  // What is missing is said in a sentence with the command that records it.
  void notListedYet() {
    const Stage& s = stage("mmaring");
    if (sass::hasRecordedListing(s)) QSKIP("it is recorded");
    Lab lab({{}, {}, false});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    listings.choose(standardSubject(s), kSize);
    const SassSide side = listings.now();
    QVERIFY(side.facts == nullptr && side.stalls == nullptr);
    QVERIFY2(side.note.contains("`tileloom sass --record resources/listings`"),
             qPrintable(side.note));
  }

  void samplesThatShip() {
    Lab lab({{}, {}, false});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    choose(listings, "warptiled");
    const SassSide side = listings.now();
    QVERIFY(side.stalls != nullptr && side.stalls->samples.recorded);
    QVERIFY(side.stalls->origin().contains("recorded 20"));
    QVERIFY(!side.stalls->byLine.empty());
    listings.choose(
        usualSubject(stage("warptiled"), stage("warptiled").standardTile().with(Parameter::BK, 8)),
        kSize);
    QVERIFY(listings.now().stalls == nullptr);
  }

  // This program reads what the compiler made.
  void withoutATool() {
    m_around->fakeGpu("cubin=" TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin");
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    const Stage& s = stage("warptiled");
    listings.choose(usualSubject(s, s.standardTile().with(Parameter::BK, 8)), kSize);
    QTRY_VERIFY(listings.now().facts != nullptr);
    const auto facts = listings.now().facts;
    QCOMPARE(facts->freshness(), Freshness::Live);
    QVERIFY(facts->code.readByThisProgram() && facts->code.listing.hasLive());
    QVERIFY2(facts->origin().endsWith("read by Tileloom"), qPrintable(facts->origin()));
  }

  // What the compiler made cannot be read, and the tool that may know it is switched off.
  void theToolIsMissing() {
    const QString file = m_around->path("unknown.cubin");
    const std::vector<char> cubin = test::CubinFile{}.with(
        std::vector<std::array<std::uint64_t, 2>>{{0x0000000000000fff, 0x000fc00000000000}});
    QVERIFY(Surroundings::write(file, QByteArray(cubin.data(), qsizetype(cubin.size()))));
    m_around->fakeGpu("cubin=" + file.toUtf8());
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    choose(listings, "tuned");
    QTRY_VERIFY(listings.now().note.contains("TILELOOM_NVDISASM=none"));
    QVERIFY(listings.now().facts->code.recorded);
    // An audience cannot install it.
    QSignalSpy changed(&listings, &Listings::changed);
    listings.setAdvising(false);
    QCOMPARE(changed.count(), 1);
    QVERIFY(listings.now().note.isEmpty() && listings.now().facts->code.recorded);
    listings.setAdvising(true);
    QVERIFY(listings.now().note.contains("TILELOOM_NVDISASM=none"));
    const Stage& s = stage("warptiled");
    listings.choose(usualSubject(s, s.standardTile().with(Parameter::BK, 8)), kSize);
    QTRY_VERIFY(!listings.now().waiting);  // another tile may be read
    QVERIFY(listings.now().facts == nullptr);
    QVERIFY(listings.now().note.contains("default tiles"));
  }

  void theToolFails() {
    m_around->fakeGpu();
    tool("echo 'fatal: cannot' >&2\nexit 2\n");
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    choose(listings, "tuned");
    QTRY_VERIFY(listings.now().note.contains("fatal: cannot"));
    QVERIFY(listings.now().facts->code.recorded);
    // Another tile may succeed, and the worker lives.
    tool(kPrint);
    choose(listings, "naive");
    QTRY_VERIFY(!listings.now().facts->code.recorded);
    QVERIFY(!lab.gaveUp());
  }

  void noWorkerAtAll() {
    Lab lab({{}, {}, false});
    Listings listings(lab);
    QSignalSpy changed(&listings, &Listings::changed);
    choose(listings, "tuned");
    QVERIFY(changed.isEmpty());  // no view shows it
    listings.setWanted(&listings, true);
    QVERIFY(!changed.isEmpty());
    QCOMPARE(listings.now().facts->freshness(), Freshness::Recorded);
    QVERIFY(listings.baseline().facts == nullptr);
  }

  void movingOnWhileItIsAwaited() {
    m_around->fakeGpu();
    tool(QByteArray("case \"$*\" in *version*) exit 0;; esac\nsleep 1\n") + kPrint);
    Lab lab({Surroundings::worker(), {}, true});
    Listings listings(lab);
    listings.setWanted(&listings, true);
    QTRY_VERIFY(lab.client().info().has_value());
    const Stage& s = stage("warptiled");
    for (const int bk : {8, 32, 64}) {
      listings.choose(usualSubject(s, s.standardTile().with(Parameter::BK, bk)), kSize);
      QTest::qWait(300);
    }
    QTRY_VERIFY(listings.now().facts != nullptr);
    QVERIFY(listings.now().facts->code.tile[Parameter::BK] == 64);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ListingsTest, EventLoop)
#include "listings_test.moc"
