// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas for addresses and their counts, by rules 1 to 5, 12, 18, 19 and 54 of docs/hardware.md:
// 32 banks of 4 bytes, halves and quarters of a warp for wide accesses, sectors of 32 bytes.
#include "kernels/own/access_pattern.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

Q_DECLARE_METATYPE(tileloom::own::PatternRequest)

namespace tileloom::own {

using test::q;

class AccessPatternTest : public QObject {
  Q_OBJECT

  static AccessPattern made(const PatternRequest& request) {
    auto pattern = accessPattern(request);
    if (!pattern) QTest::qFail(pattern.error().c_str(), __FILE__, __LINE__);
    return pattern ? std::move(*pattern) : AccessPattern{};
  }
  static std::string errorOf(const PatternRequest& request) {
    const auto pattern = accessPattern(request);
    return pattern ? std::string("none") : pattern.error();
  }

 private slots:
  void shared_data() {
    QTest::addColumn<PatternRequest>("request");
    QTest::addColumn<int>("wavefronts");
    QTest::addColumn<int>("ideal");
    const auto row = [](const char* name, int wavefronts, int ideal, PatternRequest request) {
      QTest::newRow(name) << request << wavefronts << ideal;
    };
    using enum PatternKind;
    row("consecutive floats", 1, 1, {.text = "lane"});
    row("one word for all", 1, 1, {.text = "0 * lane"});
    // 8 lanes that are served together are all in banks 0 to 3: 8 wavefronts per quarter.
    row("16 bytes at a stride of 128", 32, 4, {.text = "lane * 8", .bytes = 16});
    row("the same as bytes", 32, 4, {.text = "lane * 128", .bytes = 16, .element = 1});
    row("16 bytes without a gap", 4, 4, {.text = "lane", .bytes = 16});
    row("a column of a tile with 32 columns", 32, 1, {.text = "lane * 32"});
    row("a column of a tile with 33 columns", 1, 1, {.text = "lane * 33"});
    row("a column of 32 columns, padded by 1", 1, 1,
        {.text = "lane * 32", .padding = PatternPadding{32, 1}});
    // Bank 3 has lanes 3, 10, 17 and 24: (lane % 8) + lane / 8 is 3.
    row("8 columns of a tile with 33 columns", 4, 1,
        {.text = "lane -> (lane % 8) * 33 + lane / 8"});
    // Half warps: 16 lanes of 8 bytes are 32 words.
    row("8 bytes, half warps", 2, 2, {.text = "lane", .bytes = 8});
    // Lanes 0 and 8 of a half are in the same banks.
    row("8 bytes at a stride of 16", 4, 2, {.text = "lane * 2", .bytes = 8});
    row("8 bytes, pairs of lanes", 1, 1, {.text = "lane / 2", .bytes = 8});
    row("8 bytes, a store of pairs", 2, 2, {.text = "lane / 2", .bytes = 8, .kind = Store});
    row("2 bytes, two lanes per word", 1, 1, {.text = "lane", .bytes = 2});
    row("2 bytes at a stride of 64 elements", 32, 1, {.text = "lane * 64", .bytes = 2});
    // Rows of 64 16-bit elements are 128 bytes: the 8 rows of a matrix are in the same banks.
    row("ldmatrix.x4, rows of 64", 32, 4, {.text = "lane * 64", .bytes = 16, .kind = Ldmatrix4});
    row("ldmatrix.x4, rows of 64, Swizzle<3,3,3>", 4, 4,
        {.text = "lane * 64",
         .bytes = 16,
         .kind = Ldmatrix4,
         .swizzle = analysis::Swizzle{3, 3, 3}});
    row("ldmatrix.x2", 16, 2, {.text = "lane * 64", .bytes = 16, .kind = Ldmatrix2});
    row("ldmatrix.x1", 8, 1, {.text = "lane * 64", .bytes = 16, .kind = Ldmatrix1});
    row("Swizzle<3,3,3> of a composition", 1, 1,
        {.text = "Swizzle<3,3,3> o 0 o 8:64", .bytes = 16, .kind = Ldmatrix1});
    row("ldmatrix.x1, rows of 8", 1, 1, {.text = "lane * 8", .bytes = 16, .kind = Ldmatrix1});
    row("Swizzle<5,0,5> of words", 1, 1,
        {.text = "lane * 32", .swizzle = analysis::Swizzle{5, 0, 5}, .unit = SwizzleUnit::Word});
    row("addresses far up", 1, 1, {.text = "0x7f0000001000 0x7f0000001004"});
    row("cp.async of 16 bytes", 4, 4, {.text = "lane", .bytes = 16, .kind = AsyncCopy});
    // Rule 19: each of 8 lanes of a quarter joins another line of the matrix with the same line.
    row("cp.async of 16 bytes from a column", 32, 4,
        {.text = "lane from lane * 1024", .bytes = 16, .kind = AsyncCopy});
    // Rule 18: (32 - 1) conflicts in the banks, none in the line that is read.
    row("cp.async of all lanes to one place", 1, 1,
        {.text = "32 from !lane < 8", .bytes = 16, .kind = AsyncCopy});
    row("cp.async of 4 bytes into a column", 32, 1, {.text = "lane * 32", .kind = AsyncCopy});
  }
  void shared() {
    QFETCH(PatternRequest, request);
    QFETCH(int, wavefronts);
    QFETCH(int, ideal);
    const AccessPattern pattern = made(request);
    QVERIFY(!pattern.accesses.empty());
    QCOMPARE(int(pattern.sum.wavefronts), wavefronts);
    QCOMPARE(int(pattern.sum.ideal), ideal);
    QCOMPARE(pattern.accesses[0].extra(), std::uint32_t(wavefronts - ideal));
  }

