// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of earlier versions: the table says the truth, and records with them are read as new ones.
#include "kernels/tile/identity/text_keys.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/base/json_reader.h"
#include "kernels/tile/words.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class TextKeysTest : public QObject {
  Q_OBJECT

  // The last commit whose recordings named texts: the table was made of its sources.
  static constexpr const char* kMigrated = "80e4f8b1";

  static std::string textOf(const QString& file) {
    QFile read(file);
    return read.open(QIODevice::ReadOnly) ? read.readAll().toStdString() : std::string();
  }

 private slots:
  void eachRungOfThatTimeHasARow() {
    std::set<std::string> stages;
    for (const TextKey& key : textKeys()) {
      QVERIFY2(stageOfEitherLadder(key.stage) != nullptr, key.stage.c_str());
      QVERIFY(isFingerprint(key.text) && isFingerprint(key.fingerprint));
      QVERIFY(!key.places.tokensPerLine().empty());
      QVERIFY(textKeyNamed(key.stage, key.text) == &key);  // there is no other
      stages.insert(key.stage);
    }
    QVERIFY(stages.size() >= 29);
    QVERIFY(textKeyNamed("naive", "0123456789abcdef") == nullptr);
    QVERIFY(textKeyNamed("shared", textKeys()[0].text) == nullptr ||
            textKeys()[0].stage == "shared");
  }

  // As long as the text is what it was, both keys can be taken of it.
  void anUnchangedTextHasBothKeys() {
    for (const TextKey& key : textKeys()) {
      const CodeText code = codeTextOf(*stageOfEitherLadder(key.stage));
      if (textKeyOf(code) != key.text) continue;
      QCOMPARE(q(fingerprintOf(code)), q(key.fingerprint));
      QCOMPARE(CodePlaces(code.source).tokensPerLine(), key.places.tokensPerLine());
    }
  }

  // For each rung: both keys, and the lines, of the text of that time.
  void bothKeysAreOfTheSameCode() {
    const QTemporaryDir folder;
    QProcess git;
    git.setStandardOutputFile(folder.filePath("all.tar"));
    git.start("git", {"-C", TILELOOM_SOURCE_DIR, "archive", kMigrated, "kernels/stages",
                      "kernels/device", "kernels/gpu"});
    if (!git.waitForFinished() || git.exitStatus() != QProcess::NormalExit || git.exitCode() != 0)
      QSKIP("the history of the sources is not here");
    QCOMPARE(
        QProcess::execute("tar", {"-x", "-f", folder.filePath("all.tar"), "-C", folder.path()}), 0);
    std::vector<std::pair<std::string, std::string>> texts;
    for (const SourceFile& file : deviceFiles())
      texts.emplace_back(std::string(file.name), textOf(folder.filePath(q(file.name))));
    std::vector<SourceFile> files;
    for (const auto& [name, text] : texts) {
      if (!text.empty()) files.push_back({name, text});
    }
    std::set<std::string> proved;
    for (const Stage* stage : everyStage()) {
      // At that time both ladders were in one folder.
      const std::string source = textOf(folder.filePath("kernels/stages/" + q(stage->id) + ".cuh"));
      if (source.empty()) continue;  // a newer rung
      CodeText code = codeTextOf(*stage);
      code.source = source;
      code.files = files;
      const TextKey* key = textKeyNamed(stage->id, textKeyOf(code));
      if (key == nullptr) continue;
      QCOMPARE(q(fingerprintOf(code)), q(key->fingerprint));
      QCOMPARE(CodePlaces(source).tokensPerLine(), key->places.tokensPerLine());
      proved.insert(key->stage);
    }
    for (const TextKey& key : textKeys()) QVERIFY2(proved.contains(key.stage), key.stage.c_str());
  }

  void recordsAreReadByEitherKey() {
    const TextKey& key = textKeys()[0];
    const auto of = [&](nlohmann::json record) {
      JsonReader reader(record);
      const std::string its = fingerprintFrom(reader, key.stage);
      return reader.good() ? its : "refused: " + reader.complaint();
    };
    QCOMPARE(q(of({{"source_hash", key.text}})), q(key.fingerprint));
    QCOMPARE(q(of({{"fingerprint", key.fingerprint}})), q(key.fingerprint));
    QCOMPARE(q(of({{"fingerprint", key.fingerprint}, {"source_hash", "x"}})), q(key.fingerprint));
    // An unknown key does not change, and is the key of no rung.
    QCOMPARE(q(of({{"source_hash", "0123456789abcdef"}})), QString("text:0123456789abcdef"));
    QCOMPARE(q(of({{"fingerprint", "text:0123456789abcdef"}})), QString("text:0123456789abcdef"));
    QVERIFY(isStaleKey("text:0123456789abcdef"));
    for (const char* text : {"", "text:", "0123456789abcdef", "text:0123456789ABCDEF"})
      QVERIFY2(!isStaleKey(text), text);
    // One that an earlier version did not know, and this one does.
    QCOMPARE(q(of({{"fingerprint", staleKey(key.text)}})), q(key.fingerprint));
    QVERIFY(of(nlohmann::json::object()).starts_with("refused: \"fingerprint\""));
    QVERIFY(of({{"source_hash", 7}}).starts_with("refused: \"source_hash\""));
    QCOMPARE(q(fingerprintFromTextKey("shared", "")), QString());
    QVERIFY(isStaleKey(fingerprintFromTextKey("another", key.text)));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TextKeysTest, Nothing)
#include "text_keys_test.moc"
