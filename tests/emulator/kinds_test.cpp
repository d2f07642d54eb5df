// SPDX-License-Identifier: GPL-3.0-or-later
// The table of kinds agrees with itself.
#include "kernels/emulator/kinds.h"

#include <QtTest>
#include <set>
#include <string>

#include "kernels/emulator/fault.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator {

class KindsTest : public QObject {
  Q_OBJECT

 private slots:
  void keysAreDistinct() {
    std::set<std::string> keys;
    for (const KindRow& row : kKindTable) {
      QVERIFY2(keys.insert(row.key).second, row.key);
      QVERIFY2(test::q(row.key).contains(QRegularExpression("^[a-z_]+$")), row.key);
    }
    std::set<std::string_view> faults;
    for (int i = 0; i <= static_cast<int>(FaultKind::OutOfMemory); ++i) {
      const auto kind = static_cast<FaultKind>(i);
      QVERIFY(!name(kind).empty() && faults.insert(key(kind)).second);
    }
  }

  // Reports have a line for each access, and `layout` one for each access to shared memory.
  void accessesHaveNames() {
    for (const KindRow& row : kKindTable) {
      const bool memory = isMemory(row.kind);
      if (memory) QVERIFY2(std::string(row.report).size() > 0, row.key);
      QCOMPARE(std::string(row.ofShared).empty(), !isShared(row.kind));
      QCOMPARE(std::string(row.severalOfShared).empty(), !isShared(row.kind));
      QCOMPARE(row.payload == Payload::Elements, memory);
      QCOMPARE(row.payload == Payload::Operands || row.kind == Kind::Product, row.multiplies);
      if (memory) QVERIFY2(std::string(row.words).ends_with("%1"), row.key);
    }
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::KindsTest, Nothing)
#include "kinds_test.moc"
