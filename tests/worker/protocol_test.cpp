// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's messages as values: which come back equal, and which are refused with which
// sentence.
#include "kernels/worker/protocol.h"

#include <QtTest>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {
namespace {

using nlohmann::json;
using worker::AheadRequest;
using worker::CompileFacts;
using worker::CompileRequest;
using worker::MeasureRequest;
using worker::WorkerInfo;

// A value as the other side gets it: through a line of text.
json sent(const json& value) {
  return worker::parseLine(value.dump());
}

json parsed(const QByteArray& text) {
  const json value = json::parse(text.toStdString(), nullptr, false);
  if (value.is_discarded()) qFatal("the row is not JSON: %s", text.constData());
  return value;
}

CompileRequest compilation(const Stage& stage) {
  return {{standardSubject(stage), defaultArchitecture()}};
}

MeasureRequest measurement(const Stage& stage) {
  MeasureRequest q{{standardSubject(stage), {1, 4095, 32768}}, 3, {}};
  q.options = {7, 77, 0.0125, 123.5, 4567.25};  // none is the usual value
  return q;
}

AheadRequest ahead(const Stage& stage) {
  AheadRequest q{&stage,
                 {stage.standardTile(), stage.standardTile()},
                 defaultArchitecture(),
                 stage.usualFormat()};
  q.tiles[1][stage.parameters[0].parameter] = stage.parameters[0].min;
  return q;
}

WorkerInfo machine() {
  WorkerInfo info;
  info.version = "1.2.3";
  info.nvrtc = "13.0";
  info.architectures = {80, 90, 120};
  info.cublas = "13.1.2";
  info.cublasLt = "13.1.3";
  info.driver = "13.0";
  info.driverVersion = "580.159.04";
  gpu::DeviceInfo d;
  d.index = 1;
  d.name = "Erfundenes Ger\u00e4t";
  d.bus = "0000:17:00.0";
  d.major = 9;
  d.sms = 132;
  d.warpsPerSm = 64;
  d.blocksPerSm = 32;
  d.registersPerSm = 65536;
  d.sharedPerSm = 233472;
  d.sharedPerBlock = 232448;
  d.l2Bytes = 50 << 20;
  d.memoryBytes = 85'000'000'001;  // odd and beyond 32 bits
  d.clockMHz = 1980;
  info.devices = {d, d};
  info.devices[1].index = 2;
  info.devices[1].minor = 9;
  info.missing = {"NVML was not found: install it"};
  return info;
}

CompileFacts facts() {
  CompileFacts f;
  f.resources = {168, 16, 24, 40, 16384};
  f.remarks = {"the assembler adds a wait for wgmma, because accumulators are used before one"};
  f.dynamicShared = 65536;
  f.loop = {1181, 1024, 7, 4};
  f.whyNotRewritten = "a factor is read after the last product";
  f.arch = "sm_90";
  f.nvrtc = "13.0";
  f.fingerprint = "0123456789abcdef";
  f.milliseconds = 151.25;
  f.cached = true;
  return f;
}

// One line, not endless, and without anything that a terminal or a window would stumble over.
void checkSentence(const std::string& text) {
  QVERIFY2(text.size() > 15 && text.size() < 300, text.c_str());
  for (const char c : text)
    QVERIFY2(static_cast<unsigned char>(c) >= 32 && static_cast<unsigned char>(c) < 127,
             text.c_str());
  QVERIFY2(text.back() != '.' && text.find(". ") == std::string::npos, text.c_str());
}

// `members` of the object `base` replaced (by what is not null) or, named in `without`, removed.
json changed(json base, const json& members, const char* without) {
  base.update(members);
  if (*without != 0) base.erase(without);
  return base;
}

}  // namespace

class ProtocolTest : public QObject {
  Q_OBJECT

