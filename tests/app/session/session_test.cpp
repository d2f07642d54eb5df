// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: the round trip of every part, missing parts, and errors.
#include "app/session/session.h"

#include <QtEndian>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "app/session/session_text.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using nlohmann::json;

class SessionTest : public QObject {
  Q_OBJECT

  static Session usual() {
    Session s;
    s.state.stage = &stage("warptiled");
    s.state.tile = s.state.stage->standardTile();
    s.state.problem = kOpeningProblem;
    return s;
  }

 private slots:
  void roundTrip_data() {
    QTest::addColumn<int>("which");
    for (const char* name :
         {"nothing",      "stage",      "tile",        "illegal tile", "size",     "row",
          "column",       "warp",       "instruction", "thread",       "element",  "word",
          "tiles",        "baseline",   "tab",         "zoom",         "theme",    "text",
          "ladder panel", "tile panel", "lower half",  "pace",         "roofline", "form",
          "axes",         "others",     "device",      "beside"})
      QTest::newRow(name) << 0;
  }
  // Each part alone, so that none can hide another.
  void roundTrip() {
    Session s = usual();
    const Session before = s;
    const QByteArray part = QTest::currentDataTag();
    if (part == "stage") {
      s.state.stage = &stage("naive");
      s.state.tile = s.state.stage->standardTile();
    }
    if (part == "tile") s.state.tile[Parameter::BK] = 8;
    if (part == "illegal tile") s.state.tile[Parameter::TM] = 3;
    if (part == "size") s.state.problem = {1, 4097, 31};
    if (part == "row") s.state.row = 640;
    if (part == "column") s.state.column = 2047;
    if (part == "warp") s.state.warp = 3;
    if (part == "instruction") s.state.index = 4539;
    if (part == "thread") s.state.held.thread = 77;
    if (part == "element") s.state.held.element = analysis::Element{analysis::Matrix::B, 9, 1000};
    if (part == "word") s.state.held.word = analysis::SharedWord{4, 1216};
    if (part == "tiles")
      s.tiles[&stage("vectorized")] = {{Parameter::BM, 64},
                                       {Parameter::BN, 64},
                                       {Parameter::BK, 16},
                                       {Parameter::TM, 4},
                                       {Parameter::TN, 4}};
    if (part == "baseline")
      s.state.pinned = usualSubject(stage("warptiled"), s.state.tile.with(Parameter::WNITER, 2));
    if (part == "tab") s.tab = "instructions";
    if (part == "zoom") s.zoom = LoomLevel::Thread;
    if (part == "theme") s.theme = Look::Contrast;
    if (part == "text") s.text = 175;
    if (part == "ladder panel") s.ladderPanel = false;
    if (part == "tile panel") s.tilePanel = false;
    if (part == "lower half") s.lower = 45;
    if (part == "pace") s.pace = Pace::Tile8;
    if (part == "roofline") s.level = RooflineLevel::L2;
    if (part == "form") s.tuning.form = TuningForm::List;
    if (part == "axes") s.tuning.axes = MapAxes{Parameter::WN, Parameter::TM};
    if (part == "others") s.tuning.others = tuning::Others::Best;
    if (part == "device") s.tuning.device = "A \"device\" named ü";
    if (part == "beside") s.tuning.beside = "H200";
    QCOMPARE(s == before, part == "nothing");
    const auto again = parseSession(sessionText(s));
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    QVERIFY(*again == s);
    QCOMPARE(sessionText(*again), sessionText(s));
    // A link carries the same.
    const auto linked = parseLink(sessionLink(s));
    QVERIFY2(linked.has_value(), linked ? "" : linked.error().c_str());
    QVERIFY(*linked == s);
  }

  void brokenLinks() {
    const std::string good = sessionLink(usual());
    QVERIFY(good.starts_with("tileloom:"));
    QVERIFY(good.find_first_of(" \n\t+/=&?#\"") == std::string::npos);
    // A packed size of two gigabytes, which must not be allocated.
    const std::string greedy = "tileloom:f____3icq1bKL0gFAAiyAmA";
    for (const std::string& link :
         {std::string(), std::string("tileloom:"), std::string("https://example.org"),
          good.substr(0, good.size() / 2), good + "%%", std::string("tileloom:AAAA"), greedy}) {
      const auto parsed = parseLink(link);
      QVERIFY2(!parsed.has_value(), link.c_str());
      QVERIFY(parsed.error().find('\n') == std::string::npos);
    }
  }

  // A link of 64 KB that would become 49 MB: its claimed size is not a bound.
  void aLinkThatWouldFillTheMemory() {
    for (const quint32 claimed : {0u, 100u, 0xFFFFFu, 0xFFFFFFFFu}) {
      QByteArray packed = qCompress(QByteArray(49'000'000, '['), 9);
      qToBigEndian(claimed, packed.data());
      const QByteArray link = "tileloom:" + packed.toBase64(QByteArray::Base64UrlEncoding |
                                                            QByteArray::OmitTrailingEquals);
      const auto parsed = parseLink(link.toStdString());
      QVERIFY(!parsed.has_value());
      QCOMPARE(parsed.error(), std::string("this link is cut or changed: copy the whole of it"));
    }
  }

