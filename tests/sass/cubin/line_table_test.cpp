// SPDX-License-Identifier: GPL-3.0-or-later
// The table of source lines, made by hand: operations, inlined functions, and damage.
#include "kernels/sass/cubin/line_table.h"

#include <QtTest>

#include "tests/support/elf_file.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class LineTableTest : public QObject {
  Q_OBJECT

  using Bytes = std::vector<std::uint8_t>;

  static void append(std::vector<char>& to, const Bytes& bytes) {
    for (const std::uint8_t byte : bytes) to.push_back(static_cast<char>(byte));
  }
  static void append(std::vector<char>& to, const char* text) {
    to.insert(to.end(), text, text + std::strlen(text) + 1);
  }

  // A file with the kernel "k", whose line table has these operations after its address.
  static std::vector<char> fileWith(const Bytes& operations, std::uint16_t version = 2) {
    std::vector<char> header;
    append(header, Bytes{1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1});
    append(header, "/src");
    append(header, Bytes{0});
    append(header, "k.cu");
    append(header, Bytes{1, 0, 0});
    append(header, "inner.cuh");
    append(header, Bytes{1, 0, 0, 0});
    std::vector<char> table;
    put(table, 0, std::uint32_t{0});
    put(table, 4, version);
    put(table, 6, static_cast<std::uint32_t>(header.size()));
    table.insert(table.end(), header.begin(), header.end());
    append(table, Bytes{0, 9, 2});
    const std::size_t address = table.size();
    append(table, Bytes(8, 0));
    append(table, operations);
    append(table, Bytes{0, 1, 1});
    put(table, 0, static_cast<std::uint32_t>(table.size() - 4));
    ElfFile elf(90);
    const auto text = elf.section(".text.k", 1, std::vector<char>(256));
    const std::uint32_t k = elf.symbol("k", text, 0, 256);
    elf.section(".debug_line", 1, table);
    std::vector<char> names;
    append(names, "_Z5outerf");
    append(names, "_Z5innerf");
    elf.section(".debug_str", 1, names);
    elf.relocation(".debug_line", address, 2, k);
    return elf.made();
  }

  // "k.cu:4 in function, …" of the instruction at this address.
  static QString textOf(const std::vector<char>& file, std::uint32_t address) {
    const auto elf = Elf::read(file);
    if (!elf) return q(elf.error());
    const std::vector<std::uint32_t> symbols = {1};
    const auto tables = lineTablesOf(*elf, symbols);
    QStringList places;
    for (const SourcePlace& each : tables[0].at(address))
      places += QString("%1:%2%3")
                    .arg(q(each.file))
                    .arg(each.line)
                    .arg(each.function.empty() ? QString() : " in " + q(each.function));
    return places.join(", ");
  }

 private slots:
  void linesOfOneFunction() {
    // Line 5 at 0; then special operations: 16 bytes on and 1 line down (240), 16 and 3 down (242).
    const auto file = fileWith({3, 4, 1, 240, 242, 2, 0x90, 1, 3, 0x7e, 1, 8, 9, 8, 0, 1});
    QCOMPARE(textOf(file, 0x00), QString("/src/k.cu:5"));
    QCOMPARE(textOf(file, 0x08), QString("/src/k.cu:5"));
    QCOMPARE(textOf(file, 0x10), QString("/src/k.cu:6"));
    QCOMPARE(textOf(file, 0x20), QString("/src/k.cu:9"));
    // 144 bytes on, two lines up; then the distance of operation 255 (17) and 8 bytes.
    QCOMPARE(textOf(file, 0xb0), QString("/src/k.cu:7"));
    QCOMPARE(textOf(file, 0xc9), QString("/src/k.cu:7"));
  }

  // Row 2 is a line of outer(), inlined at row 1; row 3 one of inner(), inlined at row 2.
  void inlinedFunctions() {
    const auto file = fileWith({3, 9, 1,    0, 3, 0x90, 1,    0, 3, 0x7d, 1, 0, 3,  0x90, 2,  10, 4,
                                2, 3, 0x7b, 1, 0, 3,    0x90, 0, 0, 4,    1, 3, 10, 2,    16, 1});
    QCOMPARE(textOf(file, 0x00),
             QString("/src/inner.cuh:2 in _Z5innerf, /src/k.cu:7 in _Z5outerf, /src/k.cu:10"));
    QCOMPARE(textOf(file, 0x10), QString("/src/k.cu:12"));
  }

  void whatSaysNothing() {
    QCOMPARE(textOf(fileWith({}), 0), QString());
    QCOMPARE(textOf(fileWith({3, 4, 1}, 5), 0), QString());
    // A caller that is not an earlier row.
    QCOMPARE(textOf(fileWith({3, 4, 0, 3, 0x90, 1, 0, 1}), 0), QString("/src/k.cu:5"));
  }

  void damaged() {
    const auto good = fileWith({3, 9, 1, 0, 3, 0x90, 1, 0, 3, 0x7d, 1, 4, 9, 240, 9, 1, 0, 1});
    for (std::size_t at = 0; at < good.size(); ++at) {
      for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
        auto bad = good;
        bad[at] = static_cast<char>(value);
        for (const std::uint32_t address : {0u, 0x10u, 0xffffffffu}) (void)textOf(bad, address);
      }
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LineTableTest, Nothing)
#include "line_table_test.moc"
