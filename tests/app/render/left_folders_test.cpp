// SPDX-License-Identifier: GPL-3.0-or-later
// Only those folders in a place are removed that a killed film has left there.
#include "app/export/left_folders.h"

#include <utime.h>

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <ctime>

#include "tests/support/test_class.h"
#include "viz/base/text/text.h"

namespace tileloom::test {

class LeftFoldersTest : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_place;

  QString at(const QString& path) const { return m_place->filePath(path); }
  void put(const QString& path, bool old = true) const {
    QDir().mkpath(QFileInfo(at(path)).path());
    QFile file(at(path));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
    file.close();
    if (old) age(path);
  }
  void age(const QString& path) const {
    const std::time_t then = std::time(nullptr) - 2 * 3600;
    const utimbuf times{then, then};
    QCOMPARE(::utime(QFile::encodeName(at(path)).constData(), &times), 0);
  }
  void look() const { removeLeftFolders(fileNamed(m_place->path())); }

 private slots:
  void init() { m_place = std::make_unique<QTemporaryDir>(); }

  void aFilmThatWasKilled() {
    put(".tileloom-aB3dE6/animation.mp4");
    age(".tileloom-aB3dE6");
    put(".tileloom-000000/frames/frame_00000.png");
    put(".tileloom-000000/frames/frame_00001.png");
    age(".tileloom-000000/frames");
    age(".tileloom-000000");
    QDir().mkdir(at(".tileloom-empty1"));
    age(".tileloom-empty1");
    look();
    QVERIFY(QDir(m_place->path())
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                .isEmpty());
  }

  void allElseStays_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("old");
    QTest::newRow("a film that goes on") << ".tileloom-aB3dE6/animation.mp4" << false;
    QTest::newRow("pictures that go on") << ".tileloom-aB3dE6/frames/frame_00007.png" << false;
    QTest::newRow("a user's file") << ".tileloom-aB3dE6/thesis.tex" << true;
    QTest::newRow("a user's picture") << ".tileloom-aB3dE6/frames/holiday.png" << true;
    QTest::newRow("a folder deeper") << ".tileloom-aB3dE6/frames/more/frame_00000.png" << true;
    QTest::newRow("another name") << ".tileloom-aB3dE/animation.mp4" << true;
    QTest::newRow("no hidden folder") << "tileloom-aB3dE6/animation.mp4" << true;
  }
  void allElseStays() {
    QFETCH(const QString, file);
    QFETCH(const bool, old);
    put(file, old);
    for (QString folder = QFileInfo(file).path(); folder != "."; folder = QFileInfo(folder).path())
      age(folder);
    look();
    QVERIFY(QFile::exists(at(file)));
  }

  void noLinkIsFollowed() {
    put("kept/animation.mp4");
    put("kept/frames/frame_00000.png");
    QVERIFY(QFile::link(at("kept"), at(".tileloom-aB3dE6")));
    QDir().mkdir(at(".tileloom-bbbbbb"));
    QVERIFY(QFile::link(at("kept/frames"), at(".tileloom-bbbbbb/frames")));
    age(".tileloom-bbbbbb");
    QDir().mkdir(at(".tileloom-cccccc"));
    QVERIFY(QFile::link(at("kept/animation.mp4"), at(".tileloom-cccccc/animation.mp4")));
    age(".tileloom-cccccc");
    look();
    QVERIFY(QFile::exists(at("kept/animation.mp4")));
    QVERIFY(QFile::exists(at("kept/frames/frame_00000.png")));
    for (const char* name : {".tileloom-aB3dE6", ".tileloom-bbbbbb", ".tileloom-cccccc"})
      QVERIFY(QFileInfo(at(name)).exists());
  }

  void aPlaceThatIsNotThere() { removeLeftFolders(fileNamed(at("no/such/folder"))); }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LeftFoldersTest, Nothing)
#include "left_folders_test.moc"