 private slots:
  // The window shows what a worker reports about its machine.
  void aHelloThatCannotBeShown() {
    json hello = worker::toJson(machine());
    hello["missing"] = {"no GPU\n\x1b[2J here", std::string(10000, 'x')};
    const auto read = worker::workerInfoFrom(hello);
    QVERIFY(read.has_value());
    QCOMPARE(q(read->missing[0]), QString("no GPU??[2J here"));
    QVERIFY(read->missing[1].size() < 1100);
    for (const json& number : {json(-1), json(0), json(1LL << 40), json("90")}) {
      hello["architectures"] = {90, number};
      const auto refused = worker::workerInfoFrom(hello);
      QVERIFY(!refused.has_value());
      checkSentence(refused.error());
    }
    hello["architectures"] = {90};
    hello["devices"][0]["name"] = "a\x1b[2Jb";
    QVERIFY(!worker::workerInfoFrom(hello).has_value());
  }

  void requestsComeBackEqual_data() { addStageRows(); }
  void requestsComeBackEqual() {
    const Stage& stage = stageOfRow();
    const auto c = worker::compileRequestFrom(sent(worker::toJson(compilation(stage))));
    QVERIFY2(c, c ? "" : c.error().c_str());
    const auto a = worker::aheadRequestFrom(sent(worker::toJson(ahead(stage))));
    QVERIFY2(a, a ? "" : a.error().c_str());
    QVERIFY(a->stage == &stage && a->tiles == ahead(stage).tiles);
    QCOMPARE(q(a->arch.name), q(defaultArchitecture().name));
    QCOMPARE(c->rung(), &stage);
    QVERIFY(c->tile == stage.standardTile());
    QCOMPARE(q(c->arch.name), q(defaultArchitecture().name));

    const MeasureRequest want = measurement(stage);
    const auto m = worker::measureRequestFrom(sent(worker::toJson(want)));
    QVERIFY2(m, m ? "" : m.error().c_str());
    QCOMPARE(m->rung(), &stage);
    QVERIFY(m->tile == want.tile);
    QVERIFY(m->problem == want.problem);
    QCOMPARE(m->device, want.device);
    QCOMPARE(m->options.minRounds, want.options.minRounds);
    QCOMPARE(m->options.maxRounds, want.options.maxRounds);
    QCOMPARE(m->options.spread, want.options.spread);
    QCOMPARE(m->options.budgetMs, want.options.budgetMs);
    QCOMPARE(m->options.limitMs, want.options.limitMs);
    QVERIFY(!m->counters);
    MeasureRequest counting = want;
    counting.counters = true;
    QVERIFY(worker::measureRequestFrom(sent(worker::toJson(counting)))->counters);
  }

  // A request names the arithmetic where it is not the stage's usual one, so that what older
  // versions send and understand stays as it was.
  void formats() {
    const Stage& ring = stage("mmaring");
    CompileRequest compile = compilation(ring);
    AheadRequest wanted = ahead(ring);
    MeasureRequest measure = measurement(ring);
    compile.format = wanted.format = measure.format = Format::Fp16;
    QVERIFY(worker::compileRequestFrom(sent(worker::toJson(compile)))->format == Format::Fp16);
    QVERIFY(worker::aheadRequestFrom(sent(worker::toJson(wanted)))->format == Format::Fp16);
    QVERIFY(worker::measureRequestFrom(sent(worker::toJson(measure)))->format == Format::Fp16);
    worker::AheadAnswer answer{
        1,
        {{{{&ring, ring.standardTile(), Format::Fp16}, defaultArchitecture()},
          false,
          32,
          0,
          0,
          {}}}};
    QVERIFY(worker::aheadAnswerFrom(sent(worker::toJson(answer)))->compiled[0].format ==
            Format::Fp16);

    compile.format = Format::Bf16;
    QVERIFY(!worker::toJson(compile).contains("arithmetic"));
    QVERIFY(!worker::toJson(measurement(stage("naive"))).contains("arithmetic"));
    QVERIFY(worker::measureRequestFrom(sent(worker::toJson(measurement(ring))))->format ==
            Format::Bf16);
    for (const char* wrong : {"fp32", "tf32", ""}) {
      json message = worker::toJson(compile);
      message["arithmetic"] = wrong;
      const auto refused = worker::compileRequestFrom(sent(message));
      QVERIFY(!refused);
      QVERIFY2(refused.error().find("mmaring has: bf16 or fp16") != std::string::npos,
               refused.error().c_str());
    }
  }

