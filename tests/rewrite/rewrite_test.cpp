// SPDX-License-Identifier: GPL-3.0-or-later
// Whole kernels: rewritten ones, refused ones and damaged ones.
#include "kernels/rewrite/rewrite.h"

#include <QtTest>
#include <algorithm>
#include <cstring>

#include "kernels/rewrite/control.h"
#include "kernels/rewrite/equality.h"
#include "kernels/rewrite/reuse.h"
#include "tests/rewrite/code.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class RewriteTest : public QObject {
  Q_OBJECT

  static std::string why(std::span<const char> file, const Request& request = {}) {
    const auto rewritten = rewriteMainLoop(file, request);
    return rewritten ? "" : rewritten.error();
  }
  // The number of the first instruction in the loop with this beginning.
  static std::size_t find(std::span<const char> file, std::string_view text) {
    const auto loop = loopCodeOf(*sass::readCubin(file));
    for (std::size_t i = loop->begin; i < loop->end; ++i)
      if (loop->kernel[i].code.text().find(text) != std::string::npos) return i;
    qFatal("the loop has no %s", std::string(text).c_str());
  }
  static std::vector<char> with(std::span<const char> file, std::size_t at, sass::Decoded code) {
    code.address = static_cast<std::uint32_t>(at * sass::kCodeWordBytes);
    return withWord(file, at, *sass::encode(code));
  }

 private slots:
  void kernelsAreRewritten_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("multiplyAdds");
    QTest::newRow("small") << "small" << 256;
    QTest::newRow("square") << "square" << 256;
    QTest::newRow("narrow") << "narrow" << 256;
    QTest::newRow("single") << "single" << 256;
    QTest::newRow("copies") << "copies" << 512;
  }
  void kernelsAreRewritten() {
    QFETCH(QString, name);
    QFETCH(int, multiplyAdds);
    const auto file = cubinFixture(name.toStdString());
    const auto rewritten = rewriteMainLoop(file);
    QVERIFY2(rewritten, rewritten ? "" : rewritten.error().c_str());
    QCOMPARE(rewritten->multiplyAdds, multiplyAdds);
    QVERIFY(rewritten->instructions <= rewritten->instructionsBefore);
    QVERIFY(rewritten->lost <= rewritten->lostBefore);
    const auto old = *sass::readCubin(file);
    const auto now = sass::readCubin(rewritten->cubin);
    QVERIFY(now);
    QCOMPARE(now->registers, rewritten->registers);
    QVERIFY(now->registers >= old.registers);
    QCOMPARE(now->kernel, old.kernel);
    // Only the loop differs.
    const auto loop = loopCodeOf(old);
    for (std::size_t i = 0; i < old.words.size(); ++i)
      if (i < loop->begin || i >= loop->end) QCOMPARE(now->words[i] == old.words[i], true);
    // And in the file only the code and the number of registers.
    std::size_t different = 0;
    QCOMPARE(rewritten->cubin.size(), file.size());
    for (std::size_t i = 0; i < file.size(); ++i) different += file[i] != rewritten->cubin[i];
    QVERIFY(different <= (loop->end - loop->begin) * sass::kCodeWordBytes + 8);
    const Judged judged = judgedOf(file, rewritten->cubin);
    QCOMPARE(whyNotEqual(judged.old, judged.turn, judged.live), "");
    QCOMPARE(whyTooEarly(judged.before, judged.turn, judged.behind), "");
    QCOMPARE(whyStale(judged.turn), "");
  }
  void theSameKernelIsRewrittenAlike() {
    const auto file = cubinFixture("small");
    QVERIFY(rewriteMainLoop(file)->cubin == rewriteMainLoop(file)->cubin);
  }
  // A rewritten kernel is a kernel that can be rewritten, or refused with a sentence.
  void aRewrittenKernelAgain() {
    const auto once = rewriteMainLoop(cubinFixture("small"));
    QVERIFY(once);
    const auto twice = rewriteMainLoop(once->cubin);
    if (twice) {
      const Judged judged = judgedOf(once->cubin, twice->cubin);
      QCOMPARE(whyNotEqual(judged.old, judged.turn, judged.live), "");
    } else {
      QVERIFY(!twice.error().empty());
    }
  }

  void anotherComputeCapability() {
    auto file = cubinFixture("small");
    for (char& byte : std::span(file).subspan(48, 4))
      if (byte == 90) byte = 86;
    QCOMPARE(why(file),
             "it is compiled for compute capability 8.6, but only the timing of 9.0 is known");
  }
  void noCubin() {
    QVERIFY(!why({}).empty());
    const std::string text = "no ELF file at all, but long enough to have a header of 64 bytes …";
    QCOMPARE(why(std::span(text.data(), text.size())), "the file is not a 64-bit ELF file");
  }
  void tooFewRegisters() {
    const auto file = cubinFixture("square");
    const int has = sass::readCubin(file)->registers;
    Request request;
    request.registerLimit = has - 1;
    QCOMPARE(why(file, request), "it has " + std::to_string(has) +
                                     " registers per thread, but only " + std::to_string(has - 1) +
                                     " are allowed");
    // Down to the last register that is enough, no limit is passed.
    for (int limit = has; limit <= 255; limit += 8) {
      request.registerLimit = limit;
      const auto rewritten = rewriteMainLoop(file, request);
      if (rewritten) QVERIFY(rewritten->registers <= limit);
    }
  }
  void narrowFragments() {
    const auto file = cubinFixture("small");
    const std::size_t at = find(file, "LDS.128");
    auto code = loopCodeOf(*sass::readCubin(file))->kernel[at].code;
    code.modifiers[0] = 5;  // LDS.64
    for (auto& operand : code.operands) operand.registers = std::min(operand.registers, 2);
    QVERIFY(!why(with(file, at, code)).empty());
  }
  void aCallInTheLoop() {
    const auto file = cubinFixture("small");
    const std::size_t at = find(file, "DEPBAR");
    const std::string call = why(withWord(file, at, {0x00000000003c7944, 0x000fe80003c00000}));
    QVERIFY2(call.starts_with("\"CALL.REL.NOINC 0x") && call.ends_with("\" is in the loop"),
             call.c_str());
  }
  void anExitInTheLoop() {
    const auto file = cubinFixture("small");
    const std::size_t at = find(file, "DEPBAR");
    QCOMPARE(why(with(file, at, under(make::exit(), 1))), "\"@P1 EXIT\" is in the loop");
  }
  void allScoreboardsInUse() {
    auto file = cubinFixture("small");
    const auto loop = *loopCodeOf(*sass::readCubin(file));
    // Other instructions of the loop increment all of them.
    std::vector<std::size_t> others;
    for (std::size_t i = loop.begin; i < loop.end; ++i)
      if (loop.kernel[i].code.base() == "MOV" || loop.kernel[i].code.base() == "IADD3")
        others.push_back(i);
    QVERIFY(others.size() >= 6);
    for (int scoreboard = 0; scoreboard < 6; ++scoreboard) {
      const std::size_t at = others[std::size_t(scoreboard)];
      file = with(file, at, counting(loop.kernel[at].code, scoreboard));
    }
    QCOMPARE(why(file), "all six scoreboards are in use even without loads of fragments");
  }
  // Scoreboards that only show that operands have been read share one.
  void scoreboardsOfReadsAreJoined() {
    auto file = cubinFixture("copies");
    const auto loop = *loopCodeOf(*sass::readCubin(file));
    unsigned used = 0;
    for (const Op& op : loop.turn) {
      if (loadedWordsOf(op.code)) continue;
      for (const int its : {op.code.control.writeScoreboard, op.code.control.readScoreboard})
        if (its >= 0) used |= 1u << its;
    }
    std::vector<std::size_t> copies;
    for (std::size_t i = loop.begin; i < loop.end; ++i)
      if (loop.kernel[i].code.effect() == sass::Effect::AsyncCopy) copies.push_back(i);
    QCOMPARE(copies.size(), std::size_t{4});
    std::size_t next = 0;
    for (int scoreboard = 0; scoreboard < 6; ++scoreboard) {
      if ((used >> scoreboard & 1) != 0) continue;
      QVERIFY(next < copies.size());
      const std::size_t at = copies[next++];
      file = with(file, at, counting(loop.kernel[at].code, -1, scoreboard));
    }
    const auto rewritten = rewriteMainLoop(file);
    QVERIFY2(rewritten, rewritten ? "" : rewritten.error().c_str());
    const Judged judged = judgedOf(file, rewritten->cubin);
    QCOMPARE(whyNotEqual(judged.old, judged.turn, judged.live), "");
    QCOMPARE(whyTooEarly(judged.before, judged.turn, judged.behind), "");
  }
  void noRoom() {
    // The branch over the code that fetches becomes a placeholder's guard: that saves nothing.
    const auto file = cubinFixture("small");
    const std::size_t at = find(file, "@P1 BRA");
    const std::string sentence = why(with(file, at, make::nop()));
    QVERIFY2(sentence.empty() || !sentence.ends_with('.'), sentence.c_str());
  }
  void relocatedCode() {
    // The section .rela.text.NAME, empty in the fixture, is given one entry.
    auto file = cubinFixture("small");
    std::uint64_t table = 0;
    std::uint16_t count = 0, names = 0;
    std::memcpy(&table, file.data() + 40, 8);
    std::memcpy(&count, file.data() + 60, 2);
    std::memcpy(&names, file.data() + 62, 2);
    constexpr std::size_t kEntry = 64;
    std::uint64_t texts = 0;
    std::memcpy(&texts, file.data() + table + names * kEntry + 24, 8);
    bool found = false;
    for (std::size_t i = 0; i < count; ++i) {
      char* header = file.data() + table + i * kEntry;
      std::uint32_t name = 0;
      std::memcpy(&name, header, 4);
      if (!std::string_view(file.data() + texts + name).starts_with(".rela.text.")) continue;
      const std::uint64_t size = 24;
      std::memcpy(header + 32, &size, 8);
      found = true;
    }
    QVERIFY(found);
    QCOMPARE(why(file),
             "the file has relocations, which change some of its instructions when it is loaded");
  }

  // Random bytes and words: a sentence, or a kernel that passes its checks.
  void damagedFilesNeverGetThrough() {
    Random random(seed());
    struct Kernel {
      std::vector<char> file;
      std::size_t begin = 0, end = 0;  // of its loop
      std::vector<sass::CodeWord> words;
    };
    std::vector<Kernel> kernels;
    for (const char* name : {"small", "small", "narrow", "copies"}) {
      const auto file = cubinFixture(name);
      const auto cubin = *sass::readCubin(file);
      const auto loop = *loopCodeOf(cubin);
      kernels.push_back({file, loop.begin, loop.end, cubin.words});
    }
    int refused = 0, kept = 0;
    for (int round = 0; round < (briefly() ? 30 : 300); ++round) {
      const Kernel& its = kernels[std::size_t(random.integer(0, int(kernels.size()) - 1))];
      std::vector<char> damaged = its.file;
      if (round % 3 == 0) {
        for (int i = random.integer(1, 4); i > 0; --i)
          damaged[std::size_t(random.integer(0, int(damaged.size()) - 1))] =
              char(random.integer(0, 255));
        if (random.oneIn(4)) damaged.resize(std::size_t(random.integer(0, int(damaged.size()))));
      } else {
        const auto at = std::size_t(random.integer(int(its.begin) - 10, int(its.end) + 10));
        auto word = its.words[at];
        const int bit = random.integer(0, 127);
        word.put(bit, 1, word.bits(bit, 1) ^ 1);
        damaged = withWord(its.file, at, word);
      }
      const auto rewritten = rewriteMainLoop(damaged);
      if (!rewritten) {
        ++refused;
        QVERIFY(!rewritten.error().empty());
        QVERIFY2(!rewritten.error().ends_with('.'), rewritten.error().c_str());
        continue;
      }
      ++kept;
      const Judged judged = judgedOf(damaged, rewritten->cubin);
      QCOMPARE(whyNotEqual(judged.old, judged.turn, judged.live), "");
      QCOMPARE(whyTooEarly(judged.before, judged.turn, judged.behind), "");
      QCOMPARE(whyStale(judged.turn), "");
    }
    QVERIFY(refused > 0 && kept > 0);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RewriteTest, Nothing)
#include "rewrite_test.moc"