  void global_data() {
    QTest::addColumn<PatternRequest>("request");
    QTest::addColumn<int>("sectors");
    QTest::addColumn<int>("ideal");
    QTest::addColumn<int>("lines");
    QTest::addColumn<int>("bytes");
    const auto row = [](const char* name, PatternRequest request, int sectors, int ideal, int lines,
                        int bytes) {
      request.memory = PatternMemory::Global;
      QTest::newRow(name) << request << sectors << ideal << lines << bytes;
    };
    row("consecutive floats", {.text = "lane"}, 4, 4, 1, 128);
    row("one float off", {.text = "lane + 1"}, 5, 4, 2, 128);
    row("consecutive float4", {.text = "lane", .bytes = 16}, 16, 16, 4, 512);
    row("a column", {.text = "lane * 1024"}, 32, 4, 32, 128);
    row("every second float", {.text = "lane * 2"}, 8, 4, 2, 128);
    row("bytes", {.text = "lane", .bytes = 1}, 1, 1, 1, 32);
    row("bytes at a stride of 32", {.text = "lane * 32", .bytes = 1}, 32, 1, 8, 32);
    row("one float for all", {.text = "0 * lane"}, 1, 1, 1, 4);
    row("16-bit numbers of 8 lanes", {.text = "lane if lane < 8", .bytes = 2}, 1, 1, 1, 16);
  }
  void global() {
    QFETCH(PatternRequest, request);
    QFETCH(int, sectors);
    QFETCH(int, ideal);
    QFETCH(int, lines);
    QFETCH(int, bytes);
    const PatternSum sum = made(request).sum;
    QCOMPARE(int(sum.sectors), sectors);
    QCOMPARE(int(sum.idealSectors), ideal);
    QCOMPARE(int(sum.lines), lines);
    QCOMPARE(int(sum.usedBytes), bytes);
    QCOMPARE(sum.requests, std::uint64_t(1));
  }

  void stepsAddUp() {
    const AccessPattern p = made(
        {.text = "(lane, warp, step) -> lane * (1 + step) + warp * 64", .warps = 2, .steps = 4});
    QCOMPARE(p.accesses.size(), std::size_t(8));
    // Strides of 1, 2, 3 and 4 words: 1, 2, 1 and 4 wavefronts, for two warps.
    QCOMPARE(p.sum.wavefronts, std::uint64_t(16));
    QCOMPARE(p.sum.ideal, std::uint64_t(8));
    QCOMPARE(p.accesses[7].step, 3u);
    QCOMPARE(p.accesses[7].warp, 1u);
  }

  void unitsOfSwizzles() {
    const analysis::Swizzle elements{3, 3, 3};
    QCOMPARE(inUnitsOf(elements, 2, 1), (analysis::Swizzle{3, 4, 3}));
    QCOMPARE(inUnitsOf(elements, 2, 4), (analysis::Swizzle{3, 2, 3}));
    QCOMPARE(inUnitsOf({2, 0, 4}, 2, 4), std::nullopt);  // it moves halves of words
    QCOMPARE(made({.text = "lane", .bytes = 2, .swizzle = elements}).swizzle,
             (analysis::Swizzle{3, 4, 3}));
    QCOMPARE(made({.text = "lane * 8",
                   .bytes = 16,
                   .kind = PatternKind::Ldmatrix1,
                   .swizzle = analysis::Swizzle{3, 4, 3},
                   .unit = SwizzleUnit::Byte})
                 .request.element,
             2u);
  }

  void errors_data() {
    QTest::addColumn<PatternRequest>("request");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* part, PatternRequest request) {
      QTest::newRow(part) << request << part;
    };
    using enum PatternKind;
    row("3 bytes per lane are not possible", {.text = "lane", .bytes = 3});
    row("an element of 32 bytes", {.text = "lane", .element = 32});
    row("lane 1 begins at byte 4, which is not a multiple of the 16 bytes that it accesses",
        {.text = "lane", .bytes = 16, .element = 4});
    row("lane 0 has the index -1", {.text = "lane - 1"});
    row("ldmatrix reads a row of 16 bytes", {.text = "lane", .bytes = 4, .kind = Ldmatrix4});
    row("only 4 and 16 bytes per lane have been measured",
        {.text = "lane", .bytes = 8, .kind = AsyncCopy});
    row("choose load or store for global memory",
        {.text = "lane", .kind = AsyncCopy, .memory = PatternMemory::Global});
    row("the pattern has a swizzle already",
        {.text = "Sw<1,2,3> o 0 o 32:1", .swizzle = analysis::Swizzle{1, 2, 3}});
    row("only cp.async has a source", {.text = "lane from lane"});
    row("behind \"from\":", {.text = "lane from x", .kind = AsyncCopy});
    row("more than 8 GiB apart", {.text = "lane * 1000000000"});
    row("too large for an address", {.text = "lane << 55"});
    row("the source: lane 3 has", {.text = "lane from 2 - lane if lane == 3", .kind = AsyncCopy});
    row("33 warps are too many", {.text = "lane", .warps = 33});
  }
  void errors() {
    QFETCH(PatternRequest, request);
    QFETCH(QString, part);
    const std::string why = errorOf(request);
    QVERIFY2(q(why).contains(part), why.c_str());
    QVERIFY2(!why.ends_with('.'), why.c_str());
  }

  void paddings() {
    QCOMPARE(parsePadding("32,1"), (PatternPadding{32, 1}));
    QCOMPARE(parsePadding("64, 8"), (PatternPadding{64, 8}));
    for (const char* text : {"", "32", "0,1", "32,-1", "32,1x", "a,b", "99999999,1"})
      QVERIFY2(!parsePadding(text), text);
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::AccessPatternTest, Nothing)
#include "access_pattern_test.moc"
