// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-cases as machine code: what is inserted into the compiled kernel, and when that is refused.
#include "kernels/sass/micro_case.h"

#include <QtTest>
#include <set>

#include "kernels/analysis/memory/wavefronts.h"
#include "kernels/sass/micro_code.h"
#include "kernels/sass/mix.h"
#include "tests/support/micro_template.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class MicroCaseTest : public QObject {
  Q_OBJECT

  static MicroCase plain() {
    MicroCase made{"plain", LaneAddresses::Own, {}};
    for (int i = 0; i < int(MicroCase::kSlots); ++i)
      made.code.push_back(micro::ffma(64 + i % 32, 26, 27, 64 + i % 32, micro::kKeepA));
    return made;
  }
  static QString refusal(const MicroTemplate& from, const MicroCase& which) {
    const auto made = microCubin(from.file(), which);
    return made ? QString() : QString::fromStdString(made.error());
  }

 private slots:
  void instructionsSayWhatTheyAre() {
    using namespace micro;
    const std::vector<std::pair<Decoded, const char*>> all = {
        {ffma(64, 26, 27, 65, kKeepA | kKeepC), "FFMA R64, R26.reuse, R27, R65.reuse"},
        {ffma(64, 255, 27, 255), "FFMA R64, RZ, R27, RZ"},
        {sharedLoad(4, 32), "LDS R32, [R24]"},
        {sharedLoad(8, 32), "LDS.64 R32, [R24]"},
        {sharedLoad(16, 32), "LDS.128 R32, [R24]"},
        {sharedStore(4, 48), "STS [R24], R48"},
        {move(32, 48), "MOV R32, R48"},
        {uniformAdd(), "UIADD3 UR40, UR40, URZ, URZ"},
        {nothing(), "NOP"},
        {mayNotExecute(nothing()), "@!PT NOP"},
        {countDown(25), "IADD3 R25, R25, -0x1, RZ"},
        {isMoreThanOne(0, 25), "ISETP.GT.AND P0, PT, R25, 0x1, PT"},
        {branchToStart(0, 0x40), "@P0 BRA 0x0"},
    };
    for (const auto& [code, text] : all) {
      QCOMPARE(code.text(), std::string(text));
      const auto word = encode(code);
      QVERIFY(word && *decode(*word, code.address, 90) == code);
    }
    QCOMPARE(stalled(nothing(), 3).control.stall, 3);
  }

  void aTurnIsTheSlotsAndWhatClosesTheLoop() {
    const MicroCase which = plain();
    const Listing turn = sass::listingOf(which);
    QCOMPARE(turn.instructions.size(), MicroCase::kSlots + 3);
    const Loop loop = mainLoop(turn);
    QVERIFY(!loop.whole);
    QCOMPARE(loop.range, (Range{0, turn.instructions.size()}));
    QCOMPARE(mixOf(turn, loop.range).of(Class::Ffma), int(MicroCase::kSlots));
  }

  void theKernelGetsTheInstructions() {
    const MicroCase which = plain();
    const auto file = microCubin(MicroTemplate().file(), which);
    QVERIFY2(file.has_value(), file ? "" : file.error().c_str());
    const auto cubin = readCubin(*file);
    QVERIFY(cubin.has_value());
    QCOMPARE(cubin->registers, micro::kRegisters);
    const auto text = [&](std::size_t i) {
      return decode(cubin->words[i], std::uint32_t(i * kCodeWordBytes), 90)->text();
    };
    QCOMPARE(text(0), std::string("MOV R24, R5"));
    QCOMPARE(text(1), std::string("MOV R25, R5"));
    QCOMPARE(text(4), which.code.front().text());
    QCOMPARE(text(3 + MicroCase::kSlots), which.code.back().text());
    QCOMPARE(text(4 + MicroCase::kSlots), std::string("@P0 BRA 0x20"));
    QCOMPARE(text(5 + MicroCase::kSlots), std::string("EXIT"));
  }

  void anotherKernelIsRefused() {
    const MicroCase which = plain();
    MicroTemplate odd;
    odd.length = 255;
    QVERIFY(refusal(odd, which).contains("no loop"));
    odd = {};
    odd.placeholders = 1;
    QVERIFY(refusal(odd, which).contains("placeholders"));
    QVERIFY(!refusal(MicroTemplate{.length = 10}, which).isEmpty());
    QVERIFY(microCubin(std::vector<char>(8), which).error().find("ELF") != std::string::npos);
    MicroCase shorter = which;
    shorter.code.pop_back();
    QVERIFY(refusal({}, shorter).contains("255 slots"));
  }

  // The addresses are what their names say, by the rule of pairs (docs/hardware.md, rule 4).
  void lanesShareAddressesAsNamed() {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kLaneAddresses; ++i) {
      const auto lanes = LaneAddresses(i);
      names.insert(name(lanes));
      std::array<std::uint32_t, 32> words = bytesOf(lanes);
      for (std::uint32_t& each : words) {
        QVERIFY(each % 16 == 0 && each <= 4096 - 16);
        each /= 4;
      }
      const auto served = analysis::wavefronts(words, ~0u, 4);
      QCOMPARE(served.lanesAtOnce == 16, paired(lanes));
      QCOMPARE(served.conflicts(), 0u);
    }
    QCOMPARE(names.size(), kLaneAddresses);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::MicroCaseTest, Nothing)
#include "micro_case_test.moc"
