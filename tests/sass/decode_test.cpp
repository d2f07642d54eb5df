// SPDX-License-Identifier: GPL-3.0-or-later
// Machine instructions as values: as nvdisasm printed them, changed, and damaged. compiled_test has
// those of whole kernels.
#include "kernels/sass/decode.h"

#include <QtTest>
#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "kernels/sass/form_parts.h"
#include "tests/sass/fixtures.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class DecodeTest : public QObject {
  Q_OBJECT

  struct Line {
    int capability = 0;
    std::uint32_t address = 0;
    CodeWord word;
    std::string text;
  };
  std::vector<Line> lines_;

  static std::uint64_t hex(std::string_view digits) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size())
      qFatal("no number: %s", std::string(digits).c_str());
    return value;
  }

  // An instruction of the fixture by its text.
  Decoded named(std::string_view text) const {
    for (const Line& line : lines_)
      if (line.text == text) return *decode(line.word, line.address, line.capability);
    qFatal("the fixture has no %s", std::string(text).c_str());
  }

  // The first one with this mnemonic.
  Decoded first(std::string_view mnemonic, int capability) const {
    for (const Line& line : lines_) {
      if (line.capability != capability) continue;
      Decoded d = *decode(line.word, line.address, line.capability);
      if (d.mnemonic() == mnemonic) return d;
    }
    qFatal("the fixture has no %s", std::string(mnemonic).c_str());
  }

  static std::string again(const Decoded& changed) {
    const auto word = encode(changed);
    if (!word) return word.error();
    const auto read = decode(*word, changed.address, changed.capability);
    return read ? read->text() : read.error();
  }

  static std::string numbers(const std::bitset<256>& set) {
    std::string text;
    for (std::size_t i = 0; i < set.size(); ++i)
      if (set[i]) text += (text.empty() ? "" : " ") + std::to_string(i);
    return text;
  }
  // General registers, uniform ones, predicates, uniform predicates: "4 5|6|0|1".
  static std::string said(const RegisterUse& use) {
    const auto low = [](std::uint8_t bits) { return numbers(std::bitset<256>(bits)); };
    return numbers(use.registers) + "|" + numbers(use.uniform) + "|" + low(use.predicates) + "|" +
           low(use.uniformPredicates);
  }

  static std::string errorOf(std::uint64_t low, std::uint64_t high, int capability) {
    const auto d = decode({low, high}, 0x40, capability);
    return d ? "it is " + d->text() : d.error();
  }

 private slots:
  void initTestCase() {
    std::istringstream text(fixture("code_words.txt"));
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with('#')) continue;
      std::istringstream words(line);
      std::string capability, address, word, rest;
      words >> capability >> address >> word >> std::ws;
      std::getline(words, rest);
      QCOMPARE(word.size(), std::size_t{32});
      const std::string_view digits = word;
      lines_.push_back({std::stoi(capability),
                        static_cast<std::uint32_t>(hex(address)),
                        {hex(digits.substr(16)), hex(digits.substr(0, 16))},
                        rest});
    }
    QVERIFY(lines_.size() > 600);
  }

  void asTheDisassemblerSays() {
    for (const Line& line : lines_) {
      const auto d = decode(line.word, line.address, line.capability);
      QVERIFY2(d.has_value(), qPrintable(q(line.text + ": " + (d ? "" : d.error()))));
      QCOMPARE(q(d->text()), q(line.text));
      const auto word = encode(*d);
      QVERIFY2(word.has_value() && *word == line.word, qPrintable(q(line.text)));
      // The other reader of such texts finds the same registers in it.
      const auto listed = parseInstruction(d->text());
      QVERIFY2(listed.has_value(), qPrintable(q(line.text)));
      QCOMPARE(q(listed->text()), q(line.text));
      std::size_t shown = 0;
      for (const DecodedOperand& operand : d->operands) {
        if (!operand.shown) continue;
        const sass::Operand& there = listed->registers.at(shown++);
        const bool general =
            operand.kind == OperandKind::Register && operand.number != kZeroRegister;
        QCOMPARE(there.reg, general ? operand.number : -1);
        QCOMPARE(there.reuse, general && operand.reuse);
      }
      QCOMPARE(shown, listed->registers.size());
      if (listed->target) QVERIFY(d->target() == listed->target);
    }
  }

  // Instructions that no kernel of the corpus has are not in the tables.
  void eachRowHasALine() {
    std::set<const Form*> seen;
    for (const Line& line : lines_)
      seen.insert(decode(line.word, line.address, line.capability)->form);
    for (const std::span<const Form> table :
         {integerForms(), floatForms(), uniformForms(), memoryForms(), controlForms(),
          tensorForms(), asyncForms(), halfForms(), doubleForms(), conversionForms(), atomicForms(),
          laneForms()})
      for (const Form& form : table)
        QVERIFY2(seen.contains(&form),
                 qPrintable(q(form.name) + " since " + QString::number(form.since)));
  }

  // Whatever the bits are: they are refused, or each of them is kept.
  void anyBitWrong() {
    for (const Line& line : lines_) {
      for (int bit = 0; bit < 128; ++bit) {
        CodeWord word = line.word;
        word.put(bit, 1, word.bits(bit, 1) ^ 1);
        const auto d = decode(word, line.address, line.capability);
        if (!d) {
          QVERIFY(!d.error().empty() && !d.error().ends_with('.'));
          continue;
        }
        const auto back = encode(*d);
        QVERIFY2(back.has_value() && *back == word, qPrintable(q(line.text)));
        QVERIFY2(parseInstruction(d->text()).has_value(), qPrintable(q(d->text())));
      }
    }
  }

  void whatIsReadAndWritten_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reads");
    QTest::addColumn<QString>("writes");
    const auto row = [](const char* text, const char* reads, const char* writes) {
      QTest::newRow(text) << text << reads << writes;
    };
    row("FFMA R149, R44, R56.reuse, R149", "44 56 149|||", "149|||");
    row("FFMA R63, R63, c[0x0][0x180], R66", "63 66|||", "63|||");
    row("FMUL R149, R149, UR6", "149|6||", "149|||");
    // The guard is read, and RZ and PT are in no set.
    row("@P2 IADD3 R2, PT, PT, -R3, R2, RZ", "2 3||2|", "2|||");
    row("@!P1 LDC R219, c[0x0][0x214]", "||1|", "219|||");
    row("@!UP1 ULDC UR6, c[0x0][0x164]", "|||1", "|6||");
    row("@!UPT UIADD3 URZ, UPT, UPT, URZ, URZ, URZ", "|||", "|||");
    row("LEA R6, P2, R10.reuse, R154, 0x2", "10 154|||", "6||2|");
    row("ULOP3.LUT UP0, UR4, UR4, 0x3, URZ, 0xc0, !UPT", "|4||", "|4||0");
    // Several registers in a row.
    row("CS2R R32, SRZ", "|||", "32 33|||");
    row("LDC.64 R138, c[0x0][0x390]", "|||", "138 139|||");
    row("LDCU.128 UR4, c[0x0][0x390]", "|||", "|4 5 6 7||");
    row("IADD.64 R136, R136, R160.reuse", "136 137 160 161|||", "136 137|||");
    row("HMMA.16816.F32 R132, R44.reuse, R176, R132", "44 45 46 47 132 133 134 135 176 177|||",
        "132 133 134 135|||");
    row("LDSM.16.M88.4 R140, [R158+UR7+0x400]", "158|7||", "140 141 142 143|||");
    row("STSM.16.M88.4 [R200], R4", "4 5 6 7 200|||", "|||");
    row("LDS R3, [R36+UR5+0x100]", "36|5||", "3|||");
    row("STS [R31+0x200], R45", "31 45|||", "|||");
    row("LDG.E R7, desc[UR12][R2.64+0x8]", "2 3|12 13||", "7|||");
    row("STG.E desc[UR12][R2.64+0x4], R7", "2 3 7|12 13||", "|||");
    row("LDGSTS.E [R27], desc[UR8][R6.64]", "6 7 27|8 9||", "|||");
    row("P2R R44, PR, RZ, 0x20", "||5|", "44|||");
    row("PLOP3.LUT P2, PT, PT, PT, UP1, 0x80, 0x8", "|||1", "||2|");
    row("@P1 R2UR.OR P0, UR24, R6", "6||0 1|", "|24|0|");
    row("@!UP0 SYNCS.EXCH.64 URZ, [UR8], UR4", "|4 5 8||0", "|||");
    row("UTMALDG.2D [UR4], [UR14]", "|4 5 6 7 14 15||", "|||");
    row("UTMASTG.2D [UR16], [UR20]", "|16 17 18 20 21||", "|||");
  }
  void whatIsReadAndWritten() {
    QFETCH(QString, text);
    QFETCH(QString, reads);
    QFETCH(QString, writes);
    const Decoded d = named(text.toStdString());
    QCOMPARE(q(said(d.reads())), reads);
    QCOMPARE(q(said(d.writes())), writes);
  }

  // Of rung 16 with SPLIT = 2, as NVRTC 13.0 compiles it.
  void aFlagIsCountedUp() {
    const auto said_ = [](std::uint64_t high, std::uint64_t low, int capability) {
      const auto d = decode({low, high}, 0, capability);
      if (!d) return d.error();
      const auto word = encode(*d);
      if (!word || *word != CodeWord{low, high}) return std::string("other bits");
      return d->text() + "  " + said(d->reads()) + "  " + said(d->writes());
    };
    QCOMPARE(q(said_(0x000ea800081ee1ca, 0x00000005020079a8, 90)),
             "ATOMG.E.ADD.STRONG.GPU PT, R0, desc[UR10][R2.64], R5  2 3 5|10 11||  0|||");
    QCOMPARE(q(said_(0x000ea400081ee1c6, 0x00000005020079a8, 80)),
             "ATOMG.E.ADD.STRONG.GPU PT, R0, [R2.64], R5  2 3 5|6 7||  0|||");
    QCOMPARE(q(said_(0x0005e20008000804, 0x00000000ff007988, 90)), "STS [UR4], R0  0|4||  |||");
    QVERIFY(decode({0x00000005020079a8, 0x000ea800081ee1ca}, 0, 90)->effect() ==
            Effect::GlobalAtomic);
    QVERIFY(decode({0x00000000ff007988, 0x0005e20008000804}, 0, 90)->effect() ==
            Effect::SharedStore);
    // An operation that does not exist.
    QVERIFY(!decode({0x00000005020079a8, 0x000ea8000c9ee1ca}, 0, 90));
  }

  // A wgmma of 64 x 256 has 128 results in each thread.
  void productsOfWarpgroups() {
    const Decoded d = first("HGMMA.64x256x16.F32.BF16", 90);
    QVERIFY(d.effect() == Effect::GroupProduct);
    QCOMPARE(d.bytes(), 512);
    QCOMPARE(d.writes().registers.count(), std::size_t{128});
    QVERIFY(d.writes().registers[24] && d.writes().registers[151]);
    QCOMPARE(d.reads().registers, d.writes().registers);
    QCOMPARE(d.reads().uniform.count(), std::size_t{4});
  }

  void effects() {
    const auto effect = [&](std::string_view text) { return named(text).effect(); };
    QVERIFY(effect("LDS R3, [R36+UR5+0x100]") == Effect::SharedLoad);
    QVERIFY(effect("STS [R31+0x200], R45") == Effect::SharedStore);
    QVERIFY(effect("LDGSTS.E [R27], desc[UR8][R6.64]") == Effect::AsyncCopy);
    QVERIFY(effect("LDGDEPBAR") == Effect::AsyncCommit);
    QVERIFY(effect("DEPBAR.LE SB0, 0x1") == Effect::Wait);
    QVERIFY(effect("BAR.SYNC.DEFER_BLOCKING 0x0") == Effect::Barrier);
    QVERIFY(effect("@P0 EXIT") == Effect::Exit);
    QVERIFY(effect("FFMA R149, R44, R56.reuse, R149") == Effect::None);
    QCOMPARE(named("LDCU.128 UR4, c[0x0][0x390]").bytes(), 16);
    QCOMPARE(named("FFMA R149, R44, R56.reuse, R149").bytes(), 0);
  }

  void aChangedInstruction() {
    Decoded ffma = named("FFMA R149, R44, R56.reuse, R149");
    QCOMPARE(QString::fromUtf8(ffma.base().data(), 4), QString("FFMA"));
    ffma.operands[0].number = 7;
    ffma.operands[1].number = kZeroRegister;
    ffma.operands[1].reuse = true;
    ffma.operands[2].reuse = false;
    ffma.operands[3].number = 254;
    ffma.guard = {.predicate = 3, .negated = true};
    QCOMPARE(q(again(ffma)), QString("@!P3 FFMA R7, RZ.reuse, R56, R254"));

    Decoded add = named("@P2 IADD3 R2, PT, PT, -R3, R2, RZ");
    add.operands[1].number = 6;
    add.operands[3].negated = false;
    add.operands[5].negated = true;
    add.operands[5].number = 9;
    QCOMPARE(q(again(add)), QString("@P2 IADD3 R2, P6, PT, R3, R2, -R9"));

    Decoded load = named("LDS R3, [R36+UR5+0x100]");
    load.operands[1].value = -16;
    load.operands[1].uniform = -1;
    QCOMPARE(q(again(load)), QString("LDS R3, [R36+-0x10]"));
    load.operands[1].scale = 4;
    load.operands[1].value = 0;
    QCOMPARE(q(again(load)), QString("LDS R3, [R36.X4]"));

    Decoded constant = named("LDC.64 R138, c[0x0][0x390]");
    constant.operands[1].value = 0x160;
    constant.operands[1].bank = 3;
    constant.modifiers[0] = 4;
    QCOMPARE(q(again(constant)), QString("LDC R138, c[0x3][0x160]"));

    Decoded move = named("UMOV UR4, 0x400");
    move.operands[0].number = kZeroRegister;
    move.operands[1].value = 0xfffffff0;
    QCOMPARE(q(again(move)), QString("UMOV URZ, 0xfffffff0"));
  }

  void theControlBits() {
    Decoded d = named("FFMA R149, R44, R56.reuse, R149");
    QCOMPARE(d.control.reuse, 0u);  // the operand says it
    d.control = {
        .stall = 15, .yield = true, .writeScoreboard = 5, .readScoreboard = 0, .wait = 0x21};
    const CodeWord word = *encode(d);
    Control expected = d.control;
    expected.reuse = 2;
    QVERIFY(controlOf(word) == expected);
    QVERIFY(decode(word, d.address, d.capability)->control == d.control);
    CodeWord other = word;
    expected = {.stall = 1, .reuse = 5};
    putControl(other, expected);
    QVERIFY(controlOf(other) == expected);
    QCOMPARE(other.bits(0, 64), word.bits(0, 64));
    QCOMPARE(other.bits(64, 41), word.bits(64, 41));
  }

  // A branch at another place goes to the same target, and another one to another target.
  void branches() {
    for (const Line& line : lines_) {
      Decoded d = *decode(line.word, line.address, line.capability);
      if (d.effect() != Effect::Branch || !d.target()) continue;  // BRX adds registers
      const std::uint32_t target = *d.target();
      QCOMPARE(branchDistance(line.word, line.capability),
               std::int64_t{target} - line.address - kCodeWordBytes);
      d.address += 0x100;
      const CodeWord moved = *encode(d);
      QVERIFY(!(moved == line.word));
      QCOMPARE(*decode(moved, d.address, d.capability)->target(), target);
      std::ranges::find(d.operands, OperandKind::Label, &DecodedOperand::kind)->value = 0x40;
      QCOMPARE(*decode(*encode(d), d.address, d.capability)->target(), 0x40u);
    }
  }

  void whatHasNoRoom() {
    Decoded ffma = named("FFMA R149, R44, R56.reuse, R149");
    ffma.operands[0].number = 256;
    QCOMPARE(q(encode(ffma).error()), QString("a number of FFMA cannot be 256"));
    ffma.operands.pop_back();
    QCOMPARE(q(encode(ffma).error()), QString("FFMA has 4 operands, but was given 3"));
    Decoded load = named("LDS R3, [R36+UR5+0x100]");
    load.operands[1].value = 1 << 23;
    QCOMPARE(q(encode(load).error()),
             QString("the offset of the address of LDS cannot be 8388608"));
    load.operands[1].value = 0;
    load.operands[1].scale = 3;
    QCOMPARE(q(encode(load).error()), QString("the scale of the address of LDS cannot be 3"));
    Decoded product = named("FFMA R63, R63, c[0x0][0x180], R66");
    product.operands[2].value = 0x181;
    QVERIFY(!encode(product));
    Decoded branch = first("BRA", 90);
    std::ranges::find(branch.operands, OperandKind::Label, &DecodedOperand::kind)->value = 0x42;
    QVERIFY(!encode(branch));
    Decoded add = named("UIMAD UR4, UR4, UR9, UR5");
    add.operands[0].number = add.capability < 100 ? 63 : 254;
    QCOMPARE(encode(add).has_value(), add.capability >= 100);
    Decoded guarded = named("LDGDEPBAR");
    guarded.guard.predicate = 8;
    QCOMPARE(q(encode(guarded).error()), QString("the guard of LDGDEPBAR cannot be 8"));
  }

  void whatIsNotKnown() {
    QCOMPARE(q(errorOf(0x7fff, 0, 90)),
             QString("the opcode 0xfff of the instruction at 0x0040 is not known for compute "
                     "capability 9.0"));
    // VIADD exists since 9.0.
    QCOMPARE(q(errorOf(0x0000000100007836, 0, 86)),
             QString("the opcode 0x836 of the instruction at 0x0040 is not known for compute "
                     "capability 8.6"));
    QCOMPARE(q(errorOf(0x0000000200017223, 0x00000000000a0003, 90)),
             QString("the instruction FFMA at 0x0040 has bits without a known meaning: 81, 83"));
    QCOMPARE(q(errorOf(0x0000000000037984, 0x0000000000000e00, 90)),
             QString("the instruction LDS at 0x0040 has the value 7 in bits 73 to 75"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::DecodeTest, Nothing)
#include "decode_test.moc"