  void everyArchitectureComesBack() {
    for (const Architecture& arch : architectures()) {
      CompileRequest request = compilation(stage("warptiled"));
      request.arch = arch;
      const auto again = worker::compileRequestFrom(sent(worker::toJson(request)));
      QVERIFY(again.has_value());
      QCOMPARE(q(again->arch.name), q(arch.name));
      QCOMPARE(again->arch.sharedPerBlock, arch.sharedPerBlock);
    }
  }

  void whatIsLeftOutIsUsual() {
    json params = worker::toJson(measurement(stage("naive")));
    for (const char* key :
         {"device", "min_rounds", "max_rounds", "spread", "budget_ms", "limit_ms"}) {
      params.erase(key);
    }
    const auto m = worker::measureRequestFrom(sent(params));
    QVERIFY2(m, m ? "" : m.error().c_str());
    const gpu::MeasureOptions usual;
    QCOMPARE(m->device, 0);
    QCOMPARE(m->options.minRounds, usual.minRounds);
    QCOMPARE(m->options.maxRounds, usual.maxRounds);
    QCOMPARE(m->options.spread, usual.spread);
    QCOMPARE(m->options.budgetMs, usual.budgetMs);
    QCOMPARE(m->options.limitMs, usual.limitMs);
  }

  void answersComeBackEqual() {
    const WorkerInfo want = machine();
    const auto info = worker::workerInfoFrom(sent(worker::toJson(want)));
    QVERIFY2(info, info ? "" : info.error().c_str());
    QCOMPARE(q(info->version), q(want.version));
    QCOMPARE(q(info->nvrtc), q(want.nvrtc));
    QCOMPARE(info->architectures, want.architectures);
    QCOMPARE(q(info->cublas), q(want.cublas));
    QCOMPARE(q(info->cublasLt), q(want.cublasLt));
    QCOMPARE(q(info->driver), q(want.driver));
    QCOMPARE(q(info->driverVersion), q(want.driverVersion));
    QCOMPARE(info->missing, want.missing);
    QVERIFY(info->devices == want.devices);
    QVERIFY(info->canMeasure());

    // A machine with nothing.
    const auto bare = worker::workerInfoFrom(sent(worker::toJson(WorkerInfo{})));
    QVERIFY2(bare, bare ? "" : bare.error().c_str());
    QVERIFY(!bare->canCompile() && !bare->canMeasure());
    QVERIFY(bare->devices.empty() && bare->architectures.empty() && bare->missing.empty());

    for (const int registers : {168, -1}) {  // -1: the assembler's report does not say
      CompileFacts f = facts();
      f.resources.registers = registers;
      f.rewritten = registers < 0;
      const auto again = worker::compileFactsFrom(sent(worker::toJson(f)));
      QVERIFY2(again, again ? "" : again.error().c_str());
      QVERIFY(again->resources == f.resources);
      QVERIFY(again->remarks == f.remarks);
      QCOMPARE(again->dynamicShared, f.dynamicShared);
      QVERIFY(again->loop == f.loop);
      QCOMPARE(again->rewritten, f.rewritten);
      QCOMPARE(q(again->whyNotRewritten), q(f.whyNotRewritten));
      QCOMPARE(q(again->arch), q(f.arch));
      QCOMPARE(q(again->nvrtc), q(f.nvrtc));
      QCOMPARE(q(again->fingerprint), q(f.fingerprint));
      QCOMPARE(again->milliseconds, f.milliseconds);
      QCOMPARE(again->cached, f.cached);
    }
  }

