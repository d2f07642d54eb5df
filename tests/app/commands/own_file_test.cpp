// SPDX-License-Identifier: GPL-3.0-or-later
// `sass`, `kernel` and `trace` with a kernel in any file: CUDA C++, a fat binary, a folder.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "kernels/gpu/compile/nvrtc.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/cubin_file.h"
#include "tests/support/fat_binary.h"
#include "tests/support/test_class.h"

namespace tileloom::test {
namespace {

constexpr const char* kGemm = R"(#include <cuda_runtime.h>
#include <cstdio>
#include "sizes.cuh"
// Sizes of A and B, as samples have them: the machine code alone does not say what two numbers are.
template <int T>
__global__ void product(float* C, const float* A, const float* B, int wA, int wB) {
  __shared__ float a[T][T], b[T][T];
  int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < wA; k += T) {
    a[threadIdx.y][threadIdx.x] = A[row * wA + k + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * wB + column];
    __syncthreads();
    for (int d = 0; d < T; ++d) sum += a[threadIdx.y][d] * b[d][threadIdx.x];
    __syncthreads();
  }
  C[row * wB + column] = SCALE * sum;
}
)";

}  // namespace

class OwnFileTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::unique_ptr<Surroundings> m_around;

  QString write(const QString& name, const QByteArray& bytes) const {
    const QString file = m_folder.filePath(name);
    return Surroundings::write(file, bytes) ? file : QString();
  }
  static QByteArray cubin(const std::string& name, int capability) {
    const auto bytes = CubinFile{.kernel = name, .capability = capability}.with(
        std::vector<std::array<std::uint64_t, 2>>{{0x000000000000794dull, 0x000fea0003800000ull}});
    return {bytes.data(), qsizetype(bytes.size())};
  }

 private slots:
  void initTestCase() {
    m_around = std::make_unique<Surroundings>();
    qputenv("TILELOOM_NVCC", "none");
  }
  void cleanupTestCase() { qunsetenv("TILELOOM_NVCC"); }

  // From a template in a text to a checked launch.
  void cuda() {
    Surroundings::compilerOnly();
    if (!gpu::Nvrtc::load()) QSKIP("NOT TESTED: NVRTC is not installed");
    const QString file = write("gemm.cu", kGemm);
    QVERIFY(!write("include/sizes.cuh", "#ifndef SCALE\n#error no scale\n#endif\n").isEmpty());
    const QStringList options = {"-I", m_folder.filePath("include"), "-D", "SCALE=1"};
    const Said listed = runTileloom(
        QStringList{"sass", file, "--instance", "product<16>", "--instance", "product<32>"} +
        options);
    QVERIFY2(listed.status == 0 && listed.out.contains("gemm.cu: 2 kernels for compute capability"),
             listed.err.constData());
    QVERIFY(listed.out.contains("product<16>") && listed.out.contains("product<32>"));

    const Said code = runTileloom(
        QStringList{"sass", file, "--kernel", "product<32>", "--arch", "sm_80"} + options);
    QVERIFY2(code.out.contains("void product<32>(float*, float const*, float const*, int, int): "),
             code.err.constData());
    QVERIFY(code.out.contains("compute capability 8.0") && code.out.contains("gemm.cu:18"));

    const Said found =
        runTileloom(QStringList{"kernel", file, "--find", "--kernel", "product<32>"} + options);
    QVERIFY2(found.status == 0 && found.err.contains("a block computes 32 x 32 elements of C"),
             found.err.constData());
    const QJsonObject launch = QJsonDocument::fromJson(found.out).object();
    QCOMPARE(launch["kernel"].toString(), QString("product<32>"));
    write("gemm.launch.json", found.out);
    // The launch file names the instance.
    const Said used = runTileloom(QStringList{"kernel", file} + options);
    QVERIFY2(used.status == 0 && used.out.contains("Right: C = A B in all 6,144 elements"),
             used.err.constData());
    QVERIFY(used.err.contains("compiled by NVRTC ") && used.err.contains("from the cache"));

    const Said traced = runTileloom(QStringList{"trace", file, "--kernel", "product<16>", "--grid",
                                                "2,1", "--threads", "16,16", "--param",
                                                "C:f32:16x32", "--param", "A:f32:16x16", "--param",
                                                "B:f32:16x32", "--param", "16", "--param", "32"} +
                                    options);
    QVERIFY2(traced.status == 0 && traced.out.contains("grid 2 x 1 x 1"), traced.err.constData());

    // One sentence, then all that the compiler has said.
    const Said wrong = runTileloom({"sass", file, "-I", m_folder.filePath("include")});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.startsWith("tileloom: sizes.cuh:2 does not compile: #error"),
             wrong.err.constData());
    QVERIFY(wrong.err.count('\n') > 2);
    const Said none = runTileloom(QStringList{"sass", file} + options);
    QVERIFY(isOneSentence(none.err) &&
            none.err.contains("has no instance of its kernel product, a template: name one"));
  }
  void severalCubins() {
    const auto fat = FatBinary{}
                         .entry(false, 80, cubin("first", 80))
                         .entry(false, 90, cubin("first", 90))
                         .entry(false, 90, cubin("_Z6secondILi8EEvv", 90))
                         .made();
    const QString file =
        write("lib.so", QByteArray("library") + QByteArray(fat.data(), qsizetype(fat.size())));
    const Said listed = runTileloom({"sass", file});
    QCOMPARE(listed.status, 0);
    QVERIFY(listed.out.contains("3 cubins with 3 kernels"));
    for (const char* part : {"sm_80", "sm_90", "first", "second<8>"})
      QVERIFY(listed.out.contains(part));
    const QJsonObject json =
        QJsonDocument::fromJson(runTileloom({"sass", file, "--json"}).out).object();
    QCOMPARE(json["schema"].toString(), QString("tileloom.cubins/1"));
    QCOMPARE(json["cubins"].toArray().size(), 3);
    const Said one = runTileloom({"sass", file, "--kernel", "second"});
    QVERIFY2(one.status == 0 && one.out.contains("void second<8>(): "), one.err.constData());
    QVERIFY(one.err.contains("of 3 cubins this is one for sm_90"));
    const Said older = runTileloom({"sass", file, "--arch", "sm_80"});
    QVERIFY(older.out.contains("lib.so: 1 kernel for compute capability 8.0"));
    const Said none = runTileloom({"sass", file, "--arch", "sm_86"});
    QVERIFY(none.status == 2 && isOneSentence(none.err) && none.err.contains("for sm_80, sm_90"));
  }
  void aFolder() {
    QVERIFY(!write("cache/X/a.cubin", cubin("a", 90)).isEmpty());
    QVERIFY(!write("cache/Y/b.cubin", cubin("b", 90)).isEmpty());
    QVERIFY(!write("cache/Z/damaged.cubin", "no").isEmpty());
    const QString folder = m_folder.filePath("cache");
    const Said listed = runTileloom({"sass", folder});
    QVERIFY2(listed.status == 0 && listed.out.contains("Y/b.cubin") &&
                 listed.out.contains("cannot be read: the file is not a 64-bit ELF file"),
             listed.err.constData());
    QCOMPARE(runTileloom({"sass", folder, "--kernel", "b"}).status, 0);
    const Said both = runTileloom({"trace", folder});
    QVERIFY2(isOneSentence(both.err) && both.err.contains("choose one by its kernel with --kernel"),
             both.err.constData());
  }
  void withoutCompilers() {
    Surroundings::nothing();
    const Said said = runTileloom({"sass", write("other.cu", "__global__ void k() {}\n")});
    QVERIFY2(said.status == 2 && isOneSentence(said.err) &&
                 said.err.contains("other.cu cannot be compiled: NVRTC is switched off"),
             said.err.constData());
    const Said ptx = runTileloom({"sass", write("k.ptx", ".version 8.0\n.target sm_90\n")});
    QVERIFY2(isOneSentence(ptx.err) && ptx.err.contains("k.ptx cannot be assembled: nvcc is"),
             ptx.err.constData());
    const Said rung = runTileloom({"trace", "warptiled", "-D", "X"});
    QVERIFY(isOneSentence(rung.err) && rung.err.contains("--define is for a"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::OwnFileTest, Nothing)
#include "own_file_test.moc"
