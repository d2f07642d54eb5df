// SPDX-License-Identifier: GPL-3.0-or-later
// The order of an outer product's multiply-adds: every pair once, and few cycles lost.
#include "kernels/rewrite/product_order.h"

#include <QtTest>
#include <numeric>
#include <set>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class ProductOrderTest : public QObject {
  Q_OBJECT

  static std::vector<int> from(int first, std::size_t count) {
    std::vector<int> registers(count);
    std::iota(registers.begin(), registers.end(), first);
    return registers;
  }
  static OuterProduct product(std::size_t rows, std::size_t columns) {
    return {from(128, rows), from(160, columns), from(0, rows * columns)};
  }
  // The cost by the model of the register file, computed again.
  static int lostIn(const OuterProduct& outer, const std::vector<Product>& order) {
    sass::RegisterFile registers;
    int lost = 0;
    for (const Product& p : order) {
      lost += registers.issue(
          {{outer.rows[p.row], outer.columns[p.column], outer.sumAt(p.row, p.column)},
           {true, true, false}});
    }
    return lost;
  }

 private slots:
  void linesThereAndBack() {
    const OuterProduct outer = product(2, 4);
    const auto rows = thereAndBack(outer, false);
    const std::vector<Product> wanted = {{0, 0}, {0, 1}, {0, 2}, {0, 3},
                                         {1, 3}, {1, 2}, {1, 1}, {1, 0}};
    QVERIFY(rows == wanted);
    const auto columns = thereAndBack(outer, true);
    const std::vector<Product> others = {{0, 0}, {1, 0}, {1, 1}, {0, 1},
                                         {0, 2}, {1, 2}, {1, 3}, {0, 3}};
    QVERIFY(columns == others);
  }
  void anOrderLosesWhatTheRegisterFileSays() {
    const OuterProduct outer = product(8, 8);
    for (const bool columnsOutside : {false, true}) {
      const auto lines = thereAndBack(outer, columnsOutside);
      const OrderedProducts taken = takeOrder(outer, lines);
      QVERIFY(taken.products == lines);
      QCOMPARE(taken.lost, lostIn(outer, lines));
    }
  }
  void everyPairComesOnce_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<bool>("columnsOutside");
    for (const bool columnsOutside : {false, true}) {
      for (const int rows : {2, 4, 8, 16}) {
        for (const int columns : {2, 4, 6, 8})
          QTest::addRow("%d x %d %d", rows, columns, columnsOutside)
              << rows << columns << columnsOutside;
      }
    }
  }
  void everyPairComesOnce() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(bool, columnsOutside);
    const OuterProduct outer = product(std::size_t(rows), std::size_t(columns));
    const OrderedProducts ordered = orderProducts(outer, {columnsOutside, 2});
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (const Product& p : ordered.products) pairs.emplace(p.row, p.column);
    QCOMPARE(ordered.products.size(), std::size_t(rows * columns));
    QCOMPARE(pairs.size(), ordered.products.size());
    QVERIFY(pairs.rbegin()->first < std::size_t(rows));
    QCOMPARE(ordered.lost, lostIn(outer, ordered.products));
  }
  // Neighbours of both parities: no loss is necessary.
  void nothingIsLostWhereRegistersAreNeighbours() {
    for (const bool columnsOutside : {false, true})
      QCOMPARE(orderProducts(product(8, 16), {columnsOutside, 4}).lost, 0);
  }
  void theOuterOperandStaysLongest() {
    const auto ordered = orderProducts(product(8, 8), {true, 4});
    for (std::size_t i = 0; i < ordered.products.size(); ++i)
      QCOMPARE(ordered.products[i].column / 2, i / 16);
    const auto other = orderProducts(product(8, 8), {false, 4});
    for (std::size_t i = 0; i < other.products.size(); ++i)
      QCOMPARE(other.products[i].row / 2, i / 16);
  }
  void followingMoreLosesNoMore() {
    Random random(seed());
    for (int round = 0; round < (briefly() ? 2 : 10); ++round) {
      OuterProduct outer = product(8, 8);
      for (int& sum : outer.sums) sum = random.integer(0, 100);
      const int few = orderProducts(outer, {true, 1}).lost;
      const int many = orderProducts(outer, {true, 16}).lost;
      QVERIFY2(many <= few, qPrintable(QString("%1 > %2").arg(many).arg(few)));
      QCOMPARE(orderProducts(outer, {true, 0}).lost, few);  // at least one has to be followed
    }
  }
  void theNextDotIndexBeginsWhereThisOneEnds() {
    const OuterProduct outer = product(4, 4);
    const auto first = orderProducts(outer, {true, 4});
    const auto second = orderProducts(outer, {true, 4}, first.registers);
    std::vector<Product> both = first.products;
    both.insert(both.end(), second.products.begin(), second.products.end());
    QCOMPARE(first.lost + second.lost, lostIn(outer, both));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ProductOrderTest, Nothing)
#include "product_order_test.moc"