  void badParams_data() {
    QTest::addColumn<QString>("method");      // "": all; "one tile": all but ahead
    QTest::addColumn<QByteArray>("members");  // put instead of the good ones
    QTest::addColumn<QByteArray>("without");
    QTest::addColumn<QStringList>("named");  // what the sentence must contain
    const auto row = [](const char* what, const char* method, const QByteArray& members,
                        const char* without, const QStringList& named) {
      QTest::newRow(what) << QString(method) << members << QByteArray(without) << named;
    };
    const auto text = [](const char* key, const QByteArray& value) {
      return QByteArray("{\"") + key + "\": \"" + value + "\"}";
    };

    row("no stage", "", "{}", "stage", {"\"stage\"", "not there"});
    const QStringList noStage = {"\"stage\"", "id of a stage"};
    row("unknown stage", "", text("stage", "quantum"), "", noStage);
    row("a rung's number", "", text("stage", "8"), "", noStage);
    row("empty stage", "", text("stage", ""), "", noStage);
    row("null stage", "", R"({"stage": null})", "", noStage);
    row("other case", "", text("stage", "Warptiled"), "", noStage);
    row("blanks", "", text("stage", " warptiled"), "", noStage);
    const QStringList noControl = {"\"stage\"", "control characters"};
    row("a NUL behind it", "", text("stage", "warptiled\\u0000"), "", noControl);
    row("a path", "", text("stage", "../../etc/passwd"), "", noStage);
    row("a source file", "", text("stage", "kernels/stages/fp32/warptiled.cuh"), "", noStage);
    row("an option", "", text("stage", "-include/etc/passwd"), "", noStage);
    row("not ASCII", "", text("stage", "w\xc3\xa4rptiled\xf0\x9f\xa7\xb5"), "", noStage);
    row("more lines", "", text("stage", "warptiled\\nnaive"), "", noControl);
    row("200 letters", "", text("stage", QByteArray(200, 'w')), "", noStage);
    row("201 letters", "", text("stage", QByteArray(201, 'w')), "", {"\"stage\"", "200"});
    row("a megabyte", "", text("stage", QByteArray(1000000, 'w')), "", {"\"stage\"", "200"});
    for (const char* value : {"8", "true", "[\"warptiled\"]", "{\"id\": \"warptiled\"}"}) {
      QTest::addRow("stage is %s", value)
          << QString() << QByteArray("{\"stage\": ") + value + "}" << QByteArray()
          << QStringList{"\"stage\"", "not a string"};
    }

    row("no tiles", "ahead", "{}", "tiles", {"\"tiles\"", "not there"});
    for (const char* value : {"{}", "\"BM=128\"", "8", "null"}) {
      QTest::addRow("tiles is %s", value) << "ahead" << QByteArray("{\"tiles\": ") + value + "}"
                                          << QByteArray() << QStringList{"\"tiles\"", "not a list"};
    }
    row("a tile that is a number", "ahead", R"({"tiles": [8]})", "",
        {"\"tiles\"", "list of tiles"});
    row("a tile that is empty", "ahead", R"({"tiles": [{}]})", "", {"\"tiles\"", "BM is missing"});
    row("no arch ahead", "ahead", "{}", "arch", {"\"arch\"", "not there"});

    row("no arch", "compile", "{}", "arch", {"\"arch\"", "not there"});
    const QStringList noArch = {"\"arch\"", "sm_80", "sm_120"};
    row("unknown arch", "compile", text("arch", "sm_42"), "", noArch);
    row("empty arch", "compile", text("arch", ""), "", noArch);
    row("null arch", "compile", R"({"arch": null})", "", noArch);
    row("an arch with more", "compile", text("arch", "sm_90 -include /etc/passwd"), "", noArch);
    row("a virtual arch", "compile", text("arch", "compute_90"), "", noArch);
    row("a path as arch", "compile", text("arch", "../sm_90"), "", noArch);
    row("arch with a line end", "compile", text("arch", "sm_90\\n"), "",
        {"\"arch\"", "control characters"});
    row("arch not ASCII", "compile", text("arch", "sm_\xd9\xa9\xd9\xa0"), "", noArch);
    // 17 bytes; the 16th is the first of a two-byte letter, which must not be cut in two.
    row("arch cut in a letter", "compile", text("arch", "sm_90__________\xc3\xa9"), "", noArch);
    row("very long arch", "compile", text("arch", QByteArray(5000, '9')), "", {"\"arch\"", "200"});
    row("a number as arch", "compile", R"({"arch": 90})", "", {"\"arch\"", "not a string"});

    row("no tile", "one tile", "{}", "tile", {"\"tile\"", "not there"});
    for (const char* value : {"[]", "\"BM=128\"", "8", "null"}) {
      QTest::addRow("tile is %s", value)
          << "one tile" << QByteArray("{\"tile\": ") + value + "}" << QByteArray()
          << QStringList{"\"tile\"", "not an object"};
    }
    row("empty tile", "one tile", R"({"tile": {}})", "",
        {"\"tile\"", "warptiled", "BM is missing"});
    const auto parameter = [&](const char* what, const char* name, const char* value,
                               const char* range) {
      json tile = worker::toJson(compilation(stage("warptiled")))["tile"];
      if (*value == 0) {
        tile.erase(name);
      } else {
        tile[name] = parsed(value);
      }
      row(what, "one tile", QByteArray::fromStdString(json{{"tile", tile}}.dump()), "",
          {"\"tile\"", "warptiled", name, range});
    };
    parameter("a tile parameter missing", "TN", "", "from 4 to 32");
    parameter("a tile parameter that is a float", "BM", "128.0", "from 8 to 256");
    parameter("half a tile parameter", "BM", "64.5", "from 8 to 256");
    parameter("a tile parameter that is a text", "BK", "\"16\"", "from 4 to 64");
    parameter("a tile parameter that is null", "BK", "null", "from 4 to 64");
    parameter("a tile parameter that is true", "WNITER", "true", "from 1 to 16");
    parameter("zero", "WM", "0", "from 4 to 256");
    parameter("negative", "TM", "-8", "from 1 to 32");
    parameter("one too many", "TM", "33", "from 1 to 32");
    parameter("2^32 + 8", "TM", "4294967304", "from 1 to 32");
    parameter("2^63", "BN", "9223372036854775808", "from 8 to 256");
    parameter("2^64 - 1", "BN", "18446744073709551615", "from 8 to 256");
    parameter("-2^63", "BN", "-9223372036854775808", "from 8 to 256");

    for (const char* key : {"m", "n", "k"}) {
      const QString quoted = QStringLiteral("\"%1\"").arg(QLatin1String(key));
      const auto size = [&](const char* value, const QString& said) {
        QTest::addRow("%s is %s", key, value)
            << "measure" << QByteArray("{\"") + key + "\": " + value + "}" << QByteArray()
            << QStringList{quoted, said};
      };
      for (const char* value : {"0", "-1", "32769", "2147483648", "4294967297",
                                "18446744073709551615", "-9223372036854775808"}) {
        size(value, "from 1 to 32768");
      }
      for (const char* value : {"\"128\"", "128.5", "1e3", "null", "[128]", "{}", "true"})
        size(value, "a whole number");
      QTest::addRow("no %s", key) << "measure" << QByteArray("{}") << QByteArray(key)
                                  << QStringList{quoted, "not there"};
    }

    row("device -1", "measure", R"({"device": -1})", "", {"\"device\"", "from 0 to 1023"});
    row("device 1024", "measure", R"({"device": 1024})", "", {"\"device\"", "from 0 to 1023"});
    row("device 0.0", "measure", R"({"device": 0.0})", "", {"\"device\"", "a whole number"});
    row("device by name", "measure", R"({"device": "/dev/nvidia0"})", "",
        {"\"device\"", "a whole number"});
    for (const char* key : {"min_rounds", "max_rounds", "spread", "budget_ms", "limit_ms"}) {
      for (const char* value : {"\"5\"", "null", "true", "[]", "{\"ms\": 5}"}) {
        QTest::addRow("%s is %s", key, value)
            << "measure" << QByteArray("{\"") + key + "\": " + value + "}" << QByteArray()
            << QStringList{QStringLiteral("\"%1\"").arg(QLatin1String(key)), "not a number"};
      }
    }
  }
  void badParams() {
    QFETCH(QString, method);
    QFETCH(QByteArray, members);
    QFETCH(QByteArray, without);
    QFETCH(QStringList, named);
    const Stage& s = stage("warptiled");
    const auto check = [&](const char* which, const json& good, const auto& from) {
      const bool oneTile = method == QLatin1String("one tile");
      if (oneTile ? which == std::string_view("ahead")
                  : !method.isEmpty() && method != QLatin1String(which))
        return;
      QVERIFY(from(good).has_value());
      const auto result = from(changed(good, parsed(members), without.constData()));
      QVERIFY2(!result, "it was taken");
      checkSentence(result.error());
      for (const QString& part : named + QStringList{QString::fromLatin1(which)})
        QVERIFY2(q(result.error()).contains(part), result.error().c_str());
    };
    check("compile", worker::toJson(compilation(s)), worker::compileRequestFrom);
    check("measure", worker::toJson(measurement(s)), worker::measureRequestFrom);
    check("ahead", worker::toJson(ahead(s)), worker::aheadRequestFrom);
  }

