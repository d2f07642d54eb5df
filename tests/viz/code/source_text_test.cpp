// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/source_text.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using Kind = CodePiece::Kind;

class SourceTextTest : public QObject {
  Q_OBJECT

 private slots:
  void piecesMakeUpTheLine_data() { addStageRows(); }
  void piecesMakeUpTheLine() {
    for (const QString& line : sourceLines(stageOfRow())) {
      QString again;
      qsizetype at = 0;
      for (const CodePiece& piece : piecesOf(line, stageOfRow())) {
        QCOMPARE(piece.begin, at);
        QVERIFY(piece.length > 0);
        QCOMPARE(piece.kind == Kind::Parameter, piece.parameter.has_value());
        again += line.mid(piece.begin, piece.length);
        at += piece.length;
      }
      QCOMPARE(again, line);
    }
  }

  void parametersAreFound() {
    const Stage& warptiled = stage("warptiled");
    const QString line = QStringLiteral("  DOTS(dot, BK) { x[BM * 2 + BMX + WMITER] }  // BN");
    std::vector<Parameter> parameters;
    for (const CodePiece& piece : piecesOf(line, warptiled)) {
      if (piece.parameter) parameters.push_back(*piece.parameter);
    }
    QVERIFY((parameters ==
             std::vector{Parameter::BK, Parameter::BM}));  // neither longer words nor comments
    QCOMPARE(parametersOf(line, warptiled, warptiled.standardTile()), "BK=16 BM=128");
    // A tile parameter that the stage does not have is a word like any other, and case counts.
    QCOMPARE(parametersOf("WM + bm + BM + BM", stage("blocktile2d"), {{Parameter::BM, 64}}),
             "BM=64");
  }

  // The words of tensor.cuh are keywords like those of portable.cuh.
  void wordsOfTensorCores() {
    const Stage& mma = stage("mma");
    const QStringList words = {"KERNEL16", "SHARED16", "FRAGMENTS", "MMA_STEPS", "element"};
    QStringList found;
    for (const QString& line : sourceLines(mma)) {
      for (const CodePiece& piece : piecesOf(line, mma)) {
        const QString word = line.mid(piece.begin, piece.length);
        if (piece.kind == Kind::Keyword && words.contains(word) && !found.contains(word))
          found += word;
      }
    }
    QCOMPARE(found.size(), words.size());
  }

  void kinds() {
    const auto pieces = piecesOf(QStringLiteral("const x = 40;  // k"), stage("naive"));
    std::vector<Kind> kinds;
    for (const CodePiece& piece : pieces) kinds.push_back(piece.kind);
    QVERIFY((kinds ==
             std::vector{Kind::Keyword, Kind::Plain, Kind::Number, Kind::Plain, Kind::Comment}));
  }

  // A line that does not fit ends in a word that can be read, and never within a number.
  void cutLines() {
    const Stage& stage = test::stage("warptiled");
    const QString line = QStringLiteral("        acc[(wm * TM + m) * 4] += value;");
    const auto pieces = piecesOf(line, stage);
    const QFontMetricsF metrics{QFont(QStringLiteral("monospace"))};
    const auto seen = [&](int letters, bool narrow) {
      const double room = metrics.horizontalAdvance(QString(letters, u'x')) + 1;
      return codeSeen(line, pieces, metrics, room, narrow);
    };
    QCOMPARE(seen(60, false), (CodeSeen{0, line.size(), false}));
    QCOMPARE(seen(60, true), (CodeSeen{4, line.size(), false}));
    // The code is complete, and the comment after it has no room.
    const QString barrier = QStringLiteral("  __syncthreads();      // all have read");
    const CodeSeen whole = codeSeen(barrier, piecesOf(barrier, stage), metrics,
                                    metrics.horizontalAdvance(QString(24, u'x')) + 1, false);
    QCOMPARE(whole, (CodeSeen{0, barrier.indexOf(u';') + 1, false}));
    for (int letters = 14; letters < line.size(); ++letters) {
      const CodeSeen cut = seen(letters, false);
      QVERIFY(cut.cut && cut.begin == 0 && cut.end < line.size());
      QVERIFY(!line[cut.end - 1].isDigit());
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SourceTextTest, Widgets)
#include "source_text_test.moc"
