// SPDX-License-Identifier: GPL-3.0-or-later
// A fingerprint is of the code and of nothing else: each rung is changed in ways that leave its
// code, and in ways that do not.
#include "kernels/tile/identity/fingerprint.h"

#include <QtTest>
#include <set>

#include "kernels/tile/identity/tokens.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::addStageRows;
using test::q;
using test::stageOfRow;

namespace {

// A rung's texts, to be changed.
struct Texts {
  std::string source;
  std::vector<std::pair<std::string, std::string>> files;  // name, text
  std::string assemblerOption;
  int rewriter = 0;

  explicit Texts(const Stage& stage) {
    const CodeText code = codeTextOf(stage);
    source = code.source;
    for (const SourceFile& file : code.files)
      files.emplace_back(std::string(file.name), std::string(file.text));
    assemblerOption = code.assemblerOption;
    rewriter = code.rewriter;
  }

  std::string fingerprint() const {
    std::vector<SourceFile> all;
    for (const auto& [name, text] : files) all.push_back({name, text});
    return fingerprintOf(CodeText{source, all, assemblerOption, rewriter});
  }
  std::string& file(std::string_view name) {
    const auto at = std::ranges::find_if(files, [&](const auto& f) { return f.first == name; });
    return at->second;
  }
};

void replace(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

// One a line, which is the worst that a formatter could do; a directive stays whole.
std::string onePerLine(const std::vector<Token>& tokens) {
  std::string out;
  bool directive = false;
  for (const Token& token : tokens) {
    switch (token.kind) {
      case Token::Kind::Directive:
        directive = true;
        out += "#";
        break;
      case Token::Kind::DirectiveEnd:
        directive = false;
        out += '\n';
        break;
      case Token::Kind::Include:
        out += "#include " + token.text + '\n';
        break;
      case Token::Kind::Code:
        out += token.text + (directive ? "  \\\n  " : "\n\n");
    }
  }
  return out;
}

std::string oneTokenPerLine(std::string_view text) {
  return onePerLine(tokensOf(text).all);
}

constexpr std::string_view kPortable = "kernels/device/portable.cuh";

}  // namespace

class FingerprintTest : public QObject {
  Q_OBJECT

 private slots:
  void anotherForEachRung() {
    std::set<std::string> all;
    for (const Stage* stage : everyStage()) {
      const std::string its = fingerprintOf(*stage);
      QVERIFY2(isFingerprint(its), its.c_str());
      QCOMPARE(q(Texts(*stage).fingerprint()), q(its));
      all.insert(its);
    }
    QCOMPARE(all.size(), everyStage().size());
    for (const char* text : {"", "0123456789abcde", "0123456789abcdeF", "text:0123456789abcdef"})
      QVERIFY2(!isFingerprint(text), text);
  }

  void commentsDoNotCount_data() { addStageRows(); }
  void commentsDoNotCount() {
    const Stage& stage = stageOfRow();
    Texts texts(stage);
    const auto same = [&] { return texts.fingerprint() == fingerprintOf(stage); };
    texts.source = "/* A comment\n   of several lines. */\n" + texts.source + "// The end.";
    QVERIFY(same());
    replace(texts.source, "\n", "  // another word\n");
    // A comment after a line continuation would end it, and so would one in a macro.
    for (auto& [name, text] : texts.files) text = "// Other words, and don't mind the \"\n" + text;
    QVERIFY(same());
  }

  void whiteSpaceDoesNotCount_data() { addStageRows(); }
  void whiteSpaceDoesNotCount() {
    const Stage& stage = stageOfRow();
    Texts texts(stage);
    texts.source = oneTokenPerLine(texts.source);
    QVERIFY(texts.fingerprint() == fingerprintOf(stage));
    replace(texts.source, "\n", "\r\n");
    QVERIFY(texts.fingerprint() == fingerprintOf(stage));
    for (auto& [name, text] : texts.files) {
      const bool once = tokensOf(text).once;
      text = (once ? "#pragma once\n" : "") + oneTokenPerLine(text);
    }
    QVERIFY(texts.fingerprint() == fingerprintOf(stage));
  }

  void namesOfHeadersDoNotCount_data() { addStageRows(); }
  void namesOfHeadersDoNotCount() {
    const Stage& stage = stageOfRow();
    Texts texts(stage);
    const auto rename = [&](std::string_view from, std::string_view to) {
      replace(texts.source, from, to);
      for (auto& [name, text] : texts.files) {
        replace(name, from, to);
        replace(text, from, to);
      }
    };
    rename("kernels/device/", "ladder/words/");
    rename("tensor.cuh", "mma_sm80.cuh");
    rename("hopper.cuh", "tma_sm90.cuh");
    QVERIFY(texts.source.find("kernels/device/") == std::string::npos);
    QVERIFY(texts.fingerprint() == fingerprintOf(stage));
    // A header in two parts, of which one includes the other.
    std::string& portable = texts.file("ladder/words/portable.cuh");
    const std::string whole = portable;
    portable = "#pragma once\n#include \"new.cuh\"\n#include \"new.cuh\"\n";
    texts.files.emplace_back("new.cuh", whole);
    QVERIFY(texts.fingerprint() == fingerprintOf(stage));
  }

