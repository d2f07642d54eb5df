// SPDX-License-Identifier: GPL-3.0-or-later
// A line that a recording names is found again after its source was written in another way.
#include "kernels/tile/identity/code_places.h"

#include <QtTest>

#include "kernels/tile/identity/tokens.h"
#include "kernels/tile/placement.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::addStageRows;
using test::q;
using test::stageOfRow;

class CodePlacesTest : public QObject {
  Q_OBJECT

  static QStringList linesOf(const QString& text) { return text.split('\n'); }
  static std::string joined(const QStringList& lines) { return lines.join('\n').toStdString(); }

  // Each line of code of the one text is found in the other: there the line begins with the same
  // token, or holds it where lines were joined.
  static bool findsAll(const Stage& stage, const std::string& changed) {
    const CodePlaces &before = placesIn(stage), after(changed);
    const QStringList old = linesOf(q(sourceText(stage))), now = linesOf(q(changed));
    int found = 0;
    std::vector<Token> tokens;
    for (Token& token : tokensOf(sourceText(stage)).all)
      if (token.counts()) tokens.push_back(std::move(token));
    for (int line = 1; line <= old.size(); ++line) {
      const int place = before.placeOf(line);
      if (before.lineOf(place) != line) continue;  // no code begins on it
      const Token& first = tokens[static_cast<std::size_t>(place) - 1];
      const int there = after.lineOf(place);
      if (there < 1 || there > now.size() || !now[there - 1].contains(q(first.text))) return false;
      ++found;
    }
    return found > 5;
  }

 private slots:
  void byHand() {
    const CodePlaces places("// a\n\nint a;\n// b\n  b = 1;\n\nc");
    const int lines[] = {3, 3, 3, 5, 5, 5, 5, 7};
    for (int place = 1; place <= 8; ++place) QCOMPARE(places.lineOf(place), lines[place - 1]);
    for (const int none : {-1, 0, 9}) QCOMPARE(places.lineOf(none), 0);
    const int first[] = {0, 0, 0, 1, 1, 4, 4, 8, 8};  // of lines 0 to 8
    for (int line = 0; line <= 8; ++line) QCOMPARE(places.placeOf(line), first[line]);
    QCOMPARE(places.placeOf(-1), 0);
    QCOMPARE(places.tokensPerLine(), (std::vector<int>{0, 0, 3, 0, 4, 0, 1}));
    QCOMPARE(CodePlaces(std::string_view()).placeOf(3), 0);
    QCOMPARE(CodePlaces("// a").lineOf(1), 0);
  }

  // The numbers that a table keeps of a text are enough.
  void countsAreEnough_data() { addStageRows(); }
  void countsAreEnough() {
    const CodePlaces& places = placesIn(stageOfRow());
    const CodePlaces again(places.tokensPerLine());
    for (int i = 0; i < 3000; ++i) {
      QCOMPARE(again.lineOf(i), places.lineOf(i));
      QCOMPARE(again.placeOf(i), places.placeOf(i));
    }
  }

  // A header of another name is another line without a place.
  void headersHaveNoPlace() {
    const Stage& stage = test::stage("mma");
    const QString text = q(sourceText(stage));
    const int include = static_cast<int>(text.left(text.indexOf("#include")).count('\n')) + 1;
    QCOMPARE(placesIn(stage).placeOf(include), 0);
  }

  void comments_data() { addStageRows(); }
  void comments() {
    const Stage& stage = stageOfRow();
    QStringList lines = linesOf(q(sourceText(stage)));
    const qsizetype middle = lines.size() / 2;
    for (qsizetype i = lines.size(); i-- > 0;) {
      if (i % 3 == 0) lines.insert(i, "// A new line, and it doesn't count.");
      if (i == middle) lines.insert(i, "  /* Three\n     more\n   */");
    }
    QVERIFY(findsAll(stage, joined(lines)));
    for (QString& line : lines) line = line.section("//", 0, 0);
    QVERIFY(findsAll(stage, joined(lines)));
  }

  void headersComeAndGo() {
    const Stage& stage = test::stage("hopper");
    std::string text(sourceText(stage));
    text.insert(text.find("#include"), "#include \"one.cuh\"\n#include \"more.cuh\"\n#line 3\n");
    QVERIFY(findsAll(stage, text));
  }

  void wrappedLines_data() { addStageRows(); }
  void wrappedLines() {
    const Stage& stage = stageOfRow();
    QStringList lines = linesOf(q(sourceText(stage)));
    for (QString& line : lines) {
      if (line.contains("//") || line.startsWith('#')) continue;
      line.replace(" = ", "\n      = ").replace(", ", ",\n      ");
    }
    QVERIFY(findsAll(stage, joined(lines)));
  }

  void joinedLines_data() { addStageRows(); }
  void joinedLines() {
    const Stage& stage = stageOfRow();
    QString text = q(sourceText(stage));
    // All of the kernel's body in one line.
    const qsizetype open = text.indexOf(") {");
    QStringList body = linesOf(text.mid(open));
    for (QString& line : body) line = line.section("//", 0, 0).trimmed();
    QVERIFY(findsAll(stage, (text.left(open) + body.join(' ')).toStdString()));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::CodePlacesTest, Nothing)
#include "code_places_test.moc"
