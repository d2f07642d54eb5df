// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom render` as a user calls it, without a display.
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>
#include <set>

#include "tests/app/program.h"

namespace tileloom::test {

class RenderTest : public QObject {
  Q_OBJECT

  static std::size_t colours(const QImage& image) {
    std::set<QRgb> seen;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) seen.insert(image.pixel(x, y));
    }
    return seen.size();
  }

  static QStringList words(const QString& line) { return line.split(' ', Qt::SkipEmptyParts); }

  static QByteArray contents(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }

 private slots:
  void writes_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSize>("size");  // of a PNG
    const auto row = [](const char* line, const char* name, QSize size = {}) {
      QTest::newRow(qPrintable(QString("%1 %2").arg(line, name))) << line << name << size;
    };
    row("loom --stage warptiled", "a.png", {1200, 1000});
    row("loom --stage warptiled", "a.svg");
    row("loom --stage k10 --theme light", "a.pdf");
    row("banks --stage 8", "b.png", {1200, 420});
    row("banks --stage naive --step 40 --warp 31", "b.svg");
    row("banks --stage 5 --lane 3", "b.pdf");
    row("loom --stage 8 --grid --width 400 --height 300 --scale 2", "c.png", {800, 600});
    row("loom --stage 8 --tile BM=64,BN=64,WM=32,WN=32,WNITER=1 --size 500 --block 1,2", "d.png",
        {1200, 1000});
    row("banks --stage 8 --theme contrast --text 200", "b2.png", {1200, 420});
    row("window --stage warptiled", "w.png", {1600, 1000});
    row("window --stage warptiled --theme contrast --text 300", "w3.png", {1600, 1000});
    row("window --stage 3 --size 100x90x80 --block 1,2 --theme light --width 1300 --height 800 "
        "--warp 3 --step 50 --lane 4 --grid",
        "w.PNG", {1300, 800});
  }
  void writes() {
    QFETCH(QString, line);
    QFETCH(QString, name);
    QFETCH(QSize, size);
    const QTemporaryDir folder;
    const QString file = folder.filePath(name);
    const Said said = runTileloom(QStringList{"render"} + words(line) + QStringList{"--out", file});
    QVERIFY2(said.status == 0, said.err.constData());
    QCOMPARE(said.out, file.toUtf8() + '\n');
    const QByteArray bytes = contents(file);
    QVERIFY(bytes.size() > 2000);
    if (!size.isEmpty()) {
      const QImage image(file);
      QCOMPARE(image.size(), size);
      QVERIFY(colours(image) > 40);
    } else if (name.endsWith(".svg")) {
      QVERIFY(bytes.contains("<svg") && bytes.contains("</svg>"));
    } else {
      QVERIFY(bytes.startsWith("%PDF-1."));
    }
  }

  // Without a step it is the first shared load; the same command gives the same picture.
  void isRepeatable() {
    const QTemporaryDir folder;
    const QString one = folder.filePath("1.png"), two = folder.filePath("2.png"),
                  other = folder.filePath("3.png");
    QCOMPARE(runTileloom({"render", "banks", "--stage", "8", "--out", one}).status, 0);
    QCOMPARE(runTileloom({"render", "banks", "--stage", "8", "--out", two}).status, 0);
    QCOMPARE(runTileloom({"render", "banks", "--stage", "8", "--step", "0", "--out", other}).status,
             0);
    QCOMPARE(contents(one), contents(two));
    QVERIFY(QImage(one) != QImage(other));
  }

  // The size and block that are asked for are those that the window shows.
  void windowShowsTheAskedBlock() {
    const QTemporaryDir folder;
    const auto picture = [&folder](const char* name, const QStringList& more) {
      const QString file = folder.filePath(name);
      const QStringList start = {"render", "window", "--stage", "8", "--out", file};
      return runTileloom(start + more).status == 0 ? QImage(file) : QImage();
    };
    const QImage first = picture("1.png", {}), second = picture("2.png", {"--block", "3,5"});
    QVERIFY(!first.isNull() && !second.isNull());
    QVERIFY(first != second);
  }

  void badInput_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");  // the sentence must name this
    const auto row = [](const char* what, const char* line, const char* names) {
      QTest::newRow(what) << line << names;
    };
    row("unknown view", "lume --stage 8 --out %/x.png", "\"lume\"");
    row("no view", "--stage 8 --out %/x.png", "VIEW");
    row("unknown stage", "loom --stage turbo --out %/x.png", "\"turbo\"");
    row("no file", "loom --stage 8", "--out");
    row("illegal tile", "loom --stage 8 --tile BM=96 --out %/x.png", "BM = 64 or 128");
    row("step past the end", "loom --stage 8 --step 99999999 --out %/x.png", "99999999");
    row("negative step", "loom --stage 8 --step -1 --out %/x.png", "-1");
    row("step of words", "loom --stage 8 --step last --out %/x.png", "\"last\"");
    row("no such warp", "loom --stage 8 --warp 4 --out %/x.png", "from 0 to 3");
    row("warp beyond any block", "banks --stage 8 --warp 32 --out %/x.png", "32");
    row("no such lane", "banks --stage 8 --lane 32 --out %/x.png", "32");
    row("no such theme", "loom --stage 8 --theme pink --out %/x.png", "\"pink\"");
    row("text too small", "loom --stage 8 --text 90 --out %/x.png", "--text");
    row("too narrow", "loom --stage 8 --width 10 --out %/x.png", "10");
    row("too large", "loom --stage 8 --height 99999 --out %/x.png", "99999");
    row("scale 0", "loom --stage 8 --scale 0 --out %/x.png", "--scale");
    row("size 0", "loom --stage 8 --size 0 --out %/x.png", "1 to 32768");
    row("block outside", "loom --stage 8 --block 16,0 --out %/x.png", "15,15");
    row("no such folder", "loom --stage 8 --out %/no/such/x.png", "no/such/x.png");
    row("unknown suffix", "loom --stage 8 --out %/x.gif", ".svg");
    row("no suffix", "banks --stage 8 --out %/x", ".svg");
    row("window as SVG", "window --stage 8 --out %/x.svg", ".png");
    row("window into no folder", "window --stage 8 --out %/no/x.png", "no/x.png");
  }
  void badInput() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    const QTemporaryDir folder;
    QStringList arguments = words(line);
    for (QString& word : arguments) word.replace('%', folder.path());
    const Said said = runTileloom(QStringList{"render"} + arguments);
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY2(said.out.isEmpty(), said.out.constData());
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  void helpNamesTheOptions() {
    const Said said = runTileloom({"render", "--help"});
    QCOMPARE(said.status, 0);
    for (const char* option : {"--stage", "--tile", "--step", "--warp", "--lane", "--theme",
                               "--text", "--out", "--grid", "--block"}) {
      QVERIFY2(said.out.contains(option), option);
    }
  }
};

}  // namespace tileloom::test

QTEST_GUILESS_MAIN(tileloom::test::RenderTest)
#include "render_test.moc"
