// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/next_instruction.h"

#include <QtTest>

#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

class NextInstructionTest : public QObject {
  Q_OBJECT

 private slots:
  // Each execution of a line in order, then the first again.
  void goesRound() {
    const auto r = test::recorded({.stage = "warptiled"});
    const int line = test::instructionAt(*r, 0, openingAccess(*r)).line;
    const auto wanted = [line](const emulator::Instruction& i) { return i.line == line; };
    const std::uint32_t length = r->trace.length(0);
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < length; ++i) {
      if (wanted(test::instructionAt(*r, 0, i))) all.push_back(i);
    }
    QVERIFY(all.size() > 2);
    std::uint32_t from = 0;
    for (const std::uint32_t expected : all) {
      QCOMPARE(nextInstruction(r->trace, 0, from, wanted), std::optional(expected));
      from = expected + 1;
    }
    QCOMPARE(nextInstruction(r->trace, 0, from, wanted), std::optional(all.front()));
  }

  void thereIsNone() {
    const auto r = test::recorded({.stage = "warptiled"});
    QCOMPARE(nextInstruction(r->trace, 0, 0,
                             [](const emulator::Instruction& i) { return i.line == 9999; }),
             std::nullopt);
  }

 private:
  static std::uint32_t openingAccess(const Recording& r) {
    return test::indexOf(
        r, 0, [](const emulator::Instruction& i) { return i.kind == emulator::Kind::SharedLoad; });
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::NextInstructionTest, Nothing)
#include "next_instruction_test.moc"
