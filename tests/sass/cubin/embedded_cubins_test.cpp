// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/embedded_cubins.h"

#include <lz4.h>
#include <zstd.h>

#include <QtTest>
#include <random>

#include "kernels/sass/cubin/module.h"
#include "tests/support/cubin_file.h"
#include "tests/support/fat_binary.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::sass {

using test::CubinFile;
using test::FatBinary;
using test::q;
using Packing = EmbeddedCode::Packing;

class EmbeddedCubinsTest : public QObject {
  Q_OBJECT

  static std::vector<char> cubin(const std::string& name, int capability) {
    auto file = CubinFile{.kernel = name, .capability = capability}.with(
        std::vector<std::array<std::uint64_t, 2>>(64,
                                                  {0x000000000000794dull, 0x000fea0003800000ull}));
    test::put(file, 18, std::uint16_t{190});  // the machine
    return file;
  }
  static std::vector<char> zstd(const std::vector<char>& bytes) {
    std::vector<char> packed(ZSTD_compressBound(bytes.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
    return packed;
  }
  static std::vector<char> lz4(const std::vector<char>& bytes) {
    std::vector<char> packed(std::size_t(LZ4_compressBound(int(bytes.size()))));
    packed.resize(std::size_t(
        LZ4_compress_default(bytes.data(), packed.data(), int(bytes.size()), int(packed.size()))));
    return packed;
  }
  // All that a reader does with a file.
  static std::vector<std::string> kernelsOf(const std::vector<char>& file) {
    std::vector<std::string> names;
    for (const EmbeddedCode& code : embeddedIn(file)) {
      if (code.at > file.size() || code.size > file.size() - code.at) return {"outside"};
      const auto bytes = unpacked(file, code);
      if (!bytes) {
        names.push_back(bytes.error());
        continue;
      }
      if (const auto module = readModule(*bytes))
        for (const KernelImage& kernel : module->kernels) names.push_back(kernel.name);
    }
    return names;
  }

 private slots:
  void aCubin() {
    const auto file = cubin("one", 86);
    QVERIFY(isCubin(file));
    const auto found = embeddedIn(file);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].capability, 86);
    QCOMPARE(found[0].size, file.size());
    QCOMPARE(kernelsOf(file), std::vector<std::string>{"one"});
  }
  // Anywhere in a file: a whole library is searched.
  void inAnotherFile() {
    const auto first = cubin("first", 80), second = cubin("second", 90), third = cubin("third", 90);
    const std::string ptx = ".version 8.0";
    const auto fat = FatBinary{}
                         .entry(false, 80, first)
                         .entry(false, 90, zstd(second), 0x8000, second.size())
                         .entry(false, 90, lz4(third), 0x2000, third.size())
                         .entry(true, 90, std::span(ptx.data(), ptx.size()))
                         .made();
    std::vector<char> file(1000, 'x');
    file.insert(file.end(), fat.begin(), fat.end());
    file.insert(file.end(), 77, 'y');
    const auto bare = cubin("bare", 90);
    file.insert(file.end(), bare.begin(), bare.end());
    file.insert(file.end(), 5, 'z');
    const auto found = embeddedIn(file);
    QCOMPARE(found.size(), std::size_t{5});
    QVERIFY(found[1].packing == Packing::Zstd && found[2].packing == Packing::Lz4);
    QVERIFY(found[3].kind == EmbeddedCode::Kind::Ptx);
    QCOMPARE(kernelsOf(file), (std::vector<std::string>{"first", "second", "third", "bare"}));
    QVERIFY(!isCubin(file));
  }
  void nothing() {
    QVERIFY(embeddedIn({}).empty());
    QVERIFY(embeddedIn(std::vector<char>(4096, 'a')).empty());
    QVERIFY(embeddedIn(std::vector<char>{'\x50', '\xed', '\x55', '\xba'}).empty());
    QVERIFY(embeddedIn(std::vector<char>{'\x7f', 'E', 'L', 'F'}).empty());
  }
  // A size that no compression reaches takes no memory.
  void wrongSizes() {
    const auto code = cubin("k", 90);
    const auto packed = zstd(code);
    const auto errorOf = [&](std::uint64_t flags, std::uint64_t bytes) {
      const auto file = FatBinary{}.entry(false, 90, packed, flags, bytes).made();
      const auto made = unpacked(file, embeddedIn(file).at(0));
      return made ? QString() : q(made.error());
    };
    QCOMPARE(errorOf(0x8000, code.size()), QString());
    for (const std::uint64_t bytes : {code.size() - 1, code.size() + 1, std::size_t{1}})
      QCOMPARE(errorOf(0x8000, bytes),
               QString("the compressed machine code is damaged: compile it again"));
    QVERIFY(errorOf(0x8000, ~std::uint64_t{0}).contains("are possible"));
    QVERIFY(errorOf(0x8000, std::uint64_t{300} << 20).contains("are possible"));
    QVERIFY(errorOf(0x2000, code.size()).contains("damaged"));
    QVERIFY(errorOf(0x10000, code.size()).contains("in a way that is not known"));
  }
  void damaged() {
    const auto first = cubin("first", 80), second = cubin("second", 90);
    const auto fat = FatBinary{}
                         .entry(false, 80, first)
                         .entry(false, 90, zstd(second), 0x8000, second.size())
                         .made();
    for (std::size_t size = 0; size < fat.size(); ++size)
      (void)kernelsOf({fat.begin(), fat.begin() + std::ptrdiff_t(size)});
    std::mt19937 random(1);
    for (int i = 0; i < 3000; ++i) {
      auto changed = fat;
      for (int j = 0; j < 1 + i % 4; ++j)
        changed[i % 2 == 0 ? random() % changed.size() : random() % 100] = char(random());
      QVERIFY(kernelsOf(changed) != std::vector<std::string>{"outside"});
    }
  }
};

}  // namespace tileloom::sass

TILELOOM_TEST(tileloom::sass::EmbeddedCubinsTest, Nothing)
#include "embedded_cubins_test.moc"
