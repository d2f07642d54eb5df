// SPDX-License-Identifier: GPL-3.0-or-later
// The output of the disassemblers is understood, in each of its forms.
#include "kernels/sass/listing.h"

#include <fmt/format.h>

#include <QtTest>

#include "tests/sass/fixtures.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class ListingTest : public QObject {
  Q_OBJECT

 private slots:
  void everyFormSaysTheSame_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("live");
    QTest::newRow("nvdisasm") << "naive.plain.txt" << false;
    QTest::newRow("with life ranges") << "naive.life-ranges.txt" << true;
    QTest::newRow("with encodings") << "naive.hex.txt" << false;
    QTest::newRow("cuobjdump") << "naive.cuobjdump.txt" << false;
  }
  void everyFormSaysTheSame() {
    QFETCH(QString, file);
    QFETCH(bool, live);
    const auto listing = parseListing(fixture(file));
    QVERIFY(listing.has_value());
    QCOMPARE(q(listing->kernel), QString("naive"));
    QCOMPARE(listing->instructions.size(), std::size_t{92});  // no branch to itself, no NOP
    QCOMPARE(listing->hasLive(), live);
    QCOMPARE(listing->mostLive(), live ? 28 : 0);
    QCOMPARE(q(listing->instructions.front().text()), QString("LDC R1, c[0x0][0x28]"));
    QCOMPARE(q(listing->instructions.back().text()), QString("EXIT"));
    for (std::size_t i = 0; i < listing->instructions.size(); ++i)
      QCOMPARE(listing->instructions[i].address, std::uint32_t(16 * i));
    const Instruction& branch = listing->instructions[15];
    QCOMPARE(q(branch.predicate), QString("!P0"));
    QCOMPARE(q(branch.opcode), QString("BRA"));
    QVERIFY(branch.target.has_value());
    QVERIFY(listing->at(*branch.target).has_value());
    // Labels have become addresses, as cuobjdump prints them.
    const auto other = parseListing(fixture("naive.cuobjdump.txt"));
    for (std::size_t i = 0; i < listing->instructions.size(); ++i)
      QCOMPARE(q(listing->instructions[i].text()), q(other->instructions[i].text()));
  }

  // As nvdisasm -gi prints them: the innermost function first, the kernel itself last.
  void sourceLines() {
    const std::string text =
        "\t.section\t.text.k,\"ax\",@progbits\n"
        "        /*0000*/  LDC R1, c[0x0][0x28] ;\n"
        "\t//## File \"/x/k.cuh\", line 2 inlined at \"/x/k.cu\", line 6\n"
        "\t//## File \"/x/k.cu\", line 6\n"
        "        /*0010*/  LDG.E.128 R4, desc[UR6][R4.64] ;\n"
        "        /*0020*/  IADD3 R8, R16, -0x8000, RZ ;\n"
        "\t//## File \"/x/k.cuh\", line 3 inlined at \"/x/k.cu\", line 4\n"
        "\t//## File \"/x/k.cu\", line 4 inlined at \"/x/k.cu\", line 8\n"
        "\t//## File \"/x/k.cu\", line 8\n"
        "        /*0028*/  FFMA R1, R2, R3, R4 ;\n"
        "\t//## File \"/x/k.cu\", line 99999999999\n"
        "        /*0030*/  EXIT ;\n";
    const auto listing = parseListing(text);
    QVERIFY(listing.has_value() && listing->hasLines());
    QCOMPARE(listing->instructions[0].line, 0);
    QCOMPARE(listing->instructions[1].line, 6);
    QCOMPARE(listing->instructions[2].line, 6);
    QCOMPARE(listing->instructions[3].line, 4);  // within a lambda of the kernel
    QCOMPARE(listing->instructions[4].line, 0);  // no line of a kernel
    auto plain = parseListing(fixture("naive.plain.txt"));
    QVERIFY(!plain->hasLines());
    takeLines(*plain, *listing);  // of another kernel: nothing is taken
    QVERIFY(!plain->hasLines());
    auto same = *listing;
    for (Instruction& i : same.instructions) i.line = 0;
    takeLines(same, *listing);
    QCOMPARE(same.instructions[1].line, 6);
  }

  void liveRegisters() {
    const auto listing = parseListing(fixture("naive.life-ranges.txt"));
    QCOMPARE(listing->instructions[0].live, std::optional(1));
    QCOMPARE(listing->instructions[0x100 / 16].live, std::optional(8));
    const auto older = parseListing(fixture("naive-sm_86.life-ranges.txt"));
    QVERIFY(older.has_value() && older->hasLive());
  }

  void operands() {
    const auto ffma = parseInstruction("FFMA R113, R31.reuse, R42, R8");
    QVERIFY(ffma.has_value());
    QCOMPARE(ffma->registers.size(), std::size_t{4});
    QCOMPARE(ffma->registers[1].reg, 31);
    QVERIFY(ffma->registers[1].reuse);
    QVERIFY(!ffma->registers[2].reuse);
    QCOMPARE(ffma->registers[3].reg, 8);
    const auto odd = parseInstruction(" @!PT FFMA R1, -|R2|.reuse, UR6, RZ ");
    QVERIFY(odd.has_value() && odd->never());
    QCOMPARE(odd->registers[1].reg, 2);
    QVERIFY(odd->registers[1].reuse);
    QCOMPARE(odd->registers[2].reg, -1);  // uniform
    QCOMPARE(odd->registers[3].reg, -1);  // zero
    const auto load = parseInstruction("LDS.128 R36, [R104+0x40]");
    QCOMPARE(q(load->base()), QString("LDS"));
    QCOMPARE(load->registers[1].reg, -1);  // an address is read elsewhere
    QVERIFY(!load->target.has_value());
    QCOMPARE(q(load->text()), QString("LDS.128 R36, [R104+0x40]"));
    QCOMPARE(parseInstruction("@P1 CALL.REL.NOINC 0x6670")->target, std::optional(0x6670u));
  }

  void whatIsNoInstruction_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "   ", "@P0", ".L_x_0:", "/* 0x00ff */", "lower R1", "1234", "|||",
                             "MOV R1, \x1b[2J", "@P\x01 EXIT", "MOV R1, \xff", "MOV R1,\tR2"})
      QTest::newRow(*text != '\0' ? text : "nothing") << QByteArray(text);
  }
  void whatIsNoInstruction() {
    QFETCH(QByteArray, text);
    QVERIFY(!parseInstruction(text.toStdString()).has_value());
  }

  void whatIsNoListing_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("an error") << QByteArray(
        "nvdisasm fatal   : Object file bad appears truncated\n");
    QTest::newRow("zeros") << QByteArray(4000, '\0');
    QTest::newRow("half a line") << QByteArray("        /*0000*/     FFMA R1, R2");
    QTest::newRow("comments") << QByteArray("/*\n/**/\n/*;*/;\n/*zz*/ FFMA R1, R2, R3, R4 ;\n");
  }
  void whatIsNoListing() {
    QFETCH(QByteArray, text);
    const auto listing = parseListing(text.toStdString());
    QVERIFY(!listing.has_value());
    QCOMPARE(listing.error().trouble, Trouble::Unsupported);
  }

  // Anything may be printed, and nothing may be read beyond its end.
  void brokenListingsAreSurvived() {
    const std::string whole = fixture("naive.life-ranges.txt");
    for (std::size_t cut = 0; cut < whole.size(); cut += 97) {
      const auto listing = parseListing(std::string_view(whole).substr(0, cut));
      if (listing) QVERIFY(listing->instructions.size() <= 92);
      std::string spoilt = whole;
      spoilt[cut] = static_cast<char>(cut % 7 == 0 ? '\n' : cut * 31);
      (void)parseListing(spoilt);
    }
  }

  // Register banks are counted by a register's number.
  void registersThatAreNone() {
    for (const char* text : {"FFMA R1, R-3, R2, R4", "FFMA R1, R-2147483648, R2, R4",
                             "FFMA R1, R256, R2, R4", "FFMA R1, R4294967295, R2, R4"})
      QCOMPARE(parseInstruction(text)->registers[1].reg, -1);
  }

  void countsThatAreNone() {
    for (const char* count : {"-1", "1025", "4294967296", "x"}) {
      const auto listing =
          parseListing(fmt::format("/*0000*/ MOV R1, R2 ; // | {} | |\n/*0010*/ EXIT ;", count));
      QVERIFY(listing.has_value());
      QVERIFY(!listing->instructions[0].live.has_value());
    }
  }

  void anAddressThatGoesBackEndsTheKernel() {
    const auto listing =
        parseListing("/*0010*/ MOV R1, R2 ;\n/*0020*/ EXIT ;\n/*0010*/ MOV R3, R4 ;\n");
    QVERIFY(listing.has_value());
    QCOMPARE(listing->instructions.size(), std::size_t{2});
  }

  void aNameThatCannotBeShown() {
    const auto listing =
        parseListing("Function : \x1b[2J" + std::string(1000, 'k') + "\n/*0000*/ EXIT ;\n");
    QVERIFY(listing.has_value());
    QCOMPARE(q(listing->kernel), "?[2J" + QString(36, 'k') + "...");
  }

  void onlyTheFirstKernel() {
    const std::string twice =
        fixture("naive.cuobjdump.txt") + "\t\tFunction : other\n" + "        /*0000*/  EXIT ;\n";
    const auto listing = parseListing(twice);
    QCOMPARE(q(listing->kernel), QString("naive"));
    QCOMPARE(listing->instructions.size(), std::size_t{92});
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ListingTest, Nothing)
#include "listing_test.moc"