  // One that the rung does not include, or the emulator alone.
  void foreignHeadersDoNotCount() {
    const Stage& stage = test::stage("warptiled");
    Texts texts(stage);
    texts.file("kernels/device/tensor.cuh") += "int more;\n";
    texts.file("kernels/device/stamps.cuh") += "int more;\n";
    replace(texts.file(kPortable), "on_host.h", "emulated.h");
    QVERIFY(texts.fingerprint() == fingerprintOf(stage));
  }

  void eachTokenCounts_data() { addStageRows(); }
  void eachTokenCounts() {
    const Stage& stage = stageOfRow();
    const auto differs = [&](const Texts& texts) {
      return texts.fingerprint() != fingerprintOf(stage);
    };
    Texts texts(stage);
    replace(texts.source, "threadIdx.x", "threadIdx.z");
    QVERIFY(differs(texts));
    texts = Texts(stage);
    texts.source += ";";
    QVERIFY(differs(texts));
    texts = Texts(stage);
    texts.file("kernels/device/on_device.cuh") += "int more;\n";
    QVERIFY(differs(texts));
    texts = Texts(stage);
    texts.assemblerOption = stage.assemblerLevel == 2 ? "-O1" : "-O2";
    QVERIFY(differs(texts));
    texts = Texts(stage);
    ++texts.rewriter;
    QVERIFY(differs(texts));
    // Each of its own tokens.
    const std::vector<Token> tokens = tokensOf(Texts(stage).source).all;
    for (std::size_t i = 0; i < tokens.size(); i += 1 + tokens.size() / 50) {
      if (tokens[i].kind == Token::Kind::DirectiveEnd || tokens[i].kind == Token::Kind::Include)
        continue;
      std::vector<Token> fewer = tokens;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      Texts without(stage);
      without.source = onePerLine(fewer);
      QVERIFY2(differs(without), tokens[i].text.c_str());
    }
  }

  void whatTheCompilerTellsApart_data() {
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<bool>("same");
    const auto row = [](const char* name, const char* one, const char* other, bool same) {
      QTest::newRow(name) << QByteArray(one) << QByteArray(other) << same;
    };
    row("a comment", "a b", "a/* c */b", true);
    row("one name or two", "a b", "ab", false);
    row("one sign or two", "a + +b", "a ++b", false);
    row("a literal", "x = 1;", "x = 1.;", false);
    row("a letter of a text", "f(\"a b\")", "f(\"a  b\")", false);
    row("a comment in a text", "f(\"// a\")", "f(\"// b\")", false);
    row("two texts or one", "\"a\" \"b\"", "\"ab\"", false);
    row("a longer macro", "#define A 1\n2\n", "#define A 1 2\n", false);
    row("a macro on two lines", "#define A 1 2\n", "#define A 1 \\\n  2\n", true);
    row("parameters of a macro", "#define A(x)\n", "#define A (x)\n", false);
    row("a directive or not", "#pragma a\n", "pragma a\n", false);
    row("unrolling", "#pragma unroll 2\n", "#pragma unroll 4\n", false);
    row("a message", "#error a\n", "#error b\n", true);
    row("an error or none", "#error a\n", "", false);
    row("another line", "#line 7\na", "a", true);
    row("a header of the compiler", "#include <a.h>\n", "#include <b.h>\n", false);
    row("a header", "#include \"a\"\n", "#include \"b\"\n", false);
    row("a header of the same text", "#include \"a\"\n", "#include \"c\"\n", true);
    row("once", "#include \"a\"\n#include \"a\"\n", "#include \"a\"\n", true);
    row("twice", "#include \"d\"\n#include \"d\"\n", "#include \"d\"\n", false);
    row("where a header stands", "#include \"a\"\nx", "x\n#include \"a\"\n", false);
    row("its text here", "#include \"a\"\n", "int a;", false);
  }
  void whatTheCompilerTellsApart() {
    QFETCH(QByteArray, one);
    QFETCH(QByteArray, other);
    QFETCH(bool, same);
    const SourceFile files[] = {{"a", "#pragma once\nint a;"},
                                {"b", "#pragma once\nint b;"},
                                {"c", "// Once.\n#pragma once\n\nint  a;"},
                                {"d", "int d;"},
                                {"e", "#include \"e\"\n"}};
    const auto of = [&files](std::string_view text) {
      return fingerprintOf(CodeText{text, files, {}, 0});
    };
    QCOMPARE(of(one.toStdString()) == of(other.toStdString()), same);
    QVERIFY(isFingerprint(of("#include \"e\"\n")));  // one that includes itself
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FingerprintTest, Nothing)
#include "fingerprint_test.moc"
