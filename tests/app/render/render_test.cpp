// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom render` as a user calls it, without a display.
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>
#include <set>

#include "tests/app/program.h"
#include "tests/support/random.h"
#include "tests/support/svg_text.h"
#include "tests/support/test_class.h"

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
    // Each starts the program; other tests paint most pictures in their own process.
    auto row = [rows = 0](const QString& line, const char* name, QSize size = {}) mutable {
      if (briefly() && rows++ % 3 != 0) return;
      QTest::newRow(qPrintable(line + " " + name)) << line << QString(name) << size;
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
    for (const char* view : {"source --height 700", "instructions", "charts"}) {
      for (const char* file : {"v.png", "v.svg", "v.pdf"})
        row(QString("%1 --stage 8 --theme light").arg(view), file);
    }
    row("ladder --stage 8 --no-caption --width 900 --height 900", "e.png", {900, 900});
    // With a caption the file has the requested size.
    row("loom --stage 8 --caption", "e.png", {1200, 1000});
    row("banks --stage 8 --caption --width 700 --height 400", "e.png", {700, 400});
    row("charts --stage 8 --caption --width 900 --height 600 --scale 2", "e.png", {1800, 1200});
    row("window --stage 8 --caption --width 1920 --height 1080", "e.png", {1920, 1080});
    row("tuning --stage 8 --size 4096 --and-on H200 --others best --axes WM,WN", "t.png",
        {1200, 1000});
    row("tuning --stage 8 --size 4096 --form lines --width 900 --height 500", "t.png", {900, 500});
    row("tuning --stage 8 --size 4096 --form list", "t.svg");
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
    if (name.toLower().endsWith(".png")) {
      const QImage image(file);
      if (!size.isEmpty()) QCOMPARE(image.size(), size);
      QVERIFY(colours(image) > 40);
    } else if (name.endsWith(".svg")) {
      QVERIFY(bytes.contains("<svg") && bytes.contains("</svg>"));
    } else {
      QVERIFY(bytes.startsWith("%PDF-1."));
    }
  }

  // Without a step it is an access worth seeing; the same command gives the same picture.
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

  // An exported picture contains a description of itself, in words that can be searched for.
  void captions_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QStringList>("says");
    const QString tile = "rung 8: warp tiling · BM=128 BN=128 BK=16";
    const QString moment = "warp 2, line 41: 32-bit shared store to As";
    const QString emulated = "no GPU used: emulated", recorded = "recorded on NVIDIA H100";
    for (const char* view : {"loom", "banks", "source", "instructions"})
      QTest::newRow(view) << view << QStringList{tile, moment, emulated};
    QTest::newRow("charts") << "charts" << QStringList{tile, "share of cuBLAS", recorded};
    QTest::newRow("ladder") << "ladder" << QStringList{"The ladder against cuBLAS", recorded};
  }
  void captions() {
    QFETCH(QString, view);
    QFETCH(QStringList, says);
    const QTemporaryDir folder;
    const QString with = folder.filePath("with.svg"), without = folder.filePath("without.svg");
    const QStringList start = {"render", view, "--stage", "8", "--warp", "2"};
    QCOMPARE(runTileloom(start + QStringList{"--caption", "--out", with}).status, 0);
    const QString words = svgText(with);
    for (const QString& part : says + QStringList{"Tileloom " TILELOOM_VERSION})
      QVERIFY2(words.contains(part), qPrintable(part + " in " + words.right(400)));
    if (view == "ladder") return;  // it takes long
    QCOMPARE(runTileloom(start + QStringList{"--out", without}).status, 0);
    QVERIFY(!svgText(without).contains("Tileloom " TILELOOM_VERSION));
  }

  // The window shows the requested size and block.
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
    row("caption and none", "loom --stage 8 --caption --no-caption --out %/x.png", "--no-caption");
    row("too low for a caption", "loom --stage 8 --caption --height 120 --out %/x.png", "height");
    row("too narrow a table", "instructions --stage 8 --width 200 --out %/x.png", "width");
    row("too narrow a source", "source --stage 8 --width 200 --out %/x.png", "width");
    row("source as data", "source --stage 8 --out %/x.csv", ".svg");
    row("charts as a film", "charts --stage 8 --out %/x.mp4", ".csv");
    row("charts into no folder", "charts --stage 8 --out %/no/x.png", "no/x.png");
    row("no such words", "loom --stage 8 --words spoken --out %/x.svg", "\"spoken\"");
    row("frames of one picture", "loom --stage 8 --fps 5 --out %/x.png", "--fps");
    row("no such form", "tuning --stage 8 --form circle --out %/x.png", "\"circle\"");
    row("beside itself", "tuning --stage 8 --size 4096 --and-on H100 --out %/x.png", "already");
    row("axes of another rung", "tuning --stage 5 --axes WM,WN --out %/x.png",
        "no tile parameter WM");
    row("one axis", "tuning --stage 8 --axes BM --out %/x.png", "\"BM,BN\"");
    row("others", "tuning --stage 8 --others worst --out %/x.png", "\"worst\"");
    row("no runs at this size", "tuning --stage 8 --size 2048 --and-on H200 --out %/x.png",
        "--size 4096");
    row("no such device", "tuning --stage 8 --size 4096 --and-on A100 --out %/x.png", "H200");
    row("size without runs", "tuning --stage 8 --size 123 --on H100 --out %/x.png",
        "1024 or 2048 or");
    row("device without runs", "tuning --stage 8 --size 123 --on A100 --out %/x.png", "leave out");
    row("too narrow a list", "tuning --stage 8 --size 4096 --form list --width 300 --out %/x.png",
        "width");
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
    row("window as GIF", "window --stage 8 --out %/x.gif", ".svg");
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
    // Every value has its right name.
    QVERIFY2(!said.out.contains("TEXT"), said.out.constData());
    for (const char* value : {"--stage STAGE", "--size MxNxK", "--block X,Y", "--width PIXELS",
                              "--text PERCENT", "--theme THEME", "--out FILE"}) {
      QVERIFY2(said.out.contains(value), value);
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RenderTest, EventLoop)
#include "render_test.moc"
