// SPDX-License-Identifier: GPL-3.0-or-later
// Live registers beside those that nvdisasm printed for the same words; no compiler is needed.
// compiled_test has all rungs.
#include "kernels/sass/live_registers.h"

#include <QFile>
#include <QtTest>

#include "kernels/sass/basic_blocks.h"
#include "kernels/sass/decoded_code.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class LiveRegistersTest : public QObject {
  Q_OBJECT

  struct Kernel {
    QByteArray name;
    std::vector<Decoded> code;
    std::vector<int> live;
  };
  std::vector<Kernel> kernels_;

  static CodeWord wordOf(const QByteArray& digits) {
    return {digits.right(16).toULongLong(nullptr, 16), digits.left(16).toULongLong(nullptr, 16)};
  }
  const Kernel& kernel(const char* name) const {
    const auto found = std::ranges::find(kernels_, QByteArray(name), &Kernel::name);
    if (found == kernels_.end()) qFatal("the fixture has no such kernel");
    return *found;
  }
  static std::optional<std::vector<int>> of(std::span<const Decoded> code) {
    return liveRegisters(code);
  }
  // One more instruction, of compute capability 9.0.
  static void add(std::vector<Decoded>& code, std::uint64_t high, std::uint64_t low) {
    const auto d = decode({low, high}, static_cast<std::uint32_t>(16 * code.size()), 90);
    if (!d) qFatal("%s", d.error().c_str());
    code.push_back(*d);
  }

 private slots:
  void initTestCase() {
    QFile file(TILELOOM_FIXTURES "/live_registers.txt");
    QVERIFY(file.open(QIODevice::ReadOnly));
    int capability = 0;
    for (const QByteArray& line : file.readAll().split('\n')) {
      const auto parts = line.split(' ');
      if (parts.size() != 2 || line.startsWith('#')) continue;
      if (parts[0].size() != 32) {
        kernels_.push_back({parts[0], {}, {}});
        capability = parts[1].toInt();
        continue;
      }
      Kernel& k = kernels_.back();
      const auto d =
          decode(wordOf(parts[0]), static_cast<std::uint32_t>(16 * k.code.size()), capability);
      QVERIFY2(d.has_value(), d ? "" : d.error().c_str());
      k.code.push_back(*d);
      k.live.push_back(parts[1].toInt());
    }
    QCOMPARE(kernels_.size(), std::size_t{3});
  }

  void asNvdisasmPrints() {
    for (const Kernel& k : kernels_) {
      const auto live = of(k.code);
      QVERIFY(live.has_value());
      QCOMPARE(live->size(), k.live.size());
      for (std::size_t i = 0; i < k.live.size(); ++i)
        QVERIFY2((*live)[i] == k.live[i], qPrintable(QString("%1 %2: %3 instead of %4")
                                                         .arg(QString(k.name), q(k.code[i].text()))
                                                         .arg((*live)[i])
                                                         .arg(k.live[i])));
    }
  }

  // A register that nothing reads is live only where it is written.
  void aWriteThatIsNotNeeded() {
    std::vector<Decoded> code;
    add(code, 0x000e620000002500, 0x0000000000037919);  // S2R R3, SR_CTAID.X
    add(code, 0x000e620000002500, 0x0000000000057919);  // S2R R5, SR_CTAID.X
    add(code, 0x000fea0003800000, 0x000000000000794d);  // EXIT
    QVERIFY(of(code) == (std::vector<int>{2, 2, 1}));   // with R1, which EXIT needs
  }

  void blocksOfALoopWithACall() {
    const auto blocks = basicBlocks(kernel("shared").code);
    QVERIFY(blocks.has_value());
    std::size_t end = 0;
    int calls = 0, back = 0;
    for (std::size_t b = 0; b < blocks->size(); ++b) {
      const BasicBlock& block = (*blocks)[b];
      QCOMPARE(block.begin, end);
      QVERIFY(block.end > block.begin);
      end = block.end;
      const Decoded& last = kernel("shared").code[block.end - 1];
      if (last.effect() == Effect::Call) {
        ++calls;
        QVERIFY(block.target && block.next == b + 1);
      }
      if (block.target && *block.target <= b) ++back;
      if (last.effect() == Effect::Exit) QVERIFY(!block.target && !block.next);
    }
    QCOMPARE(end, kernel("shared").code.size());
    QCOMPARE(calls, 1);
    QVERIFY(back >= 2);  // both loops
  }

  // A branch by a register goes where the code does not say.
  void aReturn() {
    std::vector<Decoded> code = kernel("shared").code;
    const auto call = std::ranges::find(code, Effect::Call, &Decoded::effect);
    QVERIFY(call != code.end());
    std::erase_if(call->operands,
                  [](const DecodedOperand& o) { return o.kind == OperandKind::Label; });
    QVERIFY(!basicBlocks(code).has_value());
    QVERIFY(!of(code).has_value());
  }

  void aBranchOutOfTheKernel() {
    std::vector<Decoded> code = kernel("naive").code;
    code.resize(code.size() / 2);
    QVERIFY(!of(code).has_value());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LiveRegistersTest, Nothing)
#include "live_registers_test.moc"
