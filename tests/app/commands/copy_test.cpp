// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom copy`: both files, and what it refuses.
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class CopyTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

 private slots:
  void bothFiles() {
    const QString file = m_folder.filePath("mine.cu");
    const Said said = runTileloom({"copy", "warptiled", "--tile", "BK=8", file});
    QVERIFY2(said.status == 0, said.err);
    QVERIFY(said.out.contains("mine.launch.json"));
    const QByteArray source = Surroundings::read(file);
    QVERIFY(source.contains("#define BK 8\n") && !source.contains("#include \""));
    const QByteArray launch = Surroundings::read(m_folder.filePath("mine.launch.json"));
    QVERIFY(launch.contains("\"kernel\": \"warptiled\""));
    const Said again = runTileloom({"copy", "warptiled", file});
    QCOMPARE(again.status, 2);
    QVERIFY(again.err.contains("which is not replaced"));
  }

  void refused() {
    const Said name = runTileloom({"copy", "naive", m_folder.filePath("mine.txt")});
    QVERIFY(name.status == 2 && name.err.contains("NAME.cu"));
    const Said parts = runTileloom({"copy", "rewritten", m_folder.filePath("parts.cu")});
    QVERIFY2(parts.status == 2 && parts.err.contains("splits tiles along K"), parts.err);
    QVERIFY(!QFile::exists(m_folder.filePath("parts.cu")));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CopyTest, Nothing)
#include "copy_test.moc"