  void whatIsNoObject() {
    for (const char* text : {"null", "[]", "[1, 2]", "\"warptiled\"", "7", "true"}) {
      const json params = parsed(text);
      for (const std::string& error :
           {worker::compileRequestFrom(params).error(), worker::measureRequestFrom(params).error(),
            worker::aheadRequestFrom(params).error(), worker::compileFactsFrom(params).error(),
            worker::workerInfoFrom(params).error()}) {
        checkSentence(error);
        QVERIFY2(error.find("is not an object") != std::string::npos, error.c_str());
      }
    }
  }

  // Unknown members change nothing, and neither does a tile parameter of another stage.
  void extraMembersAreIgnored() {
    const json extra = {{"file", "/etc/passwd"}, {"options", {"-include", "x"}}, {"threads", 7}};
    json params = worker::toJson(measurement(stage("naive")));
    params.update(extra);
    params["tile"].update(extra);
    params["tile"]["BM"] = 64;
    params["tile"]["blocksize"] = 1;
    const auto m = worker::measureRequestFrom(sent(params));
    QVERIFY2(m, m ? "" : m.error().c_str());
    QVERIFY(m->tile == stage("naive").standardTile());
    QVERIFY(worker::toJson(*m) == worker::toJson(measurement(stage("naive"))));
  }

