// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code as text and back, and the listings inside the executable.
#include "kernels/sass/machine_code.h"

#include <fmt/format.h>

#include <QDir>
#include <QtTest>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/sass/recorded.h"
#include "kernels/sass/register_banks.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "tests/sass/fixtures.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::test {

using namespace sass;

class MachineCodeTest : public QObject {
  Q_OBJECT

  static std::string codeOf(const MachineCode& c) {
    return codeText(c.listing, placesIn(*c.rung()));
  }

  static MachineCode sample() {
    MachineCode c;
    c.subject() = standardSubject(stage("naive"));
    c.arch = "sm_90";
    c.nvrtc = "13.0";
    c.fingerprint = "0123456789abcdef";
    c.tool = "nvdisasm 13.0.85";
    c.when = "2026-11-21";
    c.registers = 32;
    c.listing = *parseListing(fixture("naive.life-ranges.txt"));
    return c;
  }

 private slots:
  void thereAndBack() {
    const MachineCode c = sample();
    const auto back = machineCodeFrom(headerJson(c), codeOf(c));
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QCOMPARE(q(recordText(*back)), q(recordText(c)));
    QVERIFY(back->rung() == c.rung() && back->tile == c.tile);
    QCOMPARE(back->listing.mostLive(), 28);
    QVERIFY(mainLoop(back->listing).range == mainLoop(c.listing).range);
  }

  // A rung of the tensor ladder has a choice of formats, which is part of what is listed.
  void formatsThereAndBack() {
    MachineCode c = sample();
    c.subject() = standardSubject(stage("mmaring"));
    c.listing = *parseListing(fixture("mmaring.by-hand.txt"));
    std::string text;
    for (const Format format : c.rung()->formats) {
      c.format = format;
      const auto back = machineCodeFrom(headerJson(c), codeOf(c));
      QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
      QVERIFY(back->rung() == c.rung() && back->tile == c.tile && back->format == format);
      QCOMPARE(q(recordText(*back)), q(recordText(c)));
      text += recordText(c);
    }
    const auto found = [&](Format format) {
      return findListing(text, {c.kernel(), c.tile, format}, "sm_90")->format;
    };
    QVERIFY(found(Format::Bf16) == Format::Bf16);
    QVERIFY(found(Format::Fp16) == Format::Fp16);
    // Without the field it is the usual one, and that of another is refused.
    auto header = headerJson(c);
    header.erase("arithmetic");
    QVERIFY(machineCodeFrom(header, codeOf(c))->format == Format::Bf16);
    header["arithmetic"] = "fp32";
    const auto wrong = machineCodeFrom(header, codeOf(c));
    QVERIFY(!wrong.has_value());
    QVERIFY2(q(wrong.error()).contains("one of bf16, fp16"), wrong.error().c_str());
    QVERIFY(!headerJson(sample()).contains("arithmetic"));
  }

  void linesThereAndBack() {
    MachineCode c = sample();
    c.listing.instructions[0].line = lineOf(*c.rung(), "sum += A");
    c.listing.instructions[5].line = lineOf(*c.rung(), "const uint row");
    c.listing.instructions[5].live.reset();
    const auto back = machineCodeFrom(headerJson(c), codeOf(c));
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QCOMPARE(q(codeOf(*back)), q(codeOf(c)));
    QCOMPARE(back->listing.instructions[0].line, c.listing.instructions[0].line);
    QCOMPARE(back->listing.instructions[5].line, c.listing.instructions[5].line);
    for (const char* bad : {"98@99999999999 EXIT\n", "98@9999999 EXIT\n", "4096 EXIT\n"})
      QVERIFY2(!parseCode(bad, linesAsPlaces()).has_value(), bad);
    QVERIFY(!parseInstruction("@5 EXIT").has_value());  // it would read back as a line
    // A predicate is not a line.
    QCOMPARE(q(parseCode("98@5 @!P0 EXIT\n", linesAsPlaces())->instructions[0].predicate),
             QString("!P0"));
  }

  // The lines of a listing after its source was formatted in another way.
  void linesOutliveTheText() {
    MachineCode c = sample();
    const int line = lineOf(*c.rung(), "sum += A");
    c.listing.instructions[0].line = line;
    QString text = q(sourceText(*c.rung()));
    text.insert(0, "// One comment more,\n// which is longer.\n\n");
    text.replace("K_DOTS(k) {", "K_DOTS(k)\n    // Each k.\n    {");
    const CodePlaces later(text.toStdString());
    const auto back = parseCode(codeOf(c), later);
    QVERIFY(back.has_value());
    const int there = back->instructions[0].line;
    QCOMPARE(there, line + 5);
    QVERIFY(text.split('\n')[there - 1].contains("sum += A"));
    // And there again.
    QCOMPARE(q(codeText(*back, later)), q(codeOf(c)));
  }

