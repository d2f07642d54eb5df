// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a launch computes the product that its launch file says: right ones of several layouts
// and formats, wrong ones with the first wrong element, and layouts with which they would be right.
#include "kernels/own/product_check.h"

#include <QtTest>

#include "kernels/executor/arguments.h"
#include "tests/executor/launched.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

constexpr const char* kGemms = R"(
extern "C" __global__ void plain(int M, int N, int K, float alpha, const float* A, int lda, const float* B, int ldb,
                                 float beta, float* C, int ldc) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[i * lda + k] * B[k * ldb + j];
  C[i * ldc + j] = alpha * sum + beta * C[i * ldc + j];
}
// It leaves the last product out in one column.
extern "C" __global__ void late(int M, int N, int K, const float* A, const float* B, float* D) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K - (j == 5); ++k) sum += A[i * K + k] * B[k * N + j];
  D[i * N + j] = sum;
}
extern "C" __global__ void halves(int M, int N, int K, const unsigned short* A, const unsigned short* B,
                                  unsigned short* C) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  unsigned short sum = 0;
  for (int k = 0; k < K; ++k)
    asm("fma.rn.f16 %0, %1, %2, %0;" : "+h"(sum) : "h"(A[i * K + k]), "h"(B[k * N + j]));
  C[i * N + j] = sum;
}
)";

class ProductCheckTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;
  std::unique_ptr<executor::Launched> compiled_;

  static LaunchFile fileOf(const char* kernel, std::vector<Parameter> parameters) {
    LaunchFile file;
    file.kernel = kernel;
    file.sizes = {{"M", 48}, {"N", 80}, {"K", 20}};
    file.grid = {"cdiv(N, 16)", "cdiv(M, 16)", "1"};
    file.threads = {"16", "16", "1"};
    file.parameters = std::move(parameters);
    return file;
  }
  static Parameter whole(const char* text) {
    Parameter made;
    made.text = text;
    return made;
  }
  static Parameter factor(Parameter::Kind kind) {
    Parameter made;
    made.kind = kind;
    return made;
  }
  static Parameter matrix(const char* name, const char* stride = "", Layout layout = Layout::Row,
                          const char* type = "f32") {
    Parameter made;
    made.kind = Parameter::Kind::Matrix;
    made.name = name;
    made.stride = stride;
    made.layout = layout;
    made.type = type;
    return made;
  }
  // Of `plain`.
  static LaunchFile plainFile(const Parameter& a, const char* lda, const Parameter& b,
                              const char* ldb, const Parameter& c, const char* ldc) {
    LaunchFile file =
        fileOf("plain", {whole("M"), whole("N"), whole("K"), factor(Parameter::Kind::Alpha), a,
                         whole(lda), b, whole(ldb), factor(Parameter::Kind::Beta), c, whole(ldc)});
    file.alpha = 1.5;
    file.beta = 0.5;
    return file;
  }
  ProductCheck checked(const LaunchFile& file) {
    const auto launch = resolved(file, {});
    if (!launch) qFatal("%s", launch.error().c_str());
    const sass::Module& module = compiled_->module();
    const sass::KernelImage& kernel = *module.named(launch->launch.kernel);
    auto arguments = executor::argumentsFrom(kernel.info, launch->launch.arguments);
    if (!arguments) qFatal("%s", arguments.error().c_str());
    const std::vector<executor::Buffer> before = arguments->buffers;
    const executor::Launch made{&module, &kernel,         launch->launch.grid, launch->launch.block,
                                0,       arguments->bytes};
    const auto ended = executor::execute(made, arguments->buffers);
    if (!ended) qFatal("%s", ended.error().c_str());
    return checkProduct(*launch, before, arguments->buffers);
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
    compiled_ = std::make_unique<executor::Launched>(*nvrtc_, kGemms, "90");
  }

  void right() {
    const ProductCheck plain = checked(
        plainFile(matrix("A"), "K", matrix("B", "N + 3"), "N + 3", matrix("C", "N + 8"), "N + 8"));
    QVERIFY(plain.right());
    QCOMPARE(plain.elements, std::uint64_t{48 * 80});
    QCOMPARE(q(plain.result), QString("C"));
    const auto half = [](const char* name) { return matrix(name, "", Layout::Row, "f16"); };
    QVERIFY(checked(fileOf("halves",
                           {whole("M"), whole("N"), whole("K"), half("A"), half("B"), half("C")}))
                .right());
  }
  // The same kernel reads B by rows: with a file that says columns it is wrong.
  void otherLayouts() {
    const ProductCheck b = checked(
        plainFile(matrix("A"), "K", matrix("B", "", Layout::Column), "N", matrix("C"), "N"));
    QVERIFY(!b.right() && b.wrong > 1000);
    QCOMPARE(q(b.rightWith), QString("B by rows"));
    const ProductCheck both =
        checked(plainFile(matrix("A", "", Layout::Column), "K", matrix("B", "", Layout::Column),
                          "N", matrix("C"), "N"));
    QCOMPARE(q(both.rightWith), QString("A by rows and B by rows"));
  }
  void wrongElements() {
    const ProductCheck late = checked(fileOf(
        "late", {whole("M"), whole("N"), whole("K"), matrix("A"), matrix("B"), matrix("D")}));
    QVERIFY(!late.right());
    // Where the last product is 0, the sum is right without it.
    QVERIFY(late.wrong > 10 && late.wrong < 48);
    QCOMPARE(late.column, 5u);
    QVERIFY(late.got != late.wanted);
    QCOMPARE(q(late.result), QString("D"));
    QCOMPARE(q(late.rightWith), QString());
  }
  void noProduct() {
    Parameter out;
    out.kind = Parameter::Kind::Buffer;
    out.name = "out";
    out.elements = "M * N";
    const ProductCheck none = checked(
        fileOf("late", {whole("M"), whole("N"), whole("K"), matrix("A"), matrix("B"), out}));
    QCOMPARE(q(none.whyNot), QString("no parameter is the matrix C or D"));
    QVERIFY(!none.right());
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::ProductCheckTest, Nothing)
#include "product_check_test.moc"