  void compiledAheadComesBackEqual() {
    const Stage& s = stage("warptiled");
    worker::AheadAnswer answer{7, {}};
    answer.compiled.push_back(
        {{standardSubject(s), defaultArchitecture()}, false, 168, 16, 24, {1181, 1024, 7, 4}});
    answer.compiled.push_back({{standardSubject(s), defaultArchitecture()}, true, -1, 0, 0, {}});
    answer.compiled[1].asCompiled = true;
    const auto a = worker::aheadAnswerFrom(sent(worker::toJson(answer)));
    QVERIFY2(a, a ? "" : a.error().c_str());
    QCOMPARE(a->processes, 7);
    QCOMPARE(a->compiled.size(), std::size_t(2));
    QVERIFY(a->compiled[0].rung() == &s && a->compiled[0].tile == s.standardTile());
    QCOMPARE(q(a->compiled[0].arch.name), q(defaultArchitecture().name));
    QVERIFY(!a->compiled[0].failed && a->compiled[1].failed);
    QVERIFY(a->compiled[0].registers == 168 && a->compiled[0].spillStores == 16 &&
            a->compiled[0].spillLoads == 24 &&
            a->compiled[0].loop == (sass::LoopSize{1181, 1024, 7, 4}));
    QVERIFY(!a->compiled[0].asCompiled && a->compiled[1].asCompiled);
    json former = worker::toJson(answer);  // of a worker that does not say it
    former["compiled"][1].erase("as_compiled");
    QVERIFY(!worker::aheadAnswerFrom(former)->compiled[1].asCompiled);
    json wrong = worker::toJson(answer);
    wrong["compiled"][1]["tile"]["TM"] = 99;
    const auto refused = worker::aheadAnswerFrom(wrong);
    QVERIFY(!refused && refused.error().find("\"tile\"") != std::string::npos);
  }

  void ceilingsRequests() {
    const auto q =
        worker::ceilingsRequestFrom(sent(worker::toJson(worker::CeilingsRequest{3, 1234.5})));
    QVERIFY(q && q->device == 3 && q->limitMs == 1234.5);
    QVERIFY(worker::ceilingsRequestFrom(json::object()).has_value());
    QCOMPARE(worker::ceilingsRequestFrom({{"limit_ms", 1e300}})->limitMs, 600000.0);
    for (const json& wrong : {json({{"device", -1}}), json({{"device", 1.5}}),
                              json({{"limit_ms", "long"}}), json::array()}) {
      const auto refused = worker::ceilingsRequestFrom(wrong);
      QVERIFY2(!refused, wrong.dump().c_str());
      checkSentence(refused.error());
    }
  }