  // Listings of the first version named lines of a text.
  void theFirstVersionIsRead() {
    const TextKey& key = *std::ranges::find(textKeys(), "naive", &TextKey::stage);
    MachineCode c = sample();
    const int line = lineOf(*c.rung(), "sum += A");
    const int then = key.places.lineOf(placesIn(*c.rung()).placeOf(line));
    auto header = headerJson(c);
    header.erase("fingerprint");
    header["schema"] = "tileloom.listing/1";
    header["source_hash"] = key.text;
    std::string code = codeOf(c);
    code.insert(code.find(' '), fmt::format("@{}", then));
    const auto known = machineCodeFrom(header, code);
    QVERIFY2(known.has_value(), known ? "" : known.error().c_str());
    QCOMPARE(q(known->fingerprint), q(key.fingerprint));
    QCOMPARE(known->listing.instructions[0].line, line);
    // For an unknown text the lines stay, and the listing is stale.
    header["source_hash"] = "0123456789abcdef";
    auto unknown = machineCodeFrom(header, code);
    QVERIFY2(unknown.has_value(), unknown ? "" : unknown.error().c_str());
    QCOMPARE(unknown->listing.instructions[0].line, then);
    QCOMPARE(q(unknown->fingerprint), QString("text:0123456789abcdef"));
    unknown->recorded = true;
    QVERIFY(unknown->stale());
    header["schema"] = "tileloom.listing/3";
    QVERIFY(!machineCodeFrom(header, code).has_value());
  }

  // The file from which a rewriter starts.
  void theUntouchedFileThereAndBack() {
    MachineCode c = sample();
    QVERIFY(!headerJson(c).contains("untouched_cubin"));
    QVERIFY(machineCodeFrom(headerJson(c), codeOf(c))->untouched.empty());
    for (int length : {1, 2, 3, 256, 44 * 1024}) {
      c.untouched.clear();
      for (int i = 0; i < length; ++i) c.untouched.push_back(static_cast<char>(i * 7 % 256));
      const auto back = machineCodeFrom(headerJson(c), codeOf(c));
      QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
      QVERIFY(back->untouched == c.untouched);
      // The header of the largest one is still a line that is read.
      const auto found = findListing(recordText(c), c, c.arch);
      QVERIFY(found && found->untouched == c.untouched);
    }
  }
  void anUntouchedFileThatIsNone_data() {
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("complaint");
    const QString file = "\"untouched_cubin\" of a listing is not a file in base64";
    QTest::newRow("cut off") << "\"Zm9vY\"" << file;
    QTest::newRow("foreign") << "\"Zm9%\"" << file;
    QTest::newRow("padding") << "\"Zg==Zm9v\"" << file;
    QTest::newRow("no text") << "[1]"
                             << "\"untouched_cubin\" of a listing is not a string";
    QTest::newRow("too long") << '"' + QString(80 * 1024, 'A') + '"'
                              << "\"untouched_cubin\" of a listing is longer than 61440 bytes";
  }
  void anUntouchedFileThatIsNone() {
    QFETCH(QString, value);
    QFETCH(QString, complaint);
    auto header = headerJson(sample());
    header["untouched_cubin"] = nlohmann::json::parse(value.toStdString());
    const auto back = machineCodeFrom(header, codeOf(sample()));
    QVERIFY(!back.has_value());
    QCOMPARE(q(back.error()), complaint);
  }

