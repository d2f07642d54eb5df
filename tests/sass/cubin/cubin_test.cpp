// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled kernels: what is read from the file, and the file with other code.
#include "kernels/sass/cubin/cubin.h"

#include <QtTest>

#include "tests/support/cubin_file.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class CubinTest : public QObject {
  Q_OBJECT

  const std::vector<std::array<std::uint64_t, 2>> code_ = {{0x7918, 0x000fc00000000000},
                                                           {0x794d, 0x000fea0003800000}};

  static QString errorOf(std::span<const char> file) {
    const auto cubin = readCubin(file);
    return cubin ? QString("none") : q(cubin.error());
  }

 private slots:
  void whatAFileSays() {
    const CubinFile file{
        .kernel = "tuned", .capability = 86, .registers = 242, .sharedBytes = 25088};
    const auto cubin = readCubin(file.with(code_));
    QVERIFY(cubin.has_value());
    QCOMPARE(q(cubin->kernel), QString("tuned"));
    QCOMPARE(cubin->capability, 86);
    QCOMPARE(cubin->registers, 242);
    QCOMPARE(cubin->sharedBytes, 25088);
    QCOMPARE(cubin->words.size(), code_.size());
    QVERIFY((cubin->words[1] == CodeWord{code_[1][0], code_[1][1]}));
  }

  // Older files have the registers in the header of the code, or nowhere.
  void whereRegistersAre() {
    QCOMPARE(readCubin(CubinFile{.registers = 0, .registersInHeader = 40}.with(code_))->registers,
             40);
    QCOMPARE(readCubin(CubinFile{.registers = 41, .registersInHeader = 40}.with(code_))->registers,
             41);
    QCOMPARE(readCubin(CubinFile{.registers = 0}.with(code_))->registers, 0);
  }

  void otherCode() {
    for (const int inHeader : {0, 32}) {
      const auto file = CubinFile{.registersInHeader = inHeader}.with(code_);
      auto words = readCubin(file)->words;
      QVERIFY(withCode(file, words, 0) == file);
      QVERIFY(withCode(file, words, 32) == file);
      std::swap(words[0], words[1]);
      const auto changed = withCode(file, words, 96);
      QVERIFY(changed.has_value());
      QCOMPARE(changed->size(), file.size());
      const auto cubin = readCubin(*changed);
      QCOMPARE(cubin->registers, 96);
      QVERIFY(cubin->words == words);
      // And back again.
      std::swap(words[0], words[1]);
      QVERIFY(withCode(*changed, words, 32) == file);
    }
  }

  void whatCannotBeWritten() {
    const auto file = CubinFile{}.with(code_);
    const auto words = readCubin(file)->words;
    QCOMPARE(q(withCode(file, std::span(words).first(1), 0).error()),
             QString("the file has room for 2 instructions, but was given 1"));
    QCOMPARE(q(withCode(file, words, 256).error()),
             QString("a thread cannot have 256 registers: the maximum is 255"));
    const auto silent = CubinFile{.registers = 0}.with(code_);
    QVERIFY(withCode(silent, words, 0) == silent);
    QCOMPARE(q(withCode(silent, words, 40).error()),
             QString("the file does not say the number of registers per thread"));
    QVERIFY(!withCode({}, words, 0));
    const auto relocated = CubinFile{.relocations = 24}.with(code_);
    QVERIFY(readCubin(relocated).has_value());
    QCOMPARE(
        q(withCode(relocated, words, 0).error()),
        QString(
            "the file has relocations, which change some of its instructions when it is loaded"));
  }

  void whatIsNone() {
    QCOMPARE(errorOf({}), QString("the file is not a 64-bit ELF file"));
    QCOMPARE(errorOf(std::string(100, 'x')), QString("the file is not a 64-bit ELF file"));
    QCOMPARE(errorOf(CubinFile{}.with(std::string(17, '\0'))),
             QString("the file's code has 17 bytes, which is not a positive multiple of 16"));
    QCOMPARE(errorOf(CubinFile{}.with(std::string())),
             QString("the file's code has 0 bytes, which is not a positive multiple of 16"));
    QCOMPARE(errorOf(CubinFile{.registers = 256}.with(code_)),
             QString("the file gives a thread 256 registers: the maximum is 255"));
    auto file = CubinFile{}.with(code_);
    file[62] = 9;  // the section with the names
    QCOMPARE(errorOf(file), QString("the file's section table is not within the file"));
    // Without a name the code is not found.
    file = CubinFile{}.with(code_);
    file[std::string_view(file.data(), file.size()).find(".text.")] = '_';
    QCOMPARE(errorOf(file), QString("the file has no kernel"));
  }

  // Truncated or damaged anywhere, it is read within its bounds.
  void damaged() {
    const auto good = CubinFile{.registersInHeader = 3, .sharedBytes = 512}.with(code_);
    const auto words = readCubin(good)->words;
    for (std::size_t cut = 0; cut < good.size(); ++cut)
      QVERIFY(!readCubin(std::span(good).first(cut)));
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
        auto bad = good;
        bad[at] = static_cast<char>(value);
        const auto changed = withCode(bad, words, 10);
        if (!changed) continue;
        QCOMPARE(changed->size(), bad.size());
        (void)readCubin(*changed);  // the code may overlap the section table
      }
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CubinTest, Nothing)
#include "cubin_test.moc"
