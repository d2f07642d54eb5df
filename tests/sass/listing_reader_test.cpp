// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code is read by this program, a tool that is named, or a tool that is found. The tools
// are scripts.
#include "kernels/sass/listing_reader.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "kernels/sass/machine_code.h"
#include "kernels/sass/read_listing.h"
#include "tests/sass/fixtures.h"
#include "tests/support/cubin_file.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;

class ListingReaderTest : public QObject {
  Q_OBJECT

  using Words = std::vector<std::array<std::uint64_t, 2>>;

  std::unique_ptr<QTemporaryDir> m_folder;
  QByteArray m_path = qgetenv("PATH");

  static constexpr std::array<std::uint64_t, 2> kRead{0x0000000000037919, 0x000e620000002500};
  static constexpr std::array<std::uint64_t, 2> kExit{0x000000000000794d, 0x000fea0003800000};
  static constexpr std::array<std::uint64_t, 2> kUnknown{0x0000000000000fff, 0x000fc00000000000};

  static std::vector<char> known() { return CubinFile{}.with(Words{kRead, kExit}); }
  static std::vector<char> unknown() { return CubinFile{}.with(Words{kRead, kUnknown, kExit}); }

  // A tool that prints the listing of 92 instructions, whatever it gets.
  QByteArray script() {
    const QString path = m_folder->filePath("nvdisasm");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write a script");
    file.write(
        "#!/bin/sh\ntest \"$1\" = --version && { echo 'Cuda compilation tools, release 13.0, "
        "V13.0.85'; exit 0; }\ncat '" TILELOOM_FIXTURES "/naive.life-ranges.txt'\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path.toUtf8();
  }
  static Result<ReadListing> read(const std::vector<char>& cubin) {
    const auto reader = ListingReader::find();
    if (!reader) return tl::unexpected(reader.error());
    return reader->read(cubin);
  }

 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    qunsetenv("TILELOOM_NVDISASM");
    qputenv("PATH", m_path);
  }
  void cleanupTestCase() { qputenv("PATH", m_path); }

  // With a tool on the PATH, too.
  void thisProgramIsFirst() {
    script();
    qputenv("PATH", m_folder->path().toUtf8() + ":/usr/bin:/bin");
    for (const char* setting : {"", "none"}) {
      qputenv("TILELOOM_NVDISASM", setting);
      const auto got = read(known());
      QVERIFY2(got.has_value(), got ? "" : got.error().text.c_str());
      QCOMPARE(q(got->tool), QString("Tileloom"));
      QCOMPARE(q(got->listing.kernel), QString("k"));
      QCOMPARE(got->listing.instructions.size(), std::size_t{2});
      QCOMPARE(q(got->listing.instructions[0].text()), QString("S2R R3, SR_CTAID.X"));
      QVERIFY(got->listing.hasLive() && !got->listing.hasLines());
      QCOMPARE(got->listing.mostLive(), 2);
    }
  }

  void aToolThatIsNamedReadsAll() {
    qputenv("TILELOOM_NVDISASM", script());
    for (const auto& cubin : {known(), unknown()}) {
      const auto got = read(cubin);
      QVERIFY2(got.has_value(), got ? "" : got.error().text.c_str());
      QCOMPARE(q(got->tool), QString("nvdisasm 13.0.85"));
      QCOMPARE(got->listing.instructions.size(), std::size_t{92});
    }
  }

  void aNameThatIsNoProgram() {
    qputenv("TILELOOM_NVDISASM", "/proc/no/such/tool");
    const auto got = read(known());
    QVERIFY(!got.has_value());
    QVERIFY2(q(got.error().text).contains("/proc/no/such/tool"), got.error().text.c_str());
  }

  void anUnknownWordIsForTheTool() {
    script();
    qputenv("PATH", m_folder->path().toUtf8() + ":/usr/bin:/bin");
    const auto got = read(unknown());
    QVERIFY2(got.has_value(), got ? "" : got.error().text.c_str());
    QCOMPARE(q(got->tool), QString("nvdisasm 13.0.85"));
    QCOMPARE(got->listing.instructions.size(), std::size_t{92});
  }

  // Its address, its bits, and what to do.
  void anUnknownWordWithoutATool() {
    qputenv("TILELOOM_NVDISASM", "none");
    const auto off = read(unknown());
    QVERIFY(!off.has_value());
    QCOMPARE(off.error().trouble, Trouble::Unsupported);
    for (const char* part : {"0x0010", "0xfff", "0x000fc000000000000000000000000fff",
                             "TILELOOM_NVDISASM=none: unset it"})
      QVERIFY2(q(off.error().text).contains(part), off.error().text.c_str());
    qunsetenv("TILELOOM_NVDISASM");
    qputenv("PATH", m_folder->path().toUtf8());
    const auto missing = read(unknown());
    if (missing) QSKIP("NOT TESTED: a folder of a toolkit has a real tool");
    for (const char* part : {"0x0010", "0x000fc000000000000000000000000fff", "cuda-nvdisasm-13-0"})
      QVERIFY2(q(missing.error().text).contains(part), missing.error().text.c_str());
  }

  void whatIsNotACubin() {
    qputenv("TILELOOM_NVDISASM", "none");
    for (const std::string_view text : {"", "no cubin at all"}) {
      const auto got = read({text.begin(), text.end()});
      QVERIFY(!got.has_value());
      QVERIFY2(q(got.error().text).contains("ELF"), got.error().text.c_str());
    }
    const auto empty = readListing(CubinFile{}.with(Words{}));
    QVERIFY(!empty.has_value());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ListingReaderTest, Nothing)
#include "listing_reader_test.moc"
