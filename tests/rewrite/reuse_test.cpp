// SPDX-License-Identifier: GPL-3.0-or-later
// Marks for the operand cache, and instructions that find an old value there.
#include "kernels/rewrite/reuse.h"

#include <QtTest>

#include "tests/rewrite/code.h"
#include "tests/rewrite/machine.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class ReuseTest : public QObject {
  Q_OBJECT

  // "a.", "ab.": which of the three sources are marked, for each instruction.
  static std::string marksOf(std::vector<Op>& ops) {
    setReuse(ops);
    std::string text;
    for (const Op& op : ops) {
      for (std::size_t slot = 1; slot < op.code.operands.size(); ++slot)
        if (op.code.operands[slot].reuse) text += "-abc"[slot];
      text += '.';
    }
    return text;
  }
  static std::string marks(std::vector<sass::Decoded> code) {
    auto ops = opsOf(std::move(code));
    return marksOf(ops);
  }
  static sass::Decoded kept(sass::Decoded code, std::size_t operand) {
    code.operands[operand].reuse = true;
    return code;
  }

 private slots:
  void whatIsReadAgainIsKept() {
    QCOMPARE(marks({make::ffma(32, 16, 20, 32), make::ffma(33, 16, 21, 33)}), "a..");
    // The slot counts, not the instruction.
    QCOMPARE(marks({make::ffma(32, 16, 20, 32), make::ffma(33, 21, 16, 33)}), "..");
    // Another one of the same parity passes through the slot first.
    QCOMPARE(
        marks({make::ffma(32, 16, 20, 32), make::ffma(34, 18, 21, 34), make::ffma(33, 16, 23, 33)}),
        "...");
    // One of the other parity does not matter.
    QCOMPARE(
        marks({make::ffma(32, 16, 20, 32), make::ffma(34, 17, 21, 34), make::ffma(33, 16, 23, 33)}),
        "a...");
  }
  void whatIsWrittenMeanwhileIsNot() {
    QCOMPARE(marks({make::ffma(32, 16, 20, 32), make::mov(16, 4), make::ffma(33, 16, 21, 33)}),
             "...");
    QCOMPARE(marks({make::ffma(32, 16, 20, 32), make::lds128(16, 1), make::ffma(33, 16, 21, 33)}),
             "...");
    QCOMPARE(marks({make::ffma(32, 16, 20, 32), make::lds128(12, 1), make::ffma(33, 16, 21, 33)}),
             "a...");
    // A placeholder writes nothing; neither does a store.
    QCOMPARE(marks({make::ffma(32, 16, 20, 32), under(make::lds(255, 255), 7, true),
                    make::sts(1, 16), make::ffma(33, 16, 21, 33)}),
             "a....");
    // A write under a guard may happen.
    QCOMPARE(
        marks({make::ffma(32, 16, 20, 32), under(make::mov(16, 4), 0), make::ffma(33, 16, 21, 33)}),
        "...");
    // By the multiply-add itself.
    QCOMPARE(marks({make::ffma(16, 16, 20, 32), make::ffma(33, 16, 20, 33)}), "b..");
  }
  void nothingIsKeptBeyondTheEnd() {
    QCOMPARE(marks({make::ffma(32, 16, 20, 32)}), ".");
    QVERIFY(marks({}).empty());
  }
  void otherInstructionsKeepNothing() {
    QCOMPARE(marks({kept(make::iadd3(4, 5, 1), 3), make::ffma(32, 5, 20, 32)}), "..");
  }
  void theJudgeAgrees() {
    auto ops = opsOf({make::ffma(32, 16, 20, 32), make::ffma(33, 16, 21, 33), make::mov(16, 4),
                      make::ffma(34, 16, 20, 34)});
    setReuse(ops);
    QCOMPARE(whyStale(ops), "");
  }
  void theJudgeSeesOldValues() {
    // The mark is valid across the write of the register.
    QCOMPARE(whyStale(opsOf({kept(make::ffma(32, 16, 20, 32), 1), make::mov(16, 4),
                             make::ffma(33, 16, 21, 33)})),
             "\"FFMA R33, R16, R21, R33\" finds an old value of R16 in the operand cache");
    // From one iteration to the next.
    QCOMPARE(whyStale(opsOf({make::ffma(33, 17, 21, 33), kept(make::ffma(32, 17, 20, 32), 1),
                             make::mov(17, 5)})),
             "\"FFMA R33, R17, R21, R33\" finds an old value of R17 in the operand cache");
    // Its own result.
    QCOMPARE(whyStale(opsOf({kept(make::ffma(16, 16, 20, 16), 1), make::ffma(33, 16, 21, 33)})),
             "\"FFMA R33, R16, R21, R33\" finds an old value of R16 in the operand cache");
    QCOMPARE(whyStale(opsOf({kept(make::iadd3(4, 5, 1), 3)})),
             "\"IADD3 R4, R5.reuse, 0x1, RZ\" is not a multiply-add, but keeps an operand");
    // Another register has passed through the slot: no old value is left there.
    QCOMPARE(whyStale(opsOf({kept(make::ffma(32, 16, 20, 32), 1), make::ffma(34, 18, 21, 34),
                             make::mov(16, 4), make::ffma(33, 16, 21, 33)})),
             "");
  }
  // Whatever setReuse marks, a thread with an operand cache computes the same.
  void marksChangeNoResult() {
    Random random(seed());
    for (int round = 0; round < (briefly() ? 20 : 200); ++round) {
      std::vector<sass::Decoded> code;
      for (int i = 0; i < 40; ++i) {
        const auto reg = [&random] { return random.integer(16, 23); };
        if (random.oneIn(8)) {
          code.push_back(stalled(make::mov(reg(), reg()), 6));
        } else {
          code.push_back(stalled(make::ffma(reg(), reg(), reg(), reg()), 6));
        }
      }
      auto ops = opsOf(std::move(code));
      setReuse(ops);
      const Outcome one = inOrder(ops, std::uint64_t(round));
      const Outcome other = inTime(ops, std::uint64_t(round), 1);
      QVERIFY(one.values == other.values);
      QCOMPARE(whyStale(ops), "");
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ReuseTest, Nothing)
#include "reuse_test.moc"