  void withoutLifeRanges() {
    MachineCode c = sample();
    c.listing = *parseListing(fixture("naive.cuobjdump.txt"));
    const auto back = machineCodeFrom(headerJson(c), codeOf(c));
    QVERIFY(back.has_value() && !back->listing.hasLive());
  }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    for (const char* key : {"schema", "stage", "tile", "arch", "nvrtc", "fingerprint", "tool",
                            "when", "registers", "spill_bytes", "kernel", "instructions"}) {
      QTest::addRow("%s missing", key) << key << "";
      QTest::addRow("%s wrong", key) << key << "[[1]]";
    }
    QTest::newRow("too many registers") << "registers"
                                        << "4000";
    QTest::newRow("a tile of another stage") << "tile"
                                             << R"({"BM": 8})";
    QTest::newRow("a stage that there is not") << "stage"
                                               << R"("warp")";
  }
  void whatIsWrongIsNamed() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    auto header = headerJson(sample());
    if (value.isEmpty()) {
      header.erase(key.toStdString());
    } else {
      header[key.toStdString()] = nlohmann::json::parse(value.toStdString());
    }
    const auto back = machineCodeFrom(header, codeOf(sample()));
    QVERIFY(!back.has_value());
    QVERIFY2(q(back.error()).contains('"' + key + '"'), back.error().c_str());
  }

  void codeThatIsNone() {
    const auto header = headerJson(sample());
    const std::string code = codeOf(sample());
    QVERIFY(!machineCodeFrom(header, "").has_value());
    QVERIFY(!machineCodeFrom(header, code.substr(0, code.size() / 2)).has_value());
    QVERIFY(!machineCodeFrom(header, code + "EXIT\n").has_value());
    QVERIFY(!machineCodeFrom(header, "\n" + code).has_value());
    QVERIFY(!machineCodeFrom(nlohmann::json::array(), code).has_value());
    QVERIFY(!parseCode("99999 EXIT\n", linesAsPlaces()).has_value());
    QVERIFY(!parseCode("-1 EXIT\n", linesAsPlaces()).has_value());
  }

  void oneOfManyIsFound() {
    MachineCode other = sample();
    other.subject() = standardSubject(stage("shared"));
    const std::string text = recordText(other) + recordText(sample());
    const auto found = findListing(text, standardSubject(stage("naive")), "sm_90");
    QVERIFY(found.has_value() && found->recorded);
    QCOMPARE(found->listing.instructions.size(), std::size_t{92});
    QVERIFY(found->stale());  // not a fingerprint of any source
    QVERIFY(!findListing(text, standardSubject(stage("naive")), "sm_80"));
    QVERIFY(!findListing(text, standardSubject(stage("tuned")), "sm_90"));
    QVERIFY(!findListing("", standardSubject(stage("naive")), "sm_90"));
    QVERIFY(!findListing("{\nnonsense\n{", standardSubject(stage("naive")), "sm_90"));
  }

  // What ships.
  void everyDefaultTileIsRecorded_data() { addStageRows(); }
  void everyDefaultTileIsRecorded() {
    const Stage& s = stageOfRow();
    TILELOOM_NEEDS_LISTINGS(s);
    for (const std::string_view arch : listedArchitectures(s)) {
      const auto code = recordedListing(standardSubject(s), arch);
      QVERIFY2(code.has_value(), std::string(arch).c_str());
      const std::string again(runs::recordingCommand(runs::Evidence::Listings));
      QVERIFY2(!code->stale(),
               ("the source has changed since: record the listings again: " + again).c_str());
      QVERIFY(code->listing.hasLive());
      // Some warps take more than they start with.
      const int taken = derive(s, s.standardTile()).consumerRegisters;
      QVERIFY(code->listing.mostLive() <= std::max(code->registers, taken));
      QVERIFY(!code->nvrtc.empty() && !code->tool.empty() && !code->when.empty());
      const Loop loop = mainLoop(code->listing);
      QVERIFY(!loop.whole);
      const LoopCost cost = loopCost(code->listing, loop.range, {});
      if (s.ladder == Ladder::Fp32) {
        QVERIFY(cost.ffmas > 0 && cost.lost() >= 0);
      } else {
        const Mix mix = mixOf(code->listing, loop.range);
        const bool groups = s.features().warpgroupMma;
        QVERIFY(mix.onTensorCores() && (mix.of(Class::Ldsm) > 0) == !groups && cost.ffmas == 0);
      }
      TileShape other = s.standardTile();
      other[s.parameters.front().parameter] += 1;
      QVERIFY(!recordedListing(usualSubject(s, other), arch).has_value());
    }
  }

  void theExecutableHoldsTheFiles() {
    const QDir folder(TILELOOM_LISTINGS);
    const QStringList names = folder.entryList({"*.txt"}, QDir::Files, QDir::Name);
    QCOMPARE(qsizetype(listingFiles().size()), names.size());
    qsizetype bytes = 0;
    for (const EmbeddedFile& file : listingFiles()) bytes += qsizetype(file.text.size());
    QVERIFY(bytes < 2500000);
    QCOMPARE(recordedArchitectures(stage("tuned")), (std::vector<std::string>{"sm_86", "sm_90"}));
    for (const Stage* each : everyStage()) {
      const auto listed = listedArchitectures(*each);
      for (const std::string& arch : recordedArchitectures(*each))
        QVERIFY2(std::ranges::find(listed, arch) != listed.end(), arch.c_str());
    }
  }

  // Later rungs, in order of their speed, lose fewer cycles per multiply-add than rung 10.
  void theFiguresOfTheLadder() {
    const auto share = [](const char* id) {
      const auto code = recordedListing(standardSubject(stage(id)), "sm_90");
      return loopCost(code->listing, mainLoop(code->listing).range, {}).share();
    };
    QVERIFY(share("naive") < share("shared"));
    QVERIFY(share("shared") < share("blocktile2d"));
    QVERIFY(share("fragments") < share("tuned"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::MachineCodeTest, Nothing)
#include "machine_code_test.moc"
