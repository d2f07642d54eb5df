// SPDX-License-Identifier: GPL-3.0-or-later
// NVRTC, nvcc and ptxas are those of this machine; what needs one that it does not have is skipped.
#include "kernels/gpu/compile/own_source.h"

#include <QTemporaryDir>
#include <QtTest>

#include "kernels/base/text_file.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/compile/toolkit.h"
#include "kernels/sass/cubin/kernel_name.h"
#include "tests/support/cubin_file.h"
#include "tests/support/fat_binary.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::CubinFile;
using test::FatBinary;
using test::q;

namespace {

constexpr const char* kTemplate = R"(#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include "scale.cuh"
int cdiv(int a, int b) { return (a + b - 1) / b; }
template <int T> __global__ void scaled(float* x) {
  x[threadIdx.x] *= SCALE * T;
}
)";
constexpr const char* kProgram = R"(#include <cstdio>
#include <vector>
template <int T> __global__ void scaled(float* x) { x[threadIdx.x] *= T; }
__global__ void plain(float* x) { x[threadIdx.x] = 1; }
int main() {
  std::vector<float> host(32);
  scaled<2><<<1, 32>>>(nullptr);
  plain<<<1, 32>>>(nullptr);
  std::printf("%zu\n", host.size());
}
)";

}  // namespace

class OwnSourceTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  std::filesystem::path path(const char* name) const {
    return m_folder.filePath(name).toStdString();
  }
  void write(const char* name, std::string_view text) const {
    std::filesystem::create_directories(path(name).parent_path());
    QVERIFY(replaceText(path(name), text, Durable::No));
  }
  static std::vector<char> cubin(const std::string& name, int capability) {
    return CubinFile{.kernel = name, .capability = capability}.with(
        std::vector<std::array<std::uint64_t, 2>>{{0x000000000000794dull, 0x000fea0003800000ull}});
  }
  static OwnInput bytesOf(const std::vector<char>& bytes) {
    return {"own.so", std::string(bytes.begin(), bytes.end())};
  }
  static QString errorOf(const OwnInput& input, const SourceChoices& choices = {}) {
    const auto made = compiledSource(input, choices, nullptr);
    return made ? QString() : q(made.error().sentence);
  }
  static std::vector<std::string> titles(const CompiledSource& made) {
    std::vector<std::string> all;
    for (const sass::KernelImage& kernel : made.module.kernels)
      all.push_back(sass::kernelTitle(kernel.name));
    std::ranges::sort(all);
    return all;
  }

 private slots:
  void initTestCase() {
    write("headers/scale.cuh", "#define SCALE FACTOR\n");
    write("scaled.cu", kTemplate);
    write("program.cu", kProgram);
  }
  void init() { qunsetenv("TILELOOM_NVCC"); }
  void cleanupTestCase() { qunsetenv("TILELOOM_NVCC"); }

  // Headers of the host, functions of the host, templates, folders and macros.
  void withNvrtc() {
    if (!Nvrtc::load()) QSKIP("NOT TESTED: NVRTC is not installed");
    qputenv("TILELOOM_NVCC", "none");
    SourceChoices choices;
    choices.includes = {path("headers").string()};
    choices.defines = {"FACTOR=3"};
    choices.instances = {"scaled<4>", "scaled<5>"};
    const BuildCache cache(path("cache"));
    std::filesystem::create_directories(path("cache"));
    std::filesystem::permissions(path("cache"), std::filesystem::perms::owner_all);
    const auto made = compiledSource({path("scaled.cu"), {}}, choices, &cache);
    QVERIFY2(made, made ? "" : made.error().sentence.c_str());
    QVERIFY(q(made->compiler).startsWith("NVRTC "));
    QVERIFY(!made->cached && made->seconds > 0);
    QCOMPARE(made->module.capability, 90);
    QCOMPARE(titles(*made), (std::vector<std::string>{"scaled<4>", "scaled<5>"}));
    const std::string name = made->nameOf("scaled<5>");
    QCOMPARE(q(sass::kernelTitle(name)), QString("scaled<5>"));
    QCOMPARE(q(made->nameOf("other")), QString("other"));
    const auto* kernel = made->module.named(name);
    QVERIFY(kernel != nullptr && !kernel->lines.empty());
    const auto places = kernel->lines.at(0);
    QVERIFY(!places.empty());
    const auto text = made->texts.find(std::string(places.back().file));
    QVERIFY(text != made->texts.end());
    QCOMPARE(q(text->second), QString(kTemplate));

    const auto again = compiledSource({path("scaled.cu"), {}}, choices, &cache);
    QVERIFY(again && again->cached && again->cubin == made->cubin);
    QCOMPARE(q(again->nameOf("scaled<5>")), q(name));
    QCOMPARE(q(again->compiler), q(made->compiler));
    write("headers/scale.cuh", "#define SCALE (FACTOR + 1)\n");
    const auto changed = compiledSource({path("scaled.cu"), {}}, choices, &cache);
    QVERIFY(changed && !changed->cached && changed->cubin != made->cubin);
    choices.arch = "sm_80";
    const auto older = compiledSource({path("scaled.cu"), {}}, choices, &cache);
    QVERIFY(older && !older->cached && older->module.capability == 80);
  }
  // The text of an editor, not that of the file.
  void ofText() {
    if (!Nvrtc::load()) QSKIP("NOT TESTED: NVRTC is not installed");
    qputenv("TILELOOM_NVCC", "none");
    const std::string text = "__global__ void edited(int* x) { *x = 1; }\n";
    const auto made = compiledSource({path("program.cu"), text}, {}, nullptr);
    QVERIFY(made);
    QCOMPARE(titles(*made), std::vector<std::string>{"edited"});
    QCOMPARE(q(made->texts.begin()->second), q(text));
  }
  void errorsHaveAPlace() {
    if (!Nvrtc::load()) QSKIP("NOT TESTED: NVRTC is not installed");
    for (const char* nvcc : {"none", ""}) {
      qputenv("TILELOOM_NVCC", nvcc);
      const std::string text = "\n__global__ void k(float* x) {\n  *x = missing;\n}\n";
      const auto made = compiledSource({path("wrong.cu"), text}, {}, nullptr);
      QVERIFY(!made);
      const Complaint& complaint = made.error();
      QVERIFY2(q(complaint.sentence)
                   .contains("wrong.cu:3 does not compile: identifier "
                             "\"missing\" is undefined ("),
               complaint.sentence.c_str());
      QCOMPARE(complaint.line, 3);
      QCOMPARE(q(complaint.file), q(path("wrong.cu").string()));
      QVERIFY(q(complaint.log).contains("1 error detected"));
    }
  }
  // A whole program, as nvcc compiles it: what main() uses, and one instance more.
  void withNvcc() {
    if (const auto nvcc = findNvcc(); !nvcc)
      QSKIP(qPrintable("NOT TESTED: " + q(nvcc.error().text)));
    SourceChoices choices;
    choices.instances = {"scaled<8>"};
    const auto made = compiledSource({path("program.cu"), {}}, choices, nullptr);
    QVERIFY2(made, made ? "" : made.error().log.c_str());
    QCOMPARE(q(made->compiler), QString("nvcc"));
    QCOMPARE(titles(*made), (std::vector<std::string>{"plain", "scaled<2>", "scaled<8>"}));
    QVERIFY(!sass::kernelsNamed(made->module, made->nameOf("scaled<8>")).empty());
    const auto places = sass::kernelsNamed(made->module, "plain").front()->lines.at(0);
    QVERIFY(!places.empty() && made->texts.contains(std::string(places.back().file)));
    QCOMPARE(int(places.back().line), 4);
  }
  void withoutNvcc() {
    qputenv("TILELOOM_NVCC", "none");
    const QString error = errorOf({path("program.cu"), {}});
    QVERIFY2(
        error.contains(Nvrtc::load() ? "program.cu, which has code for the host, needs nvcc: nvcc "
                                       "is switched off by TILELOOM_NVCC=none"
                                     : "cannot be compiled: NVRTC"),
        qPrintable(error));
    qputenv("TILELOOM_NVCC", path("no nvcc").c_str());
    QVERIFY(errorOf({path("program.cu"), {}}).contains("is not a program"));
    QVERIFY(errorOf({"k.ptx", ".version 8.0\n.target sm_90\n"}).contains("cannot be assembled"));
  }
  void ptx() {
    if (!findPtxas()) QSKIP("NOT TESTED: ptxas is not installed");
    const std::string text =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
    const auto made = compiledSource({"k.ptx", text}, {}, nullptr);
    QVERIFY2(made, made ? "" : made.error().sentence.c_str());
    QCOMPARE(made->module.capability, 80);
    QCOMPARE(q(made->compiler), QString("ptxas"));
    SourceChoices newer;
    newer.arch = "9.0";
    const auto other = compiledSource({"k", text}, newer, nullptr);
    QVERIFY(other && other->module.capability == 90);
    const auto wrong = compiledSource({"k.ptx", text + "nonsense\n"}, {}, nullptr);
    QVERIFY(!wrong && wrong.error().line == 5);
    QVERIFY(errorOf({"k.ptx", "nothing"}).contains("names no architecture"));
  }

  // The one cubin that is meant, of several.
  void ofSeveral() {
    const auto a80 = cubin("a", 80), a90 = cubin("a", 90), b90 = cubin("b", 90);
    const auto file = bytesOf(
        FatBinary{}.entry(false, 80, a80).entry(false, 90, a90).entry(false, 90, b90).made());
    const auto chosen = [&](const char* arch, const char* kernel) {
      SourceChoices choices;
      choices.arch = arch;
      choices.kernel = kernel;
      const auto made = compiledSource(file, choices, nullptr);
      return made ? QString("%1 %2").arg(made->module.capability).arg(q(titles(*made).front()))
                  : q(made.error().sentence);
    };
    QCOMPARE(chosen("", "a"), QString("90 a"));
    QCOMPARE(chosen("", "b"), QString("90 b"));
    QCOMPARE(chosen("sm_80", ""), QString("80 a"));
    QVERIFY(chosen("", "").contains(
        "has 2 cubins for sm_90: choose one by its kernel with --kernel (a, b)"));
    QVERIFY(chosen("", "c").contains("none of the 3 cubins"));
    QVERIFY(chosen("sm_86", "").contains("has no cubin for sm_86: it has some for sm_80, sm_90"));
    QVERIFY(chosen("newest", "").contains("is not an architecture"));
    const auto all = cubinsOf(file, {}, nullptr);
    QVERIFY(all && all->size() == 3 && (*all)[0].capability == 80);
  }
  void ofAFolder() {
    const auto a = cubin("a", 90), b = cubin("b", 90);
    write("cache of triton/X/a.cubin", {a.data(), a.size()});
    write("cache of triton/Y/b.cubin", {b.data(), b.size()});
    write("cache of triton/Y/b.json", "{}");
    SourceChoices choices;
    choices.kernel = "b";
    const auto made = compiledSource({path("cache of triton"), {}}, choices, nullptr);
    QVERIFY(made && titles(*made).front() == "b");
    const auto all = cubinsOf({path("cache of triton"), {}}, {}, nullptr);
    QVERIFY(all && all->size() == 2);
    QCOMPARE(q((*all)[1].file), QString("Y/b.cubin"));
    QVERIFY(errorOf({path("headers"), {}}).contains("has no file with the ending .cubin"));
  }
  void mistakes() {
    QVERIFY(errorOf({path("none.cu"), {}}).contains("No such file"));
    QVERIFY(errorOf({"x.so", "nothing"}).contains("has no machine code of a GPU"));
    QVERIFY(errorOf({"x.cubin", "nothing"}).contains("is not a cubin that can be read"));
    QVERIFY(errorOf({"x.cu", std::string(3, '\0')}).contains("zero bytes"));
    QVERIFY(errorOf({"x.cu", std::string(5 << 20, ' ')}).contains("a source has"));
    const auto packed = FatBinary{}.entry(true, 90, std::vector<char>(8, 'p')).made();
    QVERIFY(errorOf(bytesOf(packed)).contains("has PTX for sm_90 and no cubin"));
    const auto wrong = [](SourceChoices choices) {
      return errorOf({"x.cu", "__global__ void k() {}"}, choices);
    };
    QVERIFY(wrong({.defines = {"1=2"}}).contains("--define \"1=2\" is not NAME or NAME=VALUE"));
    QVERIFY(wrong({.defines = {"A=$(x)"}}).contains("--define"));
    QVERIFY(wrong({.instances = {"k;"}}).contains("--instance \"k;\" is not"));
    QVERIFY(wrong({.includes = {"a;b"}}).contains("has a character that compilers do not take"));
    QVERIFY(wrong({.arch = "sm_9"}).contains("--arch \"sm_9\" is not an architecture"));
  }
  void filesAndRungs() {
    for (const char* word : {"a.cu", "./x", "gemm.cubin", "k.ptx", "lib.so", "a.out", "d/"})
      QVERIFY(namesOwnFile(word));
    for (const char* word : {"warptiled", "8", "T3", "k10", ""}) QVERIFY(!namesOwnFile(word));
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::OwnSourceTest, Nothing)
#include "own_source_test.moc"
