// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/file_identity.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/support/test_class.h"

namespace tileloom {
namespace fs = std::filesystem;

class FileIdentityTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  fs::path in(const char* name) const { return m_folder.filePath(name).toStdString(); }
  static void put(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }

 private slots:
  void anotherBuildIsAnother() {
    for (const std::size_t size : {std::size_t{1}, std::size_t{4095}, std::size_t{4096},
                                   std::size_t{4097}, std::size_t{100'000}, std::size_t{262'144}}) {
      std::string text(size, 'x');
      put(in("one"), text);
      const std::string one = fileIdentity(in("one"));
      QVERIFY(!one.empty());
      put(in("copy"), text);
      QCOMPARE(fileIdentity(in("copy")), one);  // wherever and whenever it was installed
      std::set<std::string> all = {one};
      // Any byte of a small file.
      std::size_t changed = 0;
      for (std::size_t at = 0; at < size; at += std::max<std::size_t>(1, size / 9), ++changed) {
        text[at] = 'y';
        put(in("one"), text);
        all.insert(fileIdentity(in("one")));
        text[at] = 'x';
      }
      QCOMPARE(all.size(), changed + 1);
      put(in("one"), text + 'x');
      QVERIFY(!all.contains(fileIdentity(in("one"))));
    }
  }

  // For a large file: the beginning, the end and the size, without reading all of it.
  void aLargeLibrary() {
    put(in("large"), "head");
    fs::resize_file(in("large"), std::uintmax_t{1} << 32);
    QElapsedTimer clock;
    clock.start();
    const std::string before = fileIdentity(in("large"));
    QVERIFY(clock.elapsed() < 1000);
    std::fstream stream(in("large"), std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(-1, std::ios::end);
    stream << 'x';
    stream.close();
    const std::string end = fileIdentity(in("large"));
    put(in("other"), "HEAD");
    fs::resize_file(in("other"), std::uintmax_t{1} << 32);
    const std::string head = fileIdentity(in("other"));
    fs::resize_file(in("other"), (std::uintmax_t{1} << 32) + 1);
    QCOMPARE((std::set<std::string>{before, end, head, fileIdentity(in("other"))}.size()),
             std::size_t{4});
  }

  void whatIsNotThere() {
    QCOMPARE(fileIdentity(in("none")), std::string());
    QCOMPARE(fileIdentity(m_folder.path().toStdString()), std::string());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FileIdentityTest, Nothing)
#include "file_identity_test.moc"
