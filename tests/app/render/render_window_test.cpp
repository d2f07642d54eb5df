// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom render window` with a tab, with moves of the tile parameters, and with a GPU at work.
#include <QImage>
#include <QRegularExpression>
#include <QtTest>

#include "kernels/analysis/recording.h"
#include "kernels/analysis/telling_difference.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "viz/base/scene.h"

namespace tileloom::test {

class RenderWindowTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  static QStringList words(const QString& line) { return line.split(' ', Qt::SkipEmptyParts); }

  // What these arguments paint; a null image if they fail.
  QImage picture(const QString& line) const {
    const QString file = m_around->path("x.png");
    QFile::remove(file);
    const Said said = runTileloom(QStringList{"render", "window", "--out", file} + words(line));
    if (said.status != 0 || !said.err.isEmpty() || said.out != file.toUtf8() + '\n') {
      qWarning() << line << said.status << said.out << said.err;
      return {};
    }
    return QImage(file);
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void tabs() {
    const QImage plain = picture(""), banks = picture("--tab banks"),
                 charts = picture("--tab charts"), ladder = picture("--tab ladder");
    for (const QImage& image : {plain, banks, charts, ladder}) {
      QCOMPARE(image.size(), QSize(1600, 1000));
    }
    QVERIFY(plain == banks);
    QVERIFY(banks != charts && charts != ladder && ladder != banks);
    QVERIFY(picture("--tab charts") == charts);
    QVERIFY(picture("--tab charts --size 1111") != charts);  // without a recording
    QVERIFY(picture("--tab charts --theme light") != charts);
    QVERIFY(picture("--zoom warp") != plain);
    const QImage beside = picture("--beside vectorized");
    QVERIFY(!beside.isNull() && beside != plain);
    const QImage other = picture("--beside blocktile2d");
    QVERIFY(!other.isNull() && other != beside);
  }

  // At the access that differs most, as in the window.
  void aPairOpensWhereItTeaches() {
    const Stage& rung8 = **stageNamed("warptiled");
    emulator::TraceRequest request{{standardSubject(rung8), {2048, 2048, 2048}}, {0, 0}, 2};
    emulator::Workspace workspace;
    const auto recording = analysis::record(workspace, request);
    request.tile = rung8.standardTile().with(Parameter::WNITER, 1).with(Parameter::TN, 16);
    const auto baseline = analysis::record(workspace, request);
    const auto at = analysis::tellingDifference(*baseline, *recording, 0);
    const QString line = "--beside warptiled:WNITER=1,TN=16";
    const QImage shown = picture(line);
    QVERIFY(!shown.isNull());
    QVERIFY(shown == picture(line + QString(" --step %1").arg(at)));
    QVERIFY(shown != picture(line + QString(" --step %1").arg(openingIndex(*recording))));
  }

  // A move is a point of the charts and the tile of all views.
  void moves() {
    const QImage charts = picture("--tab charts"), one = picture("--tab charts --move BK=8"),
                 two = picture("--tab charts --move BK=8 --move TM=4");
    QVERIFY(!charts.isNull() && !one.isNull() && !two.isNull());
    QVERIFY(charts != one && one != two);
    QVERIFY(picture("--move BK=8") != picture(""));
    // The last move is the position of the tile parameters: where they were before is only in the
    // charts and in the note below the tile parameters.
    const QString start = "--without tile --move ";
    const QImage there = picture(start + "BK=8,TM=4"), way = picture(start + "TM=4 --move BK=8");
    QVERIFY(!there.isNull());
    QVERIFY(there == way);
  }

  // A tile may be legal only after the move before it.
  void aMoveStandsOnTheOneBefore() {
    const QString second = " --move WM=32";
    QCOMPARE(runTileloom(words("render window --out " + m_around->path("y.png") + second)).status,
             2);
    QVERIFY(!picture("--move WNITER=2" + second).isNull());
  }

  void live() {
    m_around->fakeGpu("jitter=0");
    const QString file = m_around->path("x.png");
    const Said said = runTileloom({"render", "window", "--size", "128", "--tab", "charts", "--live",
                                   "5", "--move", "BK=8", "--out", file});
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    static const QRegularExpression line("^BM=128,BN=128,BK=8,.*: first figure after \\d+ ms\n");
    QVERIFY2(line.match(said.out).hasMatch(), said.out.constData());
    QVERIFY(said.out.endsWith("\n" + file.toUtf8() + "\n"));
    const QImage measured(file), recorded = picture("--size 128 --tab charts --move BK=8");
    QVERIFY(!measured.isNull() && !recorded.isNull() && measured != recorded);
    QVERIFY(!QFile::exists(m_around->history()));  // a picture leaves no runs behind
  }

  void wrong_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* line, const char* names) {
      QTest::newRow(line) << QString(line) << QString(names);
    };
    row("--beside tensor", "tensor");
    row("--beside warptiled:WNITER=3", "WNITER");
    row("--beside warptiled:XY=3", "XY");
    row("--zoom near", "\"near\"");
    row("--without loom", "\"loom\"");
    row("--tab x", "\"x\"");
    row("--tab Charts", "charts");
    row("--tab charts --tab banks", "--tab");
    row("--move BK", "\"BK\"");
    row("--move XY=3", "\"XY\"");
    row("--move BM=0", "8 to 256");
    row("--move BK=wide", "\"wide\"");
    row("--move BK=7", "BK = 4 or 8");
    row("--move BM=96", "BM = 64 or 128");
    row("--move BK=8 --move BM=96", "BM = 64 or 128");
    row("--stage naive --move BK=8", "\"BK\"");
    row("--live -1", "-1");
    row("--live soon", "\"soon\"");
    row("--live 601", "600");
    row("--live 1.5", "\"1.5\"");
  }
  void wrong() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    const QString file = m_around->path("x.png");
    const Said said = runTileloom(QStringList{"render", "window", "--out", file} + words(line));
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY2(said.out.isEmpty(), said.out.constData());
    QVERIFY(!QFile::exists(file));
  }

  void theOrderOfWordsIsFree() {
    const QString file = m_around->path("x.png");
    const Said said = runTileloom({"render", "--move", "BK=8", "window", "--out", file});
    QEXPECT_FAIL("", "--move takes the words after it for moves", Abort);
    QVERIFY2(said.status == 0, said.err.constData());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RenderWindowTest, EventLoop)
#include "render_window_test.moc"
