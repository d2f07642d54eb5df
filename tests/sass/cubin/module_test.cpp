// SPDX-License-Identifier: GPL-3.0-or-later
// All that a cubin says: of files made by hand, and of what NVRTC compiles.
#include "kernels/sass/cubin/module.h"

#include <QtTest>

#include "kernels/gpu/compile/nvrtc.h"
#include "tests/support/elf_file.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class ModuleTest : public QObject {
  Q_OBJECT

  static constexpr std::uint32_t kInfo = 0x70000000, kProgram = 1, kNothing = 8;

  static void attribute(std::vector<char>& list, std::uint8_t kind,
                        std::initializer_list<std::uint32_t> words) {
    put(list, list.size(), std::uint8_t{4});
    put(list, list.size(), kind);
    put(list, list.size(), static_cast<std::uint16_t>(4 * words.size()));
    for (const std::uint32_t word : words) put(list, list.size(), word);
  }

  // Two kernels, "first" with two parameters, of 4 and 8 bytes.
  static std::vector<char> twoKernels(std::uint32_t secondAt = 8) {
    ElfFile elf(90);
    const auto text = elf.section(".text.first", kProgram, std::vector<char>(32), 0);
    const std::uint32_t first = elf.symbol("first", text, 0, 32);
    const auto other = elf.section(".text.second", kProgram, std::vector<char>(16), 0);
    const std::uint32_t second = elf.symbol("second", other, 0, 16);
    std::vector<char> all, own;
    attribute(all, 0x2f, {first, 40});
    attribute(all, 0x11, {first, 128});
    attribute(all, 0x2f, {second, 8});
    attribute(own, 0x17, {0, secondAt << 16 | 1, 8u << 18 | 0x1f000});
    attribute(own, 0x17, {0, 0, 4u << 18 | 0x1f000});
    put(own, own.size(), std::uint32_t{0x00034c02});  // three barriers
    attribute(own, 0x05, {128, 1, 1});
    attribute(own, 0x3d, {2, 1, 1});
    attribute(own, 0x1c, {16});
    attribute(own, 0x0a, {9, 16u << 16 | 0x210});
    elf.section(".nv.info", kInfo, all);
    elf.section(".nv.info.first", kInfo, own);
    const auto shared = elf.section(".nv.shared.first", kNothing, {}, 0, 0x500, 1024);
    elf.symbol("tile", shared, 0x400, 0x100);
    elf.section(".nv.constant0.first", kProgram, std::vector<char>(0x220));
    const auto bank = elf.section(".nv.constant3", kProgram, {'\1', '\0', '\0', '\0'});
    elf.symbol("factor", bank, 0, 4);
    elf.section(".nv.constant4", kProgram, std::vector<char>(8));
    const auto zero = elf.section(".nv.global", kNothing, {}, 0, 12);
    const std::uint32_t counter = elf.symbol("counter", zero, 8, 4);
    elf.relocation(".nv.constant4", 0, 2, counter);
    const auto set = elf.section(".nv.global.init", kProgram, {'\7', '\0', '\0', '\0'});
    elf.symbol("seven", set, 0, 4);
    // The code sections name their symbols.
    std::vector<char> file = elf.made();
    const auto header = [&](std::uint16_t section) { return 64u + 64u * section + 44u; };
    put(file, header(text), first);
    put(file, header(other), second);
    return file;
  }

 private slots:
  void whatAFileSays() {
    const auto module = readModule(twoKernels());
    QVERIFY2(module.has_value(), module ? "" : module.error().c_str());
    QCOMPARE(module->capability, 90);
    QCOMPARE(module->kernels.size(), std::size_t{2});
    const KernelImage* first = module->named("first");
    QVERIFY(first != nullptr);
    QCOMPARE(first->words.size(), std::size_t{2});
    QCOMPARE(first->info.registers, 40);
    QCOMPARE(first->info.frameBytes, 128);
    QCOMPARE(first->info.barriers, 3);
    QCOMPARE(first->info.parametersAt, 0x210);
    QCOMPARE(first->info.parameterBytes, 16);
    QVERIFY((first->info.parameters == std::vector<KernelParameter>{{0, 4}, {8, 8}}));
    QVERIFY((first->info.mostThreads == Sizes{128, 1, 1}));
    QVERIFY((first->info.requiredThreads == Sizes{}));
    QVERIFY((first->info.cluster == Sizes{2, 1, 1}));
    QVERIFY((first->info.exits == std::vector<std::uint32_t>{16}));
    QCOMPARE(first->sharedBytes, 0x500);
    QCOMPARE(first->sharedAlign, 1024);
    QVERIFY(
        (first->shared == std::vector<Variable>{{"tile", Variable::Space::Shared, 0x400, 0x100}}));
    QCOMPARE(first->constants.size(), std::size_t{1});
    QCOMPARE(first->constants[0].bytes.size(), std::size_t{0x220});
    QCOMPARE(module->named("second")->info.registers, 8);
    QVERIFY(module->named("second")->info.parameters.empty());
    QVERIFY(module->named("third") == nullptr);
    QCOMPARE(module->constants.size(), std::size_t{2});
    QVERIFY((module->constants[1].relocations == std::vector<Relocation>{{0, 2, "counter", 0}}));
    // Variables with an initial value are behind the others, at a multiple of 256 bytes.
    QCOMPARE(module->globalBytes, std::uint64_t{256});
    QCOMPARE(module->globals.size(), std::size_t{4});
    QVERIFY(
        (module->variables == std::vector<Variable>{{"factor", Variable::Space::Constant, 0, 4},
                                                    {"counter", Variable::Space::Global, 8, 4},
                                                    {"seven", Variable::Space::Global, 256, 4}}));
  }

  void aParameterBeyondTheOthers() {
    const auto module = readModule(twoKernels(12));
    QVERIFY(!module);
    QCOMPARE(q(module.error()),
             QString("the file places parameter 1 of first outside of its parameters"));
  }

  // Cut or changed anywhere, it is read within its bounds.
  void damaged() {
    const auto good = twoKernels();
    for (std::size_t cut = 0; cut < good.size(); ++cut)
      QVERIFY(!readModule(std::span(good).first(cut)));
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
        auto bad = good;
        bad[at] = static_cast<char>(value);
        const auto module = readModule(bad);
        if (!module) QVERIFY(!module.error().empty() && module.error().back() != '.');
      }
    }
  }

  // The order of declaration, gaps included, with source lines of inlined functions.
  void whatNvrtcCompiles() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    const std::string text =
        "__constant__ float factors[8];\n"
        "__device__ int counter;\n"
        "__device__ __forceinline__ float twice(float x) {\n"
        "  return x * factors[3] + 2.0f;\n"
        "}\n"
        "__device__ __forceinline__ float outer(float x) {\n"
        "  return twice(x) * x;\n"
        "}\n"
        "extern \"C\" __global__ void __launch_bounds__(96) first(char a, double b, short c, "
        "float* p) {\n"
        "  __shared__ float tile[100];\n"
        "  tile[threadIdx.x] = p[a];\n"
        "  __syncthreads();\n"
        "  p[c] = outer(tile[95 - threadIdx.x]) + b;\n"
        "  counter = c;\n"
        "}\n"
        "extern \"C\" __global__ void second(int* q) { q[threadIdx.x] = 5; }\n";
    for (const std::string arch : {"80", "86", "90"}) {
      const std::vector<std::string> options = {"--gpu-architecture=sm_" + arch,
                                                "--generate-line-info"};
      const auto output = (*nvrtc)->compile(text, "two.cu", {}, options);
      QVERIFY2(output.has_value(), output ? "" : output.error().text.c_str());
      const auto module = readModule(output->cubin);
      QVERIFY2(module.has_value(), module ? "" : module.error().c_str());
      QCOMPARE(module->capability, std::stoi(arch));
      const KernelImage* first = module->named("first");
      QVERIFY(first != nullptr && module->named("second") != nullptr);
      QVERIFY((first->info.parameters ==
               std::vector<KernelParameter>{{0, 1}, {8, 8}, {16, 2}, {24, 8}}));
      QCOMPARE(first->info.parametersAt, arch == "90" ? 0x210 : 0x160);
      QCOMPARE(first->info.parameterBytes, 32);
      QVERIFY((first->info.mostThreads == Sizes{96, 1, 1}));
      QCOMPARE(first->info.barriers, 1);
      QCOMPARE(first->sharedBytes, arch == "90" ? 1424 : 400);
      QVERIFY(std::ranges::any_of(module->variables, [](const Variable& v) {
        return v.name == "counter" && v.space == Variable::Space::Global && v.bytes == 4;
      }));
      // An instruction of twice() was inlined in outer(), and that in the kernel.
      bool chained = false;
      for (std::uint32_t at = 0; at < first->words.size() * kCodeWordBytes; at += kCodeWordBytes) {
        const auto places = first->lines.at(at);
        QVERIFY(!places.empty());
        if (places.size() != 3 || places[0].line != 4) continue;
        chained = true;
        QCOMPARE(places[1].line, 7u);
        QCOMPARE(places[2].line, 13u);
        QVERIFY(places[0].function.find("twice") != std::string_view::npos);
        QVERIFY(places[1].function.find("outer") != std::string_view::npos);
        QVERIFY(places[2].function.empty());
        QVERIFY(places[0].file.ends_with("two.cu"));
      }
      QVERIFY2(chained, arch.c_str());
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ModuleTest, Nothing)
#include "module_test.moc"
