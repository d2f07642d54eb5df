// SPDX-License-Identifier: GPL-3.0-or-later
// The outer products of an iteration, and the sentences about iterations without them.
#include "kernels/rewrite/outer_products.h"

#include <QtTest>
#include <set>
#include <utility>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class OuterProductsTest : public QObject {
  Q_OBJECT

  // The iteration of productKernel() without its branch; its instructions are 0 and 1: counter, 2
  // and 3: loads, 4 to 19: products, 20: barrier, 21 and 22: loads, 23 to 38: products.
  static std::vector<sass::Decoded> turn() {
    const auto kernel = productKernel();
    std::vector<sass::Decoded> code(kernel.begin() + kProductLoop, kernel.end());
    std::size_t jump = 0;
    while (code[jump].effect() != sass::Effect::Branch) ++jump;
    code.resize(jump);
    return code;
  }
  static constexpr std::size_t kFirstProduct = 4, kSecondLoad = 21, kSecondProduct = 23;

  static std::string why(std::vector<sass::Decoded> code) {
    const auto loop = productLoopOf(opsOf(std::move(code)));
    return loop ? "" : loop.error();
  }

 private slots:
  void anOuterProductIsFound() {
    const auto ops = opsOf(turn());
    const auto loop = productLoopOf(ops);
    QVERIFY2(loop, loop ? "" : loop.error().c_str());
    QCOMPARE(loop->steps.size(), std::size_t{2});
    QCOMPARE(loop->rows(), std::size_t{4});
    QCOMPARE(loop->columns(), std::size_t{4});
    QCOMPARE(loop->steps[0].rows.size(), std::size_t{1});
    QCOMPARE(loop->steps[0].rows[0].load, Piece::kBefore);
    QVERIFY(loop->steps[0].rows[0].words == (LoadedWords{16, 4}));
    QVERIFY(loop->steps[0].columns[0].words == (LoadedWords{20, 4}));
    QCOMPARE(loop->steps[1].rows[0].load, std::size_t{2});
    QCOMPARE(loop->steps[1].columns[0].load, std::size_t{3});
    QCOMPARE(loop->nextRows, std::vector<std::size_t>{kSecondLoad});
    QCOMPARE(loop->nextColumns, std::vector<std::size_t>{kSecondLoad + 1});
    for (int i = 0; i < 16; ++i) QCOMPARE(loop->sums[std::size_t(i)], 32 + i);
    for (std::size_t i = 0; i < ops.size(); ++i)
      QCOMPARE(loop->loads(i), loadedWordsOf(ops[i].code).has_value());
  }
  // Neither the order of the products nor that of a product's factors matters.
  void theOrderDoesNotMatter() {
    auto code = turn();
    std::reverse(code.begin() + kFirstProduct, code.begin() + kFirstProduct + 16);
    for (std::size_t i = 0; i < 16; i += 3)
      std::swap(code[kSecondProduct + i].operands[1].number,
                code[kSecondProduct + i].operands[2].number);
    QCOMPARE(why(code), "");
  }
  // An accumulator may pass through other registers, if it returns.
  void aSumMayTravel() {
    auto code = turn();
    code[kFirstProduct].operands[0].number = 50;
    code[kSecondProduct].operands[3].number = 50;
    QCOMPARE(why(code), "");
    code[kSecondProduct].operands[0].number = 51;
    QCOMPARE(why(code), "the accumulator in R32 is elsewhere when the iteration ends");
  }
  void noMultiplyAdds() { QCOMPARE(why({make::mov(1, 2)}), "it has no FP32 multiply-adds"); }
  void oneDotIndex() {
    auto code = turn();
    code.resize(kFirstProduct + 16);
    QCOMPARE(why(code),
             "an iteration has 1 value of k, but two sets of fragments need an even number");
  }
  void anUnevenNumberOfProducts() {
    auto code = turn();
    code.pop_back();
    QCOMPARE(why(code), "not every accumulator gets the same number of products in an iteration");
  }
  void aFactorFromElsewhere() {
    auto code = turn();
    code.insert(code.begin() + kFirstProduct, make::mov(16, 5));
    QCOMPARE(why(code),
             "a factor of \"FFMA R32, R16, R20, R32\" comes neither from shared memory nor from "
             "the previous iteration");
  }
  void anAddendThatIsNoSum() {
    auto code = turn();
    code.insert(code.begin() + kFirstProduct, make::mov(32, 5));
    QCOMPARE(why(code), "the addend of \"FFMA R32, R16, R20, R32\" is not an accumulator");
  }
  void productsOfNoOuterProduct() {
    auto code = turn();
    // One column is missing twice, another one occurs twice.
    code[kFirstProduct].operands[2].number = 21;
    QVERIFY(!why(code).empty());
    // A row times a row.
    code = turn();
    code[kFirstProduct].operands[2].number = 17;
    QVERIFY(!why(code).empty());
    // Two products that do not touch each other: rows 0 and 1 with columns 0 and 1, and 2 and 3.
    code = turn();
    std::erase_if(code, [](const sass::Decoded& d) {
      const auto product = multiplyAddOf(d);
      if (!product) return false;
      return product->factors[0] % 4 / 2 != product->factors[1] % 4 / 2;
    });
    QCOMPARE(why(code), "its products are several outer products");
  }
  // The row's loads are replaced by these of 32 or 64 bits, at each of both places.
  static std::vector<sass::Decoded> narrow(const std::vector<int>& words) {
    auto code = turn();
    for (const auto& [at, first] : {std::pair<std::size_t, int>{kSecondLoad, 16}, {2, 24}}) {
      std::vector<sass::Decoded> loads;
      int reg = first;
      for (const int count : words) {
        loads.push_back(count == 1   ? make::lds(reg, 1, 4 * (reg - first))
                        : count == 2 ? make::lds64(reg, 1, 4 * (reg - first))
                                     : make::lds128(reg, 1));
        reg += count;
      }
      code.erase(code.begin() + std::ptrdiff_t(at));
      code.insert(code.begin() + std::ptrdiff_t(at), loads.begin(), loads.end());
    }
    return code;
  }
  void narrowLoads_data() {
    QTest::addColumn<QList<int>>("words");
    QTest::newRow("64 bits") << QList<int>{2, 2};
    QTest::newRow("32 bits") << QList<int>{1, 1, 1, 1};
    QTest::newRow("32 and 64 bits") << QList<int>{1, 1, 2};
  }
  void narrowLoads() {
    QFETCH(QList<int>, words);
    const auto ops = opsOf(narrow({words.begin(), words.end()}));
    const auto loop = productLoopOf(ops);
    QVERIFY2(loop, loop ? "" : loop.error().c_str());
    QCOMPARE(loop->rows(), std::size_t{4});
    QCOMPARE(loop->columns(), std::size_t{4});
    QCOMPARE(loop->nextRows.size(), std::size_t(words.size()));
    std::set<int> sums(loop->sums.begin(), loop->sums.end());
    QCOMPARE(sums.size(), std::size_t{16});
    for (std::size_t i = 0; i < ops.size(); ++i)
      QCOMPARE(loop->loads(i), loadedWordsOf(ops[i].code).has_value());
    // Each piece has the same number of words at both k, and a word of the first one contributes to
    // the accumulators of its row: R16 to R32 to R35.
    const auto pieces = pieceOfWord(loop->steps[0].rows);
    QCOMPARE(pieces.size(), std::size_t{4});
    std::size_t row = 0;
    for (std::size_t i = 0; i < loop->steps[0].rows.size(); ++i) {
      const LoadedWords& first = loop->steps[0].rows[i].words;
      const Piece& second = loop->steps[1].rows[i];
      QCOMPARE(second.words.count, first.count);
      QCOMPARE(second.words.first, first.first + 8);
      QVERIFY(loadedWordsOf(ops[second.load].code) == std::optional(second.words));
      QVERIFY(loadedWordsOf(ops[loop->nextRows[i]].code) == std::optional(first));
      for (int word = 0; word < first.count; ++word, ++row) {
        QCOMPARE(pieces[row], i);
        for (std::size_t column = 0; column < 4; ++column)
          QCOMPARE(loop->sums[row * 4 + column], 32 + 4 * (first.first - 16 + word) + int(column));
      }
    }
  }
  // Single words are ordered so that even and odd registers alternate.
  void parityTakesTurns() {
    auto code = narrow({1, 1, 1, 1});
    // R18 is R50 instead: three even registers follow each other, and there is one odd one.
    for (auto& d : code)
      for (auto& operand : d.operands)
        if (operand.kind == sass::OperandKind::Register && operand.number == 17)
          operand.number = 50;
    const auto loop = productLoopOf(opsOf(code));
    QVERIFY2(loop, loop ? "" : loop.error().c_str());
    std::vector<int> registers;
    for (const Piece& piece : loop->steps[0].rows) registers.push_back(piece.words.first);
    QCOMPARE(registers, (std::vector<int>{16, 19, 18, 50}));
  }
  void aLoadOfOtherWordsAtTheNextDotIndex() {
    auto code = turn();
    code[2] = make::lds(24, 1, 16);
    QVERIFY(!why(code).empty());
    code = turn();
    code.erase(code.begin() + 2);
    code.insert(code.begin() + 2, {make::lds64(24, 1), make::lds64(26, 1, 8)});
    QCOMPARE(why(code), "the words of its loads do not go to the same accumulators at each k");
  }
  void wordsThatAreNotMultiplied() {
    auto code = turn();
    std::erase_if(code, [](const sass::Decoded& d) {
      const auto product = multiplyAddOf(d);
      return product && product->factors[0] % 4 > 1;
    });
    QCOMPARE(why(code), "not all words that \"LDS.128 R16, [R1+0x20]\" loads are multiplied");
  }
  // The words of a load contribute to other accumulators than those at the first k.
  void wordsInAnotherOrder() {
    auto code = turn();
    for (std::size_t i = 0; i < 4; ++i)
      std::swap(code[kSecondProduct + i].operands[1].number,
                code[kSecondProduct + 4 + i].operands[1].number);
    QCOMPARE(why(code), "the words of its loads do not go to the same accumulators at each k");
  }
  void fragmentsThatAreNotLoadedForTheNextTurn() {
    auto code = turn();
    code.erase(code.begin() + kSecondLoad);
    QCOMPARE(why(code), "R16 is not loaded for the next iteration");
    code = turn();
    code.insert(code.begin() + kSecondLoad + 2, make::mov(22, 5));
    QCOMPARE(why(code), "R22 is not loaded for the next iteration");
  }
  void allFragmentsAreLoadedInTheTurn() {
    auto code = turn();
    code.insert(code.begin() + 2, make::lds128(16, 1));
    code.insert(code.begin() + 2, make::lds128(20, 2));
    QCOMPARE(why(code),
             "the fragments of the first k, and of no other, must be in registers when an "
             "iteration begins");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::OuterProductsTest, Nothing)
#include "outer_products_test.moc"