  void whatIsMissingKeepsItsDefault() {
    const auto s = parseSession(R"({"schema": "tileloom.session/1", "stage": "k10", "new": [1]})");
    QVERIFY(s.has_value());
    QVERIFY(*s == usual());
  }

  void aRungOfTheFutureIsLeftOut() {
    json whole = json::parse(sessionText(usual()));
    whole["tiles"]["tensorcores"] = {{"BM", 64}};
    const auto s = parseSession(whole.dump());
    QVERIFY(s.has_value());
    QVERIFY(s->tiles.empty());
  }

  void wrong_data() {
    QTest::addColumn<QByteArray>("patch");
    QTest::addColumn<QByteArray>("names");
    const auto row = [](const char* patch, const char* names) {
      QTest::newRow(patch) << QByteArray(patch) << QByteArray(names);
    };
    row(R"({"schema": "tileloom.session/2"})", "schema");
    row(R"({"schema": null})", "schema");
    row(R"({"stage": "tensor"})", "tensor");
    row(R"({"stage": 8})", "stage");
    row(R"({"tile": 5})", "\"tile\"");
    row(R"({"ladder panel": 1})", "\"ladder panel\"");
    row(R"({"baseline": 5})", "\"baseline\"");
    row(R"({"baseline": "tensor"})", "\"baseline\"");
    row(R"({"baseline": "warptiled:WNITER=3"})", "\"baseline\"");
    row(R"({"tile": {"BM": "128"}})", "tile.BM");
    row(R"({"tile": {"BM": 1e9}})", "tile.BM");
    row(R"({"tile": {"BM": 100000}})", "tile.BM");
    row(R"({"tile": {"BM": -1}})", "tile.BM");
    row(R"({"size": "0x1x1"})", "size");
    row(R"({"size": [1, 2, 3]})", "size");
    row(R"({"row": -1})", "row");
    row(R"({"column": 1.5})", "column");
    row(R"({"warp": 32})", "warp");
    row(R"({"instruction": 99999999999999999999})", "instruction");
    row(R"({"held": []})", "held");
    row(R"({"held": {"thread": 1024}})", "held.thread");
    row(R"({"held": {"element": {"matrix": "D", "row": 0, "column": 0}}})", "held.element.matrix");
    row(R"({"held": {"element": {"row": -5}}})", "held.element.row");
    row(R"({"held": {"word": {"array": 300}}})", "held.word.array");
    row(R"({"tiles": {"naive": 3}})", "tiles.naive");
    row(R"({"tiles": {"naive": {"BLOCKSIZE": 0}}})", "tiles.naive.BLOCKSIZE");
    row(R"({"roofline": "l3"})", "roofline");
    row(R"({"tuning": "map"})", "\"tuning\"");
    row(R"({"tuning": {"form": "circle"}})", "tuning.form");
    row(R"({"tuning": {"others": 1}})", "tuning.others");
    row(R"({"tuning": {"axes": "BM"}})", "tuning.axes");
    row(R"({"tuning": {"axes": "BM,BM"}})", "tuning.axes");
    row(R"({"tuning": {"axes": ["BM", "BN"]}})", "\"BM,BN\"");
    row(R"({"tuning": {"device": 5}})", "tuning.device");
    row(R"({"tuning": {"device": "a\u001bb"}})", "tuning.device");
    row(R"({"tuning": {"beside": "a\u202eb"}})", "tuning.beside");
    row(R"({"tab": "nowhere"})", "tab");
    row(R"({"zoom": 3})", "zoom");
    row(R"({"theme": "pink"})", "theme");
    row(R"({"text": 99})", "text");
    row(R"({"pace": "0"})", "pace");
  }
  void wrong() {
    QFETCH(QByteArray, patch);
    QFETCH(QByteArray, names);
    json whole = json::parse(sessionText(usual()));
    whole.update(json::parse(patch.toStdString()));
    const auto s = parseSession(whole.dump());
    QVERIFY(!s.has_value());
    QVERIFY2(q(s.error()).contains(QString::fromUtf8(names)), s.error().c_str());
    QVERIFY(!q(s.error()).contains('\n'));
  }

  void rubbish_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("hello");
    QTest::newRow("array") << QByteArray("[]");
    QTest::newRow("half") << QByteArray(sessionText(usual()).substr(0, 100).c_str());
    QTest::newRow("no UTF-8") << QByteArray("{\"schema\": \"\xff\"}");
    QTest::newRow("deep") << QByteArray(100000, '[');
  }
  void rubbish() {
    QFETCH(QByteArray, text);
    const auto s = parseSession(text.toStdString());
    QVERIFY(!s.has_value());
    QVERIFY2(q(s.error()).contains("session"), s.error().c_str());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SessionTest, EventLoop)
#include "session_test.moc"
