// SPDX-License-Identifier: GPL-3.0-or-later
// Which loop is the main one, and what it consists of.
#include "kernels/sass/mix.h"

#include <QtTest>

#include "tests/sass/fixtures.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class MixTest : public QObject {
  Q_OBJECT

 private slots:
  void classes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* text, const char* expected) {
      QTest::newRow(text) << text << expected;
    };
    row("FFMA R1, R2, R3, R4", "FFMA");
    row("@P0 FFMA.FTZ R1, R2, R3, R4", "FFMA");
    row("HMMA.16816.F32.BF16 R4, R8, R14, R4", "HMMA");
    row("HMMA.16816.F32 R4, R8.reuse, R14, R4", "HMMA");
    row("HMMA.1688.F32.TF32 R4, R8, R14, R4", "HMMA");
    row("QMMA.16832.F32.E4M3.E4M3 R4, R8, R14, R4", "HMMA");
    row("HGMMA.64x256x16.F32.BF16 R24, gdesc[UR4], R24, gsb0", "HGMMA");
    row("UTMALDG.2D [UR8], [UR4]", "LDG");
    row("UTMASTG.2D [UR8], [UR4]", "STG");
    row("SYNCS.EXCH.64 URZ, [UR6], UR4", "barrier");
    row("SYNCS.ARRIVE.TRANS64 RZ, [UR13], R3", "barrier");
    row("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R3", "barrier");
    row("WARPGROUP.ARRIVE", "barrier");
    row("WARPGROUP.DEPBAR.LE gsb0, 0x1", "barrier");
    row("R2UR UR4, R2", "integer");
    row("@P0 ELECT P1, URZ, PT", "integer");
    row("UPLOP3.LUT UP0, UPT, UPT, UPT, UPT, 0x80, 0x0", "integer");
    row("@!PT HMMA.16816.F32 R4, R8, R14, R4", "other");
    row("LDS.128 R4, [R2]", "LDS");
    row("LDSM.16.M88.4 R8, [R3+0x400]", "LDSM");
    row("LDSM.16.MT88.4 R8, [R3+UR4]", "LDSM");
    row("@!PT LDS RZ, [RZ]", "other");  // a placeholder that reads nothing
    row("LDG.E.128 R4, desc[UR4][R2.64]", "LDG");
    row("LDGSTS.E.BYPASS.128 [R94], desc[UR16][R102.64]", "LDG");
    row("STS [R92], R44", "STS");
    row("STG.E.128 desc[UR16][R6.64], R8", "STG");
    row("BAR.SYNC.DEFER_BLOCKING 0x0", "barrier");
    row("LDGDEPBAR", "barrier");
    row("DEPBAR.LE SB0, 0x0", "barrier");
    row("@!P0 BRA 0x10", "branch");
    row("EXIT", "branch");
    row("IADD3 R1, R2, R3, RZ", "integer");
    row("UIADD3 UR4, UR4, 0x1, URZ", "integer");
    row("ULDC.64 UR4, c[0x0][0x208]", "integer");
    row("IMAD.WIDE R6, R7, 0x4, R92", "integer");
    row("FMUL R1, R2, R3", "other");
    row("HFMA2.MMA R55, -RZ, RZ, 0, 0", "other");
    row("NOP", "other");
    row("UNHEARDOF.NEW R1", "other");
  }
  void classes() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto instruction = parseInstruction(text.toStdString());
    QVERIFY(instruction.has_value());
    QCOMPARE(q(name(classOf(*instruction))), expected);
  }

  void everyClassHasALetterOfItsOwn() {
    QString letters;
    for (std::size_t i = 0; i < kClasses; ++i)
      letters += QLatin1Char(letter(static_cast<Class>(i)));
    for (const QChar c : letters) QCOMPARE(letters.count(c), 1);
  }

  void multiplyAdds_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("expected");
    const auto row = [](const char* text, int expected) {
      QTest::newRow(text) << text << expected;
    };
    row("FFMA R1, R2, R3, R4", 32);
    row("FFMA2 R2, R4, R6, R8", 64);
    row("HMMA.16816.F32.BF16 R4, R8, R14, R4", 2048);
    row("HMMA.1688.F32.TF32 R4, R8, R14, R4", 1024);
    row("QMMA.16832.F32.E4M3.E4M3 R4, R8, R14, R4", 4096);
    row("HMMA.1688.F32 R4, R8, R14, R4", 1024);
    row("HGMMA.64x256x16.F32.BF16 R24, gdesc[UR4], R24, gsb0", 64 * 256 * 16 / 4);
    row("HGMMA.64x8x16.F32 R24, gdesc[UR4], R24", 64 * 8 * 16 / 4);
    row("HGMMA.64x256.F32 R24, gdesc[UR4], R24", 0);
    row("HGMMA.64x256x16x2.F32 R24, gdesc[UR4], R24", 0);
    row("HGMMA", 0);
    row("HMMA.884.F32.F32.STEP0 R4, R8, R14, R4", 0);  // of no architecture that rungs run on
    row("HMMA R4, R8, R14, R4", 0);
    row("@!PT HMMA.16816.F32 R4, R8, R14, R4", 0);
    row("HFMA2.MMA R55, -RZ, RZ, 0, 0", 0);
    row("IMAD R1, R2, R3, R4", 0);
  }
  void multiplyAdds() {
    QFETCH(QString, text);
    QFETCH(int, expected);
    QCOMPARE(multiplyAddsOf(*parseInstruction(text.toStdString())), expected);
  }

  // As nvdisasm prints a rung of the tensor ladder.
  void theLoopOnTensorCores() {
    const auto listing = parseListing(fixture("mmaring.by-hand.txt"));
    QCOMPARE(q(listing->kernel), QString("mmaring"));
    QVERIFY(listing->hasLive());
    const Loop loop = mainLoop(*listing);
    QVERIFY(!loop.whole);
    QCOMPARE(listing->instructions[loop.range.begin].address, 0x70u);
    const Mix mix = mixOf(*listing, loop.range);
    QVERIFY(mix.onTensorCores());
    QCOMPARE(mix.total, 15);
    QCOMPARE(mix.of(Class::Hmma), 4);
    QCOMPARE(mix.of(Class::Ldsm), 3);
    QCOMPARE(mix.of(Class::Ldg), 1);
    QCOMPARE(mix.asyncCopies, 1);
    QCOMPARE(mix.of(Class::Barrier), 3);
    QCOMPARE(mix.of(Class::Ffma), 0);
    QCOMPARE(mix.multiplyAdds, std::int64_t{4 * 2048});
    QCOMPARE(mix.hmmaPerLdsm(), 4.0 / 3);
    QCOMPARE(mix.multiplyAddsPerInstruction(), 4 * 2048 / 15.0);
    QCOMPARE(mix.ffmaPerLds(), 0.0);
  }

  // One mma of a warp counts as 64 FFMAs.
  void productsOutweighFfmas() {
    const Listing l = listingOf(
        "FFMA R6, R4, R7, R6\n"
        "FFMA R6, R4, R7, R6\n"
        "@P0 BRA 0x0\n"
        "HMMA.16816.F32 R4, R8, R14, R4\n"  // 0x30
        "@P0 BRA 0x30\n"
        "EXIT\n");
    QVERIFY(mainLoop(l).range == (Range{3, 5}));
    QVERIFY(!mixOf(l, {0, 3}).onTensorCores());
    QCOMPARE(Mix().multiplyAddsPerInstruction(), 0.0);
    QCOMPARE(Mix().hmmaPerLdsm(), 0.0);
  }

  void theLoopOfARealKernel() {
    const auto listing = parseListing(fixture("naive.life-ranges.txt"));
    const Loop loop = mainLoop(*listing);
    QVERIFY(!loop.whole);
    QCOMPARE(listing->instructions[loop.range.begin].address, 0x220u);  // .L_x_2
    QCOMPARE(loop.range.size(), std::size_t{32});
    const Mix mix = mixOf(*listing, loop.range);
    QCOMPARE(mix.of(Class::Ffma), 4);
    QCOMPARE(mix.of(Class::Ldg), 8);
    QCOMPARE(mix.of(Class::Lds), 0);
    QCOMPARE(mix.ffmaPerLds(), 0.0);
    QCOMPARE(mix.total, 32);
  }

  // An outer loop without its own multiply-add is not the main one.
  void theInnermostOfEquals() {
    const Listing l = listingOf(
        "MOV R1, RZ\n"           // 0x00
        "LDG R2, [R3]\n"         // 0x10: outer
        "LDS R4, [R5]\n"         // 0x20: inner
        "FFMA R6, R4, R7, R6\n"  // 0x30
        "FFMA R8, R4, R9, R8\n"  // 0x40
        "@P0 BRA 0x20\n"         // 0x50
        "@P1 BRA 0x10\n"         // 0x60
        "EXIT\n");
    const Loop loop = mainLoop(l);
    QVERIFY(loop.range == (Range{2, 6}));
    const Mix mix = mixOf(l, loop.range);
    QCOMPARE(mix.ffmaPerLds(), 2.0);
    QCOMPARE(mix.of(Class::Branch), 1);
  }

  void theOneWithMoreMultiplyAdds() {
    const Listing l = listingOf(
        "FFMA R6, R4, R7, R6\n"
        "@P0 BRA 0x0\n"
        "FFMA R6, R4, R7, R6\n"  // 0x20
        "FFMA R6, R4, R7, R6\n"
        "@P0 BRA 0x20\n"
        "BRA 0x60\n"  // forward, and after the end
    );
    QVERIFY(mainLoop(l).range == (Range{2, 5}));
  }

  void withoutALoopTheWholeKernel() {
    const Listing l = listingOf("LDS R4, [R5]\nFFMA R6, R4, R7, R6\nEXIT\n");
    const Loop loop = mainLoop(l);
    QVERIFY(loop.whole);
    QVERIFY(loop.range == (Range{0, 3}));
    // A loop that multiplies nothing is not one either.
    QVERIFY(mainLoop(listingOf("LDS R4, [R5]\n@P0 BRA 0x0\nFFMA R6, R4, R7, R6\n")).whole);
    QVERIFY(mainLoop(Listing()).whole);
    QCOMPARE(mixOf(Listing(), {0, 0}).total, 0);
  }

  void asynchronousCopies() {
    const Listing l = listingOf("LDGSTS.E [R1], [R2.64]\nLDG R3, [R4.64]\n@!PT LDS RZ, [RZ]\n");
    const Mix mix = mixOf(l, {0, 3});
    QCOMPARE(mix.of(Class::Ldg), 2);
    QCOMPARE(mix.asyncCopies, 1);
    QCOMPARE(mix.of(Class::Lds), 0);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::MixTest, Nothing)
#include "mix_test.moc"
