// SPDX-License-Identifier: GPL-3.0-or-later
// The model of the sums of tensor cores gives the bits that an H200 gave (rule 90), and no other
// numbers of the model do.
#include <QtTest>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "kernels/executor/accumulation.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class MeasuredSumsTest : public QObject {
  Q_OBJECT

  struct Kind {
    const char* name;
    Factor factor;
    int digits;  // of an element
    bool half;
  };
  static constexpr Kind kKinds[] = {
      {"mma.f16.f32", Factor::Fp16, 4, false},    {"mma.bf16.f32", Factor::Bf16, 4, false},
      {"mma.f16.f16", Factor::Fp16, 4, true},     {"mma.tf32.f32", Factor::Tf32, 8, false},
      {"wgmma.f16.f32", Factor::Fp16, 4, false},  {"wgmma.bf16.f32", Factor::Bf16, 4, false},
      {"wgmma.tf32.f32", Factor::Tf32, 8, false}, {"wgmma.e4m3.f32", Factor::E4m3, 2, false},
      {"wgmma.e5m2.f32", Factor::E5m2, 2, false}, {"wgmma.f16.f16", Factor::Fp16, 4, true}};

  struct Sum {
    std::vector<std::uint32_t> a, b;
    std::uint32_t c = 0, wanted = 0;
  };
  std::map<std::string, std::vector<Sum>> sums_;

  static std::vector<std::uint32_t> words(const std::string& text, int digits) {
    std::vector<std::uint32_t> all;
    for (std::size_t at = 0; at < text.size(); at += static_cast<std::size_t>(digits))
      all.push_back(static_cast<std::uint32_t>(
          std::stoul(text.substr(at, static_cast<std::size_t>(digits)), nullptr, 16)));
    return all;
  }
  // How many sums the model gives otherwise. Each is at every place of a product once.
  static int wrong(const std::vector<Sum>& sums, const Kind& kind, const Accumulation& how) {
    int count = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Sum& sum = sums[i];
      Products products{};
      products.depth = static_cast<std::uint32_t>(sum.a.size());
      const std::size_t row = i % Products::kRows, column = i % Products::kColumns;
      for (std::size_t k = 0; k < sum.a.size(); ++k) {
        products.a[row][k] = sum.a[k];
        products.b[k][column] = sum.b[k];
      }
      products.c[row][column] = sum.c;
      multiplyAdd(products, kind.factor, kind.half, how);
      count += products.c[row][column] != sum.wanted ? 1 : 0;
    }
    return count;
  }

 private slots:
  void initTestCase() {
    std::ifstream file(TILELOOM_SOURCE_DIR "/tests/fixtures/sums/h200.txt");
    std::string line;
    while (std::getline(file, line)) {
      if (line.starts_with('#')) continue;
      std::istringstream parts(line);
      std::string name, family, a, b, c, result;
      parts >> name >> family >> a >> b >> c >> result;
      for (const Kind& kind : kKinds) {
        if (name != kind.name) continue;
        sums_[name].push_back({words(a, kind.digits), words(b, kind.digits), words(c, 8).front(),
                               words(result, 8).front()});
      }
    }
    QCOMPARE(sums_.size(), std::size(kKinds));
  }

  void everyBit_data() {
    QTest::addColumn<int>("number");
    for (std::size_t i = 0; i < std::size(kKinds); ++i)
      QTest::newRow(kKinds[i].name) << static_cast<int>(i);
  }
  void everyBit() {
    QFETCH(int, number);
    const Kind& kind = kKinds[number];
    const auto& sums = sums_[kind.name];
    QVERIFY(sums.size() >= 96);
    const Accumulation how = accumulationOf(90, kind.factor);
    QCOMPARE(wrong(sums, kind, how), 0);
    // One bit more or less, or groups of half the products, would be seen.
    for (const int bits : {-1, 1}) {
      Accumulation other = how;
      other.fraction += bits;
      if (!kind.half) QVERIFY2(wrong(sums, kind, other) > 0, qPrintable(q(kind.name)));
    }
    Accumulation other = how;
    other.terms /= 2;
    if (!kind.half) QVERIFY(wrong(sums, kind, other) > 0);
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::MeasuredSumsTest, Nothing)
#include "measured_sums_test.moc"
