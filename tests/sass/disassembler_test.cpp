// SPDX-License-Identifier: GPL-3.0-or-later
// A disassembler that is missing, fails, hangs, floods or prints nonsense; no real one is needed.
#include "kernels/sass/disassembler.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/sass/fixtures.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace sass;
using namespace std::chrono_literals;

class DisassemblerTest : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;
  QByteArray m_path = qgetenv("PATH");

  QString script(const QString& name, const QByteArray& body, bool runs = true) {
    const QString path = m_folder->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write a script");
    file.write("#!/bin/sh\n" + body);
    file.close();
    if (runs) file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
  }
  Result<Disassembler> fake(const QByteArray& body, const QString& name = "nvdisasm") {
    qputenv("TILELOOM_NVDISASM", script(name, body).toUtf8());
    return Disassembler::find();
  }
  static QByteArray print(const QString& fixture) {
    return QByteArray("cat '" TILELOOM_FIXTURES "/") + fixture.toUtf8() + "'\n";
  }
  static constexpr std::string_view kCubin = "no cubin at all";
  static std::span<const char> cubin() { return {kCubin.data(), kCubin.size()}; }

 private slots:
  void init() {
    qunsetenv("TMPDIR");  // or the new folder would be within the old one
    m_folder = std::make_unique<QTemporaryDir>();
    qunsetenv("TILELOOM_NVDISASM");
    qputenv("PATH", m_path);
    qputenv("TMPDIR", m_folder->path().toUtf8());
  }
  void cleanup() {
    // Whatever happened, no cubin is left behind, and none was ever written.
    QVERIFY(QDir(m_folder->path())
                .entryList({"tileloom-*", ".tileloom-*"}, QDir::Files | QDir::Hidden)
                .isEmpty());
  }

  void switchedOff() {
    qputenv("TILELOOM_NVDISASM", "none");
    const auto found = Disassembler::find();
    QVERIFY(!found.has_value());
    QCOMPARE(found.error().trouble, Trouble::Missing);
    QVERIFY(q(found.error().text).contains("TILELOOM_NVDISASM=none"));
  }

  void aPathThatIsNoProgram() {
    for (const QString& path : {QString("/proc/no/such/nvdisasm"), m_folder->path(),
                                script("nvdisasm", "exit 0\n", false)}) {
      qputenv("TILELOOM_NVDISASM", path.toUtf8());
      const auto found = Disassembler::find();
      QVERIFY(!found.has_value());
      QVERIFY2(q(found.error().text).contains(path), found.error().text.c_str());
    }
  }

  void onThePath() {
    script("cuobjdump", print("naive.cuobjdump.txt"));
    qputenv("PATH", m_folder->path().toUtf8() + ":/usr/bin:/bin");
    const auto second = Disassembler::find();
    QVERIFY(second.has_value());
    if (q(second->path()).endsWith("nvdisasm")) QSKIP("NOT TESTED: there is a real nvdisasm here");
    QCOMPARE(q(second->path()), m_folder->filePath("cuobjdump"));
    const auto listing = second->disassemble(cubin());
    QVERIFY(listing.has_value() && !listing->hasLive());
    const QString nvdisasm = script("nvdisasm", print("naive.life-ranges.txt"));
    const auto first = Disassembler::find();
    QCOMPARE(q(first->path()), nvdisasm);
  }

  void whatItPrintsIsRead() {
    const auto d = fake(
        "test \"$1\" = --version && { echo 'Cuda compilation tools, release 13.0, "
        "V13.0.85'; exit 0; }\n" +
        print("naive.life-ranges.txt"));
    QVERIFY(d.has_value());
    QCOMPARE(q(d->tool()), QString("nvdisasm 13.0.85"));
    const auto listing = d->disassemble(cubin());
    QVERIFY(listing.has_value());
    QCOMPARE(listing->instructions.size(), std::size_t{92});
  }

  void itGetsTheCubin() {
    // It gets the file's whole content, and no standard input.
    const auto d = fake("for last; do :; done\ncmp \"$last\" '" + script("wanted", "").toUtf8() +
                        "' || exit 7\nread line && exit 8\n" + print("naive.plain.txt"));
    QFile wanted(m_folder->filePath("wanted"));
    QVERIFY(wanted.open(QIODevice::WriteOnly | QIODevice::Truncate));
    wanted.write(kCubin.data(), qsizetype(kCubin.size()));
    wanted.close();
    const auto listing = d->disassemble(cubin());
    QVERIFY2(listing.has_value(), listing ? "" : listing.error().text.c_str());
  }

  void anOlderOneWithoutLifeRanges() {
    const auto d = fake("case \"$*\" in *lrm*) echo 'unknown option' >&2; exit 1;; esac\n" +
                        print("naive.plain.txt"));
    const auto listing = d->disassemble(cubin());
    QVERIFY(listing.has_value() && !listing->hasLive());
    QCOMPARE(q(d->tool()), QString("nvdisasm"));  // it does not say
  }

  void itFails() {
    const auto d = fake("echo 'nvdisasm fatal   : Object file appears truncated' >&2\nexit 1\n");
    const auto listing = d->disassemble(cubin());
    QVERIFY(!listing.has_value());
    QVERIFY2(q(listing.error().text).contains("status 1: nvdisasm fatal"),
             listing.error().text.c_str());
    QVERIFY(!q(listing.error().text).contains('\n'));
  }

  void itCrashes() {
    const auto d = fake("kill -SEGV $$\n");
    const auto listing = d->disassemble(cubin());
    QVERIFY(!listing.has_value());
    QVERIFY2(q(listing.error().text).contains("status 139"), listing.error().text.c_str());
  }

  void itPrintsNonsense() {
    const auto listing = fake("echo nothing to see\n")->disassemble(cubin());
    QVERIFY(!listing.has_value());
    QCOMPARE(listing.error().trouble, Trouble::Unsupported);
  }

  void itHangs_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("silently") << QByteArray("sleep 60\n");
    QTest::newRow("with a child that holds the pipe") << QByteArray("sleep 60 & sleep 60\n");
    QTest::newRow("with its output closed") << QByteArray("exec >&- 2>&-\nsleep 60\n");
    QTest::newRow("deaf to signals") << QByteArray("trap '' TERM INT\nsleep 60\n");
  }
  void itHangs() {
    QFETCH(QByteArray, body);
    const auto d = fake(body);
    QElapsedTimer clock;
    clock.start();
    const auto listing = d->disassemble(cubin(), 300ms);
    QVERIFY(clock.elapsed() < 10000);
    QVERIFY(!listing.has_value());
    QCOMPARE(listing.error().trouble, Trouble::Failed);
    QVERIFY2(q(listing.error().text).contains("did not end within 0.3 seconds"),
             listing.error().text.c_str());
  }

  void itFloods() {
    const auto listing =
        fake("exec yes 0123456789012345678901234567890123456789\n")->disassemble(cubin());
    QVERIFY(!listing.has_value());
    QVERIFY2(q(listing.error().text).contains("printed more than"), listing.error().text.c_str());
  }

  // It reads the whole cubin, from the beginning each time, and no folder is needed for that.
  void itIsHandedTheCubin() {
    const auto d = fake("for file; do :; done\ncat \"$file\" >> '" +
                        m_folder->filePath("seen").toUtf8() + "'\n" + print("naive.plain.txt"));
    qputenv("TMPDIR", "/proc/self/no");
    const std::string large(300000, 'x');
    QVERIFY(d->disassemble({large.data(), large.size()}).has_value());
    QFile seen(m_folder->filePath("seen"));
    QVERIFY(seen.open(QIODevice::ReadOnly));
    const QByteArray all = seen.readAll();
    QVERIFY(!all.isEmpty() && all.size() % 300000 == 0 && all.count('x') == all.size());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::DisassemblerTest, Nothing)
#include "disassembler_test.moc"