  // More than a worker uses: the first of them count.
  void tilesBeyondManyAreLeftOut() {
    AheadRequest request = ahead(stage("warptiled"));
    request.tiles.resize(AheadRequest::kMost + 5, request.tiles[0]);
    const auto a = worker::aheadRequestFrom(sent(worker::toJson(request)));
    QVERIFY2(a, a ? "" : a.error().c_str());
    QCOMPARE(a->tiles.size(), AheadRequest::kMost);
  }

  // Whether a tile is legal depends on the device, which a request does not know: values within
  // their ranges pass here, and the worker answers with the constraint table's sentence.
  void illegalTilesAreTheConstraintTablesBusiness() {
    CompileRequest request = compilation(stage("warptiled"));
    request.tile[Parameter::TN] = 7;
    QVERIFY(!isLegal(*request.rung(), request.tile));
    const auto again = worker::compileRequestFrom(sent(worker::toJson(request)));
    QVERIFY(again.has_value());
    QVERIFY(again->tile == request.tile);
  }

  void limitsAreClamped_data() {
    QTest::addColumn<double>("asked");
    QTest::addColumn<bool>("large");
    for (const double huge : {1e7, 2147483648.0, 1e9, 1e10, 1e18, 1e300}) {
      QTest::addRow("%g", huge) << huge << true;
      QTest::addRow("%g", -huge) << -huge << false;
    }
    QTest::newRow("the largest") << std::numeric_limits<double>::max() << true;
    QTest::newRow("the smallest") << std::numeric_limits<double>::lowest() << false;
    QTest::newRow("-1") << -1.0 << false;
  }
  void limitsAreClamped() {
    QFETCH(double, asked);
    QFETCH(bool, large);
    json params = worker::toJson(measurement(stage("naive")));
    for (const char* key : {"min_rounds", "max_rounds", "spread", "budget_ms", "limit_ms"})
      params[key] = asked;
    const auto m = worker::measureRequestFrom(sent(params));
    QVERIFY2(m, m ? "" : m.error().c_str());
    QCOMPARE(m->options.minRounds, large ? 1000 : 1);
    QCOMPARE(m->options.maxRounds, large ? 100000 : 1);
    QCOMPARE(m->options.spread, large ? 1.0 : 0.0);
    QCOMPARE(m->options.budgetMs, large ? 600000.0 : 0.0);
    QCOMPARE(m->options.limitMs, large ? 600000.0 : 1.0);
  }

  // No line can say these, but a value can hold them.
  void notANumber() {
    for (const double v :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      json params = worker::toJson(measurement(stage("naive")));
      params["budget_ms"] = v;
      const auto m = worker::measureRequestFrom(params);
      QVERIFY(!m);
      QVERIFY2(m.error().find("\"budget_ms\"") != std::string::npos, m.error().c_str());
    }
  }

