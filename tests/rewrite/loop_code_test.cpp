// SPDX-License-Identifier: GPL-3.0-or-later
// The main loop extracted from a kernel, what is live around it, and kernels whose loop cannot be
// extracted.
#include "kernels/rewrite/loop_code.h"

#include <QtTest>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class LoopCodeTest : public QObject {
  Q_OBJECT

  static std::string why(const std::vector<sass::Decoded>& code) {
    const auto loop = loopCodeOf(kernelOf(code));
    return loop ? "" : loop.error();
  }
  // Inserts an instruction at this place; branches keep their targets.
  static std::vector<sass::Decoded> with(std::vector<sass::Decoded> code, std::size_t at,
                                         sass::Decoded added) {
    for (sass::Decoded& each : code) {
      for (sass::DecodedOperand& operand : each.operands) {
        if (operand.kind == sass::OperandKind::Label &&
            operand.value >= std::int64_t(at * sass::kCodeWordBytes))
          operand.value += sass::kCodeWordBytes;
      }
    }
    code.insert(code.begin() + std::ptrdiff_t(at), std::move(added));
    return code;
  }
  static bool lives(const sass::RegisterUse& use, int reg) {
    return use.registers[std::size_t(reg)];
  }

 private slots:
  void theLoopIsTakenOut() {
    const auto code = productKernel();
    const auto loop = loopCodeOf(kernelOf(code));
    QVERIFY2(loop, loop ? "" : loop.error().c_str());
    QCOMPARE(loop->begin, kProductLoop);
    QCOMPARE(loop->back().code.effect(), sass::Effect::Branch);
    QCOMPARE(loop->turn.size(), loop->end - loop->begin - 1);
    // The padding after the kernel is left out.
    QCOMPARE(loop->kernel.back().code.effect(), sass::Effect::Exit);
    for (std::size_t i = 0; i < loop->kernel.size(); ++i) QCOMPARE(loop->kernel[i].at, i);
  }
  void aForwardJumpBecomesAGuard() {
    auto code = productKernel();
    const std::size_t at = kProductLoop + 2;
    code = with(code, at, make::sts(1, 9));
    code = with(code, at, make::mov(9, 8));
    code = with(code, at, under(make::branch(at + 3), 1));
    const auto loop = loopCodeOf(kernelOf(code));
    QVERIFY2(loop, loop ? "" : loop.error().c_str());
    QCOMPARE(loop->turn.size(), loop->end - loop->begin - 2);
    QCOMPARE(loop->turn[2].code.text(), "@!P1 MOV R9, R8");
    QCOMPARE(loop->turn[3].code.text(), "@!P1 STS [R1], R9");
    QVERIFY(!loop->turn[4].guarded());
  }
  void jumpsThatCannotBecomeOne() {
    const auto code = productKernel();
    const std::size_t at = kProductLoop + 2;
    const auto cannot = [](const std::string& text) {
      return "the branch \"" + text + "\" in the loop cannot become a guard";
    };
    // Without a condition, out of the loop, and two that overlap.
    QCOMPARE(why(with(code, at, make::branch(at + 3))), cannot("BRA 0x90"));
    const auto out = with(code, at, under(make::branch(code.size() - 3), 1));
    QVERIFY(why(out).starts_with("the branch \"@P1 BRA"));
    const auto two =
        with(with(code, at, under(make::branch(at + 2), 1)), at, under(make::branch(at + 2), 2));
    QVERIFY(why(two).ends_with("in the loop cannot become a guard"));
  }
  void whatAJumpPassesOverMayNotHaveItsOwnGuard() {
    auto code = with(productKernel(), kProductLoop + 2, under(make::mov(9, 8), 2));
    code = with(code, kProductLoop + 2, under(make::branch(kProductLoop + 4), 1));
    // The label was put after the move.
    for (auto& operand : code[kProductLoop + 2].operands)
      if (operand.kind == sass::OperandKind::Label) operand.value = (kProductLoop + 4) * 16;
    QCOMPARE(why(code), "\"@P2 MOV R9, R8\", which a branch skips, has a guard of its own");
    code[kProductLoop + 3] = make::isetp(1, 4, 5);
    QCOMPARE(
        why(code),
        "\"ISETP.GE.U32.AND P1, PT, R4, R5, PT\", which a branch skips, changes its condition");
    code[kProductLoop + 3] = make::uiadd3(4, 4, 1);
    QCOMPARE(why(code),
             "\"UIADD3 UR4, UR4, 0x1, URZ\", which a branch skips, is executed for the whole warp");
    code[kProductLoop + 3] = make::isetp(2, 4, 5);
    QCOMPARE(why(code), "");
  }
  void jumpsIntoTheLoop() {
    const auto code = productKernel();
    const auto midst = with(code, 0, under(make::branch(kProductLoop + 5), 1));
    QVERIFY(why(midst).ends_with("branches into the middle of the loop"));
    // A branch to its first instruction is another way into it, which is known: as from before it.
    const auto start = with(code, 0, under(make::branch(kProductLoop), 1));
    QCOMPARE(why(start), "");
  }
  // What an outer loop leaves in flight when it begins the loop again is unknown.
  void loopsAroundTheLoop() {
    const auto code = productKernel();
    const std::size_t exit = code.size() - 3;
    QCOMPARE(why(with(code, exit, under(make::branch(0), 1))),
             "it is inside another loop: \"@P1 BRA 0x0\" leads to it again");
    QCOMPARE(why(with(code, exit, under(make::branch(kProductLoop), 1))),
             "it is inside another loop: \"@P1 BRA 0x40\" leads to it again");
  }
  void jumpsOutOfTheKernel() {
    const auto code = productKernel();
    QCOMPARE(why(with(code, 0, under(make::branch(1000), 1))),
             "\"@P1 BRA 0x3e80\" branches out of the kernel");
  }
  void noLoop() {
    QCOMPARE(why({make::ffma(1, 2, 3, 1), make::exit()}), "it has no loop with multiply-adds");
  }
  void instructionsThatStandInNoLoop() {
    const auto code = productKernel();
    QCOMPARE(why(with(code, kProductLoop + 2, under(make::exit(), 1))),
             "\"@P1 EXIT\" is in the loop");
    const auto sync = sass::decode({0x0000000000007948, 0x000fea0003800000}, 0, 90);
    QVERIFY2(sync, sync ? "" : sync.error().c_str());
    QCOMPARE(why(with(code, kProductLoop + 2, *sync)), "\"WARPSYNC.ALL\" is in the loop");
  }
  void unknownInstructions() {
    auto cubin = kernelOf(productKernel());
    cubin.words[1].low = (cubin.words[1].low & ~std::uint64_t{0xfff}) | 0x9fe;
    const auto loop = loopCodeOf(cubin);
    QVERIFY(!loop);
    QCOMPARE(loop.error(),
             "the opcode 0x9fe of the instruction at 0x0010 is not known for compute "
             "capability 9.0");
  }
  // Known to the decoder, but not to the rules for places, scoreboards and registers.
  void instructionsOfOtherKernelsInTheLoop() {
    const auto code = productKernel();
    const auto inLoop = [&](std::uint64_t low, std::uint64_t high) {
      const auto decoded = sass::decode({low, high}, (kProductLoop + 2) * 16, 90);
      return decoded ? why(with(code, kProductLoop + 2, *decoded)) : decoded.error();
    };
    QCOMPARE(inLoop(0x0000000008087229, 0x000fe20000000002), "\"DADD R8, R8, R2\" is in the loop");
    QCOMPARE(inLoop(0x00001f080b077589, 0x004ee400000e0000),
             "\"SHFL.IDX PT, R7, R11, R8, 0x1f\" is in the loop");
    QCOMPARE(inLoop(0x0080050000047b82, 0x001e240000000800),
             "\"LDC R4, c[0x2][R0+0x14]\" is in the loop");
    QCOMPARE(inLoop(0x00000000003c7944, 0x000fe80003c00000),
             "\"CALL.REL.NOINC 0x160\" is in the loop");
    QCOMPARE(inLoop(0x0000d000ff0a7b82, 0x000e220000000a00), "");
  }
  void whatCannotBeFollowed() {
    const auto code = productKernel();
    const auto first = [&](std::uint64_t low, std::uint64_t high) {
      const auto decoded = sass::decode({low, high}, 0, 90);
      return decoded ? why(with(code, 0, *decoded)) : decoded.error();
    };
    QCOMPARE(first(0x00000000043c7949, 0x000fe80003800000),
             "\"BRX R4 0xf0\" leads to code that is not followed");
    QCOMPARE(first(0x00000000043c7344, 0x000fe80003c00000),
             "\"CALL.REL.NOINC R4 0x100\" leads to code that is not followed");
    // The same branch or exit with P0 as its predicate, besides the guard.
    auto branch = sass::decode({0x00000008003c7947, 0x000fec0000000000}, 0, 90);
    QVERIFY2(branch, branch ? "" : branch.error().c_str());
    QCOMPARE(why(with(code, 0, *branch)), "\"" + branch->text() + "\" has two conditions");
  }
  // A return goes on behind the call.
  void lifeFollowsCalls() {
    const auto call = sass::decode({0x00000000003c7944, 0x000fe80003c00000}, 0, 90);
    const auto back = sass::decode({0x00000000043c7950, 0x000fe80003c00000}, 0, 90);
    QVERIFY(call && back);
    const auto before = loopCodeOf(kernelOf(productKernel()));
    QVERIFY(before);
    QVERIFY(!lives(liveAround(*before).turn, 60));
    // After the loop a routine behind the exit is called, which reads R60.
    auto code = with(productKernel(), before->end, *call);
    const std::size_t routine = before->kernel.size() + 1;
    code = with(with(code, routine, make::mov(61, 60)), routine + 1, *back);
    for (sass::DecodedOperand& operand : code[before->end].operands) {
      if (operand.kind == sass::OperandKind::Label)
        operand.value = std::int64_t(routine * sass::kCodeWordBytes);
    }
    const auto loop = loopCodeOf(kernelOf(code));
    QVERIFY2(loop, loop ? "" : loop.error().c_str());
    QCOMPARE(loop->kernel.size(), routine + 2);
    const LiveAround live = liveAround(*loop);
    QVERIFY(lives(live.turn, 60) && lives(live.exit, 60) && lives(live.exit, 4));
    QVERIFY(lives(live.exit, 32));  // which is stored behind the call
  }
  void whatLivesIsWhatWillBeRead() {
    const auto loop = loopCodeOf(kernelOf(productKernel()));
    QVERIFY(loop);
    const LiveAround live = liveAround(*loop);
    for (const int reg : {1, 2, 3, 4, 16, 23, 32, 47, 8, 9}) QVERIFY(lives(live.turn, reg));
    for (const int reg : {24, 31, 5, 48}) QVERIFY(!lives(live.turn, reg));
    for (const int reg : {32, 47, 8, 9}) QVERIFY(lives(live.exit, reg));
    for (const int reg : {1, 3, 16, 24}) QVERIFY(!lives(live.exit, reg));
    QVERIFY(live.turn.uniform[12]);
    QCOMPARE(int(live.turn.predicates), 0);
  }
  void aWriteUnderAGuardEndsNoLife() {
    const auto kernel = opsOf({under(make::mov(5, 6), 0), make::mov(7, 5), make::exit()});
    const auto live = liveBefore(kernel, 0);
    QVERIFY(lives(live, 5) && lives(live, 6) && !lives(live, 7));
    QCOMPARE(int(live.predicates), 1);
    QVERIFY(!lives(liveBefore(opsOf({make::mov(5, 6), make::mov(7, 5), make::exit()}), 0), 5));
  }
  void lifeFollowsJumps() {
    // Around a loop, and past an exit that not every thread takes.
    const auto kernel = opsOf({make::mov(5, 6), under(make::exit(), 1), make::mov(7, 9),
                               under(make::branch(0), 0), make::sts(1, 7), make::exit()});
    QVERIFY(lives(liveBefore(kernel, 3), 6) && lives(liveBefore(kernel, 3), 7));
    QVERIFY(lives(liveBefore(kernel, 0), 9));
    QVERIFY(!lives(liveBefore(kernel, 0), 7));
    QVERIFY(empty(liveBefore(kernel, 5)));
    QVERIFY(empty(liveBefore(kernel, 1000)));
    // A placeholder reads nothing.
    QVERIFY(empty(liveBefore(opsOf({under(make::mov(1, 2), 7, true), make::exit()}), 0)));
  }
  void fixturesAreTakenOut() {
    for (const std::string name : {"small", "square"}) {
      const auto loop = loopCodeOf(*sass::readCubin(cubinFixture(name)));
      QVERIFY2(loop, loop ? "" : loop.error().c_str());
      QVERIFY(loop->turn.size() > 256);
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LoopCodeTest, Nothing)
#include "loop_code_test.moc"
