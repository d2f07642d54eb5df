// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/glossary/glossary.h"

#include <QFile>
#include <QtTest>
#include <algorithm>
#include <cctype>
#include <set>

#include "app/command_line.h"
#include "app/session/page_ids.h"
#include "kernels/tile/stage.h"
#include "tests/app/program.h"
#include "tests/support/test_class.h"
#include "tests/support/unrecorded.h"

namespace tileloom {

class GlossaryTest : public QObject {
  Q_OBJECT

 private slots:
  // Each term occurs once, has a meaning of one or two sentences, and names an existing page.
  void everyWordIsWhole() {
    QVERIFY(glossary().size() > 60);
    std::set<std::string> names;
    for (const Term& term : glossary()) {
      const QByteArray where(term.term.c_str());
      QVERIFY2(names.insert(term.term).second, where);
      QVERIFY2(term.means.size() > 20 && term.means.size() <= 240 && term.means.ends_with('.'),
               where);
      QVERIFY2(std::isupper(static_cast<unsigned char>(term.means[0])) ||
                   std::isdigit(static_cast<unsigned char>(term.means[0])) ||
                   term.means.starts_with("setmaxnreg"),
               where);
      QVERIFY2(term.page.empty() || std::ranges::count(kPageIds, term.page) == 1, where);
      std::set<std::string> also;
      for (const std::string& word : term.also)
        QVERIFY2(!word.empty() && word != term.term && also.insert(word).second, where);
    }
  }

  void everyRungTeachesAWord() {
    std::set<const Stage*> rungs;
    for (const Term& term : glossary()) rungs.insert(term.rung);
    for (const Stage* stage : everyStage()) {
      // A rung that is not recorded yet need not. Others add no idea of their own, but put those
      // before them together.
      const bool own = test::mustBeRecorded(*stage) && stage->id != "naive" &&
                       stage->id != "blocktile1d" && stage->id != "tuned" &&
                       stage->id != "scheduled" && stage->id != "mmaring";
      QVERIFY2(!own || rungs.contains(stage), std::string(stage->id).c_str());
    }
  }

  void wordsAreFound() {
    QCOMPARE(termsLike("tma").front()->term, std::string("TMA"));
    QCOMPARE(termsLike("Copy Engine").front()->term, std::string("TMA"));
    QCOMPARE(termsLike("bank").front()->term, std::string("Bank"));
    QVERIFY(termsLike("bank").size() > 2);
    QVERIFY(termsLike("zxqw").empty());
    QCOMPARE(termsLike("").size(), glossary().size());
  }

  // The document is what the command prints.
  void theDocumentIsUpToDate() {
    QFile document(QStringLiteral(TILELOOM_SOURCE_DIR "/docs/glossary.md"));
    QVERIFY(document.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(document.readAll()),
             QString::fromUtf8(test::runTileloom({"glossary", "--markdown"}).out));
  }

  void theCommandAnswers() {
    const auto said = test::runTileloom({"glossary", "swizzle"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.out.startsWith("Swizzle\n"), said.out.constData());
    QVERIFY(said.out.contains("page layout"));
    const auto none = test::runTileloom({"glossary", "zxqw"});
    QVERIFY(none.status != 0);
    QVERIFY2(none.err.contains("the glossary has no word"), none.err.constData());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::GlossaryTest, Nothing)
#include "glossary_test.moc"
