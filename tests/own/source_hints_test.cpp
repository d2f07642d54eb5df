// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/source_hints.h"

#include <QtTest>
#include <random>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

namespace {

constexpr const char* kText = R"(
#define TILE 16
constexpr int kWide = 2 * TILE;  // 32
template <typename T, int N_>
__global__ void __launch_bounds__(256, 2) gemm(int M, int N, /* of A */ int K, float alpha,
                                               const T *__restrict__ d_A, int lda, T const* B_dev, int ldb,
                                               float beta, T* __restrict__ matC, int ldc = 4) {}
__global__ void other(const half *A, __nv_bfloat16* b, float C[], int wA, int wB);
__global__ void strange(float* x, int n) {}
void other(int);
void run() {
  dim3 block(TILE, kWide / 2);
  dim3 grid{cdiv(N, 4)}, flat = dim3(kWide * 4);
  gemm<float, 4><<<grid, block>>>(M);
  gemm<float, 4> <<<dim3(4), flat, 0, stream>>>(M);
  other<<<1, 128>>>(M);
  other<<<1, unknown>>>(M);
  // strange<<<1, 77>>>();
}
)";

}  // namespace

class SourceHintsTest : public QObject {
  Q_OBJECT

  static QString parametersOf(const SourceHints& hints) {
    QStringList all;
    for (const Parameter& each : hints.parameters) {
      if (each.kind == Parameter::Kind::Alpha)
        all.append("alpha");
      else if (each.kind == Parameter::Kind::Beta)
        all.append("beta");
      else
        all.append(each.kind == Parameter::Kind::Matrix ? q(each.name + ":" + each.type)
                                                        : q(each.text));
    }
    return all.join(' ');
  }
  static QString threadsOf(const SourceHints& hints) {
    QStringList all;
    for (const auto& each : hints.threads) all.append(q(each[0] + "x" + each[1] + "x" + each[2]));
    return all.join(' ');
  }

 private slots:
  void parameters() {
    QCOMPARE(parametersOf(hintsFrom(kText, "gemm", 11)),
             QString("M N K alpha A: K B: N beta C: N"));
    QCOMPARE(parametersOf(hintsFrom(kText, "other", 5)), QString("A:f16 B:bf16 C:f32 K N"));
    QCOMPARE(parametersOf(hintsFrom(kText, "other", 4)), QString());
    QCOMPARE(parametersOf(hintsFrom(kText, "strange", 2)), QString());
    QCOMPARE(parametersOf(hintsFrom(kText, "none", 2)), QString());
  }
  void threads() {
    QCOMPARE(threadsOf(hintsFrom(kText, "gemm", 11)), QString("16x16x1 128x1x1"));
    QCOMPARE(threadsOf(hintsFrom(kText, "other", 5)), QString("128x1x1"));
    QCOMPARE(threadsOf(hintsFrom(kText, "strange", 2)), QString());
  }
  void names() {
    const auto all = kernelsIn(kText);
    QCOMPARE(all, (std::vector<std::string>{"gemm", "other", "strange"}));
    QVERIFY(kernelsIn("// __global__ void k();").empty());
    QCOMPARE(q(std::string(baseName("space::gemm<128, a::b>"))), QString("gemm"));
    QCOMPARE(q(std::string(baseName("gemm"))), QString("gemm"));
  }
  // Any text is read to its end.
  void anyText() {
    const std::string text = kText;
    for (std::size_t size = 0; size < text.size(); ++size)
      (void)hintsFrom(std::string_view(text).substr(0, size), "gemm", 11);
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
      std::string changed = text;
      for (int j = 0; j < 4; ++j) changed[random() % changed.size()] = "(){}<>/*,=x"[random() % 11];
      (void)hintsFrom(changed, "gemm", 11);
      (void)hintsFrom(changed, "other", 5);
    }
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::SourceHintsTest, Nothing)
#include "source_hints_test.moc"