  // A worker of another version, or a program that is not a worker, is refused.
  void badAnswers_data() {
    QTest::addColumn<QByteArray>("pointer");  // of the member that is replaced or, "", removed
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QStringList>("named");
    const auto row = [](const char* pointer, const char* value, const QStringList& named) {
      QTest::addRow("%s is %s", pointer, value)
          << QByteArray(pointer) << QByteArray(value) << named;
    };
    row("/hello/protocol", "", {"\"protocol\"", "not there"});
    row("/hello/protocol", "\"1\"", {"\"protocol\"", "a whole number"});
    row("/hello/protocol", "-1", {"\"protocol\"", "from 0 to"});
    row("/hello/protocol", "2", {"protocol 2", "same version"});
    row("/hello/version", "7", {"\"version\"", "a string"});
    row("/hello/nvrtc", "", {"\"nvrtc\"", "not there"});
    row("/hello/architectures", "{}", {"\"architectures\"", "a list"});
    row("/hello/architectures", "[\"sm_90\"]", {"architecture", "whole number"});
    row("/hello/devices", "null", {"\"devices\"", "a list"});
    row("/hello/devices/1", "\"H100\"", {"a device", "not an object"});
    row("/hello/devices/1/sms", "0", {"\"sms\"", "from 1 to 10000"});
    row("/hello/devices/0/warps_per_sm", "1e99", {"\"warps_per_sm\"", "a whole number"});
    row("/hello/devices/0/memory_bytes", "-1", {"\"memory_bytes\"", "from 0 to"});
    row("/hello/devices/0/name", "", {"\"name\"", "not there"});
    row("/hello/missing", "7", {"\"missing\"", "a list"});
    row("/facts/registers", "-2", {"\"registers\"", "from -1 to 1024"});
    row("/facts/registers", "168.5", {"\"registers\"", "a whole number"});
    row("/facts/spill_stores", "4294967296", {"\"spill_stores\"", "from 0 to"});
    row("/facts/arch", "90", {"\"arch\"", "a string"});
    row("/facts/ms", "-1", {"\"ms\"", "from 0 to"});
    row("/facts/ms", "\"fast\"", {"\"ms\"", "a number"});
    row("/facts/cached", "1", {"\"cached\"", "true or false"});
    row("/facts/cached", "", {"\"cached\"", "not there"});
  }
  void badAnswers() {
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, value);
    QFETCH(QStringList, named);
    json all = {{"hello", worker::toJson(machine())}, {"facts", worker::toJson(facts())}};
    const json::json_pointer at(pointer.toStdString());
    if (value.isEmpty()) {
      all[at.parent_pointer()].erase(at.back());
    } else {
      all[at] = parsed(value);
    }
    const auto info = worker::workerInfoFrom(all["hello"]);
    const auto compiled = worker::compileFactsFrom(all["facts"]);
    QVERIFY2(info.has_value() != compiled.has_value(), "the damaged one must be refused");
    const std::string error = info ? compiled.error() : info.error();
    checkSentence(error);
    for (const QString& part : named) QVERIFY2(q(error).contains(part), error.c_str());
  }

  void linesAreMessages() {
    const json id = "a \"quoted\"\nid";
    const std::vector<std::string> lines = {
        worker::requestLine(18446744073709551615ull, "compile", {{"stage", "naive"}}),
        worker::resultLine(id, {{"x", 1}}),
        worker::errorLine(id, worker::kGpuError, "two\nlines", Trouble::OutOfMemory),
        worker::errorLine(nullptr, worker::kParseError, "not UTF-8: \xff\xfe"),
        worker::progressLine(7, {{"stage", "naive"}})};
    std::vector<json> messages;
    for (const std::string& line : lines) {
      QVERIFY2(line.find('\n') == std::string::npos, line.c_str());
      messages.push_back(worker::parseLine(line));
      QVERIFY2(messages.back().is_object(), line.c_str());
      QVERIFY(messages.back()["jsonrpc"] == "2.0");
    }
    QVERIFY(messages[0]["id"] == 18446744073709551615ull && messages[0]["method"] == "compile");
    QVERIFY(messages[0]["params"]["stage"] == "naive");
    QVERIFY(messages[1]["id"] == id && messages[1]["result"]["x"] == 1);
    QVERIFY(messages[2]["id"] == id && messages[2]["error"]["code"] == -32000);
    QVERIFY(messages[2]["error"]["data"]["trouble"] == "out-of-memory");
    QVERIFY(messages[3]["id"].is_null() && messages[3]["error"]["code"] == -32700);
    QVERIFY(!messages[3]["error"].contains("data"));
    QVERIFY(messages[4]["method"] == "progress" && messages[4]["params"]["id"] == 7);
    QVERIFY(messages[4]["params"]["run"]["stage"] == "naive" && !messages[4].contains("id"));
  }

  // Copying a json value recurses: what is nested 500,000 deep would overrun the stack.
  void deepLinesAreRefused() {
    const auto nested = [](std::size_t depth) {
      return std::string(depth, '[') + std::string(depth, ']');
    };
    for (const std::size_t depth : {100ul, 10000ul, 500000ul}) {
      QVERIFY(worker::parseLine(nested(depth)).is_discarded());
      QVERIFY(worker::parseLine("{\"id\": 1, \"params\": " + nested(depth) + "}").is_discarded());
    }
    QVERIFY(worker::parseLine(nested(8)) == json::parse(nested(8)));
    for (const char* line : {"", "{", "{} {}", "[1,]", "\xff", "{\"a\": 1e999}"})
      QVERIFY2(worker::parseLine(line).is_discarded(), line);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ProtocolTest, Nothing)
#include "protocol_test.moc"
