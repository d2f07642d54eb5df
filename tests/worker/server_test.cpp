// SPDX-License-Identifier: GPL-3.0-or-later
// The real `tileloom worker` on the fake GPU, spoken to in raw lines: what it answers, how it ends.
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "kernels/runs/loop_times.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/cubin_file.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/worker/raw_worker.h"

namespace tileloom::test {

using worker::requestLine;

class ServerTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_cache;

  QProcessEnvironment environment(const QString& behaviours = {}) {
    QProcessEnvironment e = RawWorker::environment(behaviours);
    e.insert(QStringLiteral("TILELOOM_CACHE"), m_cache.path());
    return e;
  }

  static void checkError(const json& message, const json& id, int code, const QString& said,
                         const char* trouble = "") {
    const std::string text = message.dump();
    QVERIFY2(message.is_object() && message.value("id", json("none")) == id, text.c_str());
    QVERIFY2(message.contains("error") && !message.contains("result"), text.c_str());
    const json& error = message["error"];
    QVERIFY2(error.value("code", 0) == code, text.c_str());
    const std::string words = error.value("message", "");
    QVERIFY2(q(words).contains(said) && words.find('\n') == std::string::npos, text.c_str());
    QVERIFY2(error.contains("data") == (*trouble != 0), text.c_str());
    if (*trouble != 0) QVERIFY2(error["data"] == json({{"trouble", trouble}}), text.c_str());
  }

 private slots:
  void answersInWords() {
    RawWorker w(environment());
    w.say(requestLine(1, "hello", json::object()));
    json answer = w.answer(1);
    QVERIFY2(answer.contains("result"), answer.dump().c_str());
    const auto info = worker::workerInfoFrom(answer["result"]);
    QVERIFY2(info, info ? "" : info.error().c_str());
    QVERIFY(info->canMeasure());
    QCOMPARE(q(info->devices[0].name), QStringLiteral("Fake H100"));

    const Stage& s = stage("warptiled");
    for (const bool again : {false, true}) {
      const std::string id = again ? "again" : "first";
      w.say(request(
          id, "compile",
          worker::toJson(worker::CompileRequest{{standardSubject(s), defaultArchitecture()}})));
      answer = w.answer(id);
      QVERIFY2(answer.contains("result"), answer.dump().c_str());
      const auto facts = worker::compileFactsFrom(answer["result"]);
      QVERIFY2(facts, facts ? "" : facts.error().c_str());
      QCOMPARE(facts->resources.registers, 64);
      QCOMPARE(facts->cached, again);
    }

    w.say(requestLine(3, "measure", quick("warptiled")));
    answer = w.answer(3);
    QVERIFY2(answer.contains("result"), answer.dump().c_str());
    const auto run = runs::fromJson(answer["result"]);
    QVERIFY2(run, run ? "" : run.error().c_str());
    QCOMPARE(q(run->stage), QStringLiteral("warptiled"));
    QVERIFY(run->gflops.median > 0);
    QCOMPARE(w.endInput(), 0);
    QVERIFY2(w.odd().isEmpty(), w.odd().constData());
  }

  // By this program: no tool is needed.
  void aListing() {
    auto around = environment();
    around.insert(QStringLiteral("TILELOOM_NVDISASM"), QStringLiteral("none"));
    around.insert(
        QStringLiteral("TILELOOM_FAKE"),
        QStringLiteral("cubin=" TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin"));
    const json params = worker::toJson(
        worker::CompileRequest{{standardSubject(stage("warptiled")), defaultArchitecture()}});
    RawWorker w(around);
    w.say(request(1, "disassemble", params));
    const json answer = w.answer(1);
    QVERIFY2(answer.contains("result"), answer.dump().c_str());
    const auto code = worker::machineCodeFrom(answer["result"]);
    QVERIFY2(code, code ? "" : code.error().c_str());
    QVERIFY(code->readByThisProgram() && code->listing.hasLive());
    QVERIFY(code->listing.instructions.size() > 100);
    QCOMPARE(w.endInput(), 0);

    // An opcode that is not known.
    const QString file = m_cache.filePath(QStringLiteral("unknown.cubin"));
    const std::vector<char> cubin = CubinFile{}.with(
        std::vector<std::array<std::uint64_t, 2>>{{0x0000000000000fff, 0x000fc00000000000}});
    QFile written(file);
    QVERIFY(written.open(QIODevice::WriteOnly));
    written.write(cubin.data(), qsizetype(cubin.size()));
    written.close();
    around.insert(QStringLiteral("TILELOOM_FAKE"), QStringLiteral("cubin=") + file);
    around.insert(QStringLiteral("TILELOOM_CACHE"), m_cache.path() + QStringLiteral("/other"));
    RawWorker refused(around);
    refused.say(request(2, "disassemble", params));
    checkError(refused.answer(2), 2, worker::kGpuError, "Tileloom cannot read this machine code",
               "unsupported");
    QCOMPARE(refused.endInput(), 0);
  }

  // By a process of its own, which finds the same GPU.
  void samples() {
    auto around = environment();
    around.insert(QStringLiteral("TILELOOM_FAKE_SAMPLING"), QStringLiteral("kernel=warptiled"));
    RawWorker w(around);
    w.say(requestLine(1, "sample", quickSamples("warptiled")));
    const json answer = w.answer(1);
    QVERIFY2(answer.contains("result"), answer.dump().c_str());
    const auto samples = runs::stallSamplesFrom(answer["result"]);
    QVERIFY2(samples.has_value(), samples ? "" : samples.error().c_str());
    QCOMPARE(q(samples->rung()->id), QStringLiteral("warptiled"));
    QCOMPARE(samples->total(), std::uint64_t{14});
    QCOMPARE(w.endInput(), 0);

    around.insert(QStringLiteral("TILELOOM_FAKE_SAMPLING"),
                  QStringLiteral("fail=cuptiPCSamplingEnable:35"));
    RawWorker refused(around);
    refused.say(requestLine(2, "sample", quickSamples("warptiled")));
    checkError(refused.answer(2), 2, worker::kGpuError, "NVreg_RestrictProfilingToAdminUsers=0",
               "unsupported");
    refused.say(requestLine(3, "sample", {{"stage", "warptiled"}}));
    QVERIFY(refused.answer(3).contains("error"));
    QCOMPARE(refused.endInput(), 0);
  }

  // An iteration of the main loop in all versions, of a kernel that is a fixture of the rewriter's
  // tests.
  void loops() {
    auto around = environment();
    around.insert(QStringLiteral("TILELOOM_FAKE"),
                  QStringLiteral("sms=1,registers=200,static=150000,memory=64M,jitter=0,"
                                 "rate=rewritten:100,clock=1500,polls=0,cubin=" TILELOOM_SOURCE_DIR
                                 "/tests/rewrite/fixtures/small.cubin"));
    RawWorker w(around);
    worker::LoopRequest request;
    request.subject() = usualSubject(stage("rewritten"), stage("rewritten")
                                                             .standardTile()
                                                             .with(Parameter::BM, 64)
                                                             .with(Parameter::BN, 64)
                                                             .with(Parameter::WM, 32)
                                                             .with(Parameter::WN, 32));
    w.say(requestLine(1, "loop", worker::toJson(request)));
    json answer = w.answer(1);
    QVERIFY2(answer.contains("result"), answer.dump().c_str());
    const auto times = runs::loopTimesFrom(answer["result"]);
    QVERIFY2(times.has_value(), times ? "" : times.error().c_str());
    QVERIFY(times->rung() == request.rung() && times->tile == request.tile);
    for (const bool paired : {false, true}) {
      QVERIFY(times->of(std::nullopt, paired) != nullptr);
      QVERIFY(times->of(rewrite::Changes{}, paired) != nullptr);
    }

    // A client that only compiles also gets it.
    worker::CompileRequest compiled;
    compiled.subject() = request;
    compiled.arch = defaultArchitecture();
    w.say(requestLine(4, "compile", worker::toJson(compiled)));
    const auto facts = worker::compileFactsFrom(w.answer(4)["result"]);
    QVERIFY2(facts.has_value(), facts ? "" : facts.error().c_str());
    QVERIFY2(facts->rewritten, facts->whyNotRewritten.c_str());

    request.subject() = standardSubject(stage("naive"));
    w.say(requestLine(2, "loop", worker::toJson(request)));
    checkError(w.answer(2), 2, worker::kGpuError, "with the tile parameter BK", "unsupported");
    w.say(requestLine(3, "loop", {{"stage", "naive"}}));
    QVERIFY(w.answer(3).contains("error"));
    QCOMPARE(w.endInput(), 0);
  }

  // Other processes fill the cache before the requests come.
  void compilesAhead() {
    const QTemporaryDir cache;
    auto around = environment();
    around.insert(QStringLiteral("TILELOOM_CACHE"), cache.path());
    RawWorker w(around);
    const Stage& s = stage("warptiled");
    const worker::AheadRequest wanted{
        &s, {s.standardTile(), s.standardTile().with(Parameter::BK, 8)}, defaultArchitecture()};
    const auto entries = [&cache] {
      int files = 0;
      for (QDirIterator i(cache.path(), QDir::Files, QDirIterator::Subdirectories); i.hasNext();
           i.next())
        ++files;
      return files;
    };
    QCOMPARE(entries(), 0);
    std::vector<worker::AheadAnswer::Compiled> compiled;
    int id = 0;
    const auto ask = [&] {
      w.say(requestLine(std::uint64_t(++id), "ahead", worker::toJson(wanted)));
      const auto answer = worker::aheadAnswerFrom(w.answer(id)["result"]);
      if (!answer) return false;
      compiled = answer->compiled;
      return answer->processes >= 1 && compiled.size() == 2;
    };
    QTRY_VERIFY(ask());  // and again those that are known
    QCOMPARE(entries(), 2);
    for (const worker::AheadAnswer::Compiled& c : compiled) {
      QVERIFY(c.rung() == &s && !c.failed);
      QCOMPARE(c.registers, 64);
      QVERIFY(std::ranges::find(wanted.tiles, c.tile) != wanted.tiles.end());
    }
    for (std::size_t i = 0; i < wanted.tiles.size(); ++i) {
      w.say(requestLine(
          std::uint64_t(++id), "compile",
          worker::toJson(worker::CompileRequest{{usualSubject(s, wanted.tiles[i]), wanted.arch}})));
      const auto facts = worker::compileFactsFrom(w.answer(id)["result"]);
      QVERIFY(facts && facts->cached);
    }
    QCOMPARE(w.endInput(), 0);
  }

  void countersAreReadWhereTheyAreAskedFor() {
    auto around = environment();
    around.insert("TILELOOM_FAKE_CUPTI", "value=sm__inst_executed.avg.per_cycle_active:2.5");
    RawWorker w(around);
    json params = quick("warptiled");
    w.say(requestLine(1, "measure", params));
    params["counters"] = true;
    w.say(requestLine(2, "measure", params));
    QVERIFY(!w.answer(1)["result"].contains("counters"));
    const json answer = w.answer(2);
    QVERIFY2(answer.contains("result"), answer.dump().c_str());
    QCOMPARE(answer["result"]["counters"]["instructions_per_cycle"], json(2.5));
    QVERIFY(!answer["result"].contains(worker::kCountersMissing));
  }

  void aDriverThatForbidsCountingSpoilsNoRun() {
    auto around = environment();
    around.insert("TILELOOM_FAKE_CUPTI", "fail=cuptiRangeProfilerEnable:35");
    RawWorker w(around);
    json params = quick("warptiled");
    params["counters"] = true;
    w.say(requestLine(1, "measure", params));
    const json answer = w.answer(1);
    QVERIFY2(answer.contains("result"), answer.dump().c_str());
    QVERIFY(!answer["result"].contains("counters"));
    const auto why = answer["result"].value(worker::kCountersMissing, "");
    QVERIFY(why.find("NVreg_RestrictProfilingToAdminUsers=0") != std::string::npos);
    QVERIFY(runs::fromJson(answer["result"]));
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("id");  // of the answer
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* what, const QByteArray& line, const char* id, int code,
                        const char* said) {
      QTest::newRow(what) << line << QByteArray(id) << code << QString(said);
    };
    const char* no = "not a JSON-RPC 2.0 request";
    row("no JSON", "hello", "null", -32700, "not JSON");
    row("half", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"hel", "null", -32700, "not JSON");
    row("two in a line", R"({"jsonrpc":"2.0","id":1,"method":"hello"} {})", "null", -32700,
        "not JSON");
    row("not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\xfe\",\"method\":\"hello\"}", "null",
        -32700, "not JSON");
    row("a NUL", QByteArray("\0", 1), "null", -32700, "not JSON");
    row("a number beyond all",
        R"({"jsonrpc":"2.0","id":1,"method":"compile","params":{"n":1e999}})", "null", -32700,
        "not JSON");
    row("a shell's line", "$(touch evil); `touch evil` | touch evil", "null", -32700, "not JSON");
    // A copy of this would overrun the stack.
    const QByteArray deep = QByteArray(400000, '[') + QByteArray(400000, ']');
    row("very deep params", R"({"jsonrpc":"2.0","id":1,"method":"compile","params":)" + deep + "}",
        "null", -32700, "too deeply");
    row("a very deep id", R"({"jsonrpc":"2.0","id":)" + deep + R"(,"method":"compile"})", "null",
        -32700, "too deeply");

    row("null", "null", "null", -32600, no);
    row("a text", "\"hello\"", "null", -32600, no);
    row("an empty batch", "[]", "null", -32600, no);
    row("a batch", R"([{"jsonrpc":"2.0","id":1,"method":"hello"}])", "null", -32600, no);
    row("no version", R"({"id": 4, "method": "hello"})", "4", -32600, no);
    row("version 1", R"({"jsonrpc": "1.0", "id": "a", "method": "hello"})", "\"a\"", -32600, no);
    row("version as a number", R"({"jsonrpc": 2.0, "id": 5, "method": "hello"})", "5", -32600, no);
    row("no method", R"({"jsonrpc": "2.0", "id": 6})", "6", -32600, no);
    row("method 7", R"({"jsonrpc": "2.0", "id": 6, "method": 7})", "6", -32600, no);
    row("no id", R"({"jsonrpc": "2.0", "method": "hello"})", "null", -32600, no);
    for (const char* id : {"null", "1.5", "true", "[1]", "{}", "99999999999999999999999"}) {
      QTest::addRow("id %s", id) << QByteArray(R"({"jsonrpc":"2.0","method":"hello","id":)") + id +
                                        "}"
                                 << QByteArray("null") << -32600 << QString(no);
    }

    const char* which =
        "hello, compile, ahead, disassemble, measure, sample, loop, ceilings or cancel";
    row("unknown method", R"({"jsonrpc":"2.0","id":7,"method":"shutdown"})", "7", -32601, which);
    row("empty method", R"({"jsonrpc":"2.0","id":"","method":""})", "\"\"", -32601, which);
    row("other case", R"({"jsonrpc":"2.0","id":-7,"method":"Hello"})", "-7", -32601, which);
    row("a method with a path",
        R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"../hello"})",
        "18446744073709551615", -32601, which);

    row("compile without params", R"({"jsonrpc":"2.0","id":8,"method":"compile"})", "8", -32602,
        "\"stage\"");
    row("ceilings of a device by name",
        R"({"jsonrpc":"2.0","id":8,"method":"ceilings","params":{"device":"H100"}})", "8", -32602,
        "\"device\"");
    row("ahead without params", R"({"jsonrpc":"2.0","id":8,"method":"ahead"})", "8", -32602,
        "\"stage\"");
    row("disassemble without params", R"({"jsonrpc":"2.0","id":8,"method":"disassemble"})", "8",
        -32602, "\"stage\"");
    row("params in a list", R"({"jsonrpc":"2.0","id":8,"method":"measure","params":["naive"]})",
        "8", -32602, "not an object");
    row("params null", R"({"jsonrpc":"2.0","id":8,"method":"measure","params":null})", "8", -32602,
        "not an object");
    row("an unknown stage",
        R"({"jsonrpc":"2.0","id":"x","method":"compile","params":{"stage":"k99"}})", "\"x\"",
        -32602, "the id of a stage");
  }
  // Each answer is one line, and the worker goes on.
  void refusals() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, id);
    QFETCH(int, code);
    QFETCH(QString, said);
    RawWorker w(environment());
    w.say(line.toStdString());
    const json want = json::parse(id.toStdString());
    checkError(w.answer(want), want, code, said);
    w.say(requestLine(77, "hello", json::object()));
    QVERIFY(w.answer(77).contains("result"));
    QCOMPARE(w.endInput(), 0);
    QVERIFY2(w.odd().isEmpty(), w.odd().constData());
    QVERIFY(w.messages().empty());  // two lines, two answers
  }

  // Errors of the GPU, the compiler and the constraint table.
  void troubles_data() {
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QByteArray>("trouble");
    QTest::addColumn<QString>("said");
    QTest::addColumn<int>("status");  // at its end; -1: it goes on
    const auto row = [](const char* what, const char* behaviour, const char* method,
                        const char* members, const char* trouble, const char* said, int status) {
      QTest::newRow(what) << QString(behaviour) << QByteArray(method) << QByteArray(members)
                          << QByteArray(trouble) << QString(said) << status;
    };
    const char* illegal = R"({"tile": {"BM":128,"BN":128,"BK":16,"WM":64,"WN":64,"WNITER":4,
                                        "TM":8,"TN":7}})";
    row("an illegal tile", "", "compile", illegal, "bad-request", "TN = 7", -1);
    row("an illegal tile, measured", "", "measure", illegal, "bad-request", "TN = 7", -1);
    row("NVRTC refuses", "fail=nvrtcCompileProgram:6", "compile", "{}", "compilation", "NVRTC", -1);
    row("no device", "no-device", "measure", "{}", "missing", "", -1);
    row("a device that is not there", "", "measure", R"({"device": 7})", "bad-request", "device 7",
        -1);
    row("a wrong result", "wrong=17", "measure", "{}", "wrong-result", "row 0, column 17", -1);
    row("too little memory", "memory=64K", "measure", "{}", "out-of-memory", "", -1);
    row("an illegal address", "illegal-address", "measure", "{}", "lost", "", 3);
    row("a kernel that hangs", "hang=launch", "measure", "{}", "timed-out", "", 3);
    // In a process of its own, so that the worker lives on.
    row("one that hangs while it is sampled", "hang=launch", "sample", "{}", "unsupported",
        "did not end within the time limit", -1);
  }
  void troubles() {
    QFETCH(QString, behaviour);
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, members);
    QFETCH(QByteArray, trouble);
    QFETCH(QString, said);
    QFETCH(int, status);
    RawWorker w(environment(behaviour));
    json params = method == "sample" ? quickSamples("warptiled") : quick("warptiled");
    params["arch"] = "sm_90";
    params.update(json::parse(members.toStdString()));
    if (behaviour.startsWith("fail=nvrtc")) params["tile"]["BK"] = 8;  // not in the cache
    w.say(requestLine(1, method.toStdString(), params));
    checkError(w.answer(1), 1, -32000, said, trouble.constData());
    if (status >= 0) {
      QCOMPARE(w.status(), status);
    } else {
      w.say(requestLine(2, "hello", json::object()));
      QVERIFY(w.answer(2).contains("result"));
      QCOMPARE(w.endInput(), 0);
    }
    QVERIFY2(w.odd().isEmpty(), w.odd().constData());
  }

  void manyInOneWrite() {
    RawWorker w(environment());
    QByteArray all;
    std::vector<json> ids;
    for (int i = 0; i < 20; ++i) {
      const json id = i % 2 == 0 ? json(1000 + i) : json("request " + std::to_string(i));
      ids.push_back(id);
      all += QByteArray::fromStdString(request(id, i % 4 < 2 ? "hello" : "nonsense", {})) + '\n';
    }
    w.write(all);
    for (std::size_t i = 0; i < ids.size(); ++i)
      QCOMPARE(w.answer(ids[i]).contains("result"), i % 4 < 2);
    QCOMPARE(w.endInput(), 0);
    QVERIFY(w.messages().empty());
  }

  void linesInPieces_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<bool>("bytewise");
    for (const bool bytewise : {false, true}) {
      const char* how = bytewise ? "byte by byte" : "at once";
      QTest::addRow("a line, %s", how) << QByteArray() << QByteArray("\n") << bytewise;
      QTest::addRow("CRLF, %s", how) << QByteArray() << QByteArray("\r\n") << bytewise;
      QTest::addRow("empty lines, %s", how)
          << QByteArray("\n\n\r\n   \n\t\r\n\n") << QByteArray("\n\n\n") << bytewise;
      QTest::addRow("blanks around it, %s", how)
          << QByteArray("  \t ") << QByteArray("  \r\n") << bytewise;
    }
  }
  void linesInPieces() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, end);
    QFETCH(bool, bytewise);
    RawWorker w(environment());
    for (int i = 1; i <= 2; ++i) {
      const QByteArray line =
          before + QByteArray::fromStdString(request(i, "hello", json::object())) + end;
      if (!bytewise) w.write(line);
      for (int b = 0; bytewise && b < line.size(); ++b) w.write(line.mid(b, 1));
      QVERIFY(w.answer(i).contains("result"));
    }
    QCOMPARE(w.endInput(), 0);
    QVERIFY(w.messages().empty());  // empty lines have no answer
    QVERIFY2(w.odd().isEmpty(), w.odd().constData());
  }

  void longLines_data() {
    QTest::addColumn<int>("bytes");
    QTest::addColumn<bool>("ended");  // by a newline
    QTest::addColumn<bool>("taken");
    const int most = static_cast<int>(worker::kLongestLine);
    QTest::newRow("as long as may be") << most << true << true;
    QTest::newRow("one byte more") << most + 1 << true << false;
    QTest::newRow("one byte more, and no end") << most + 1 << false << false;
    QTest::newRow("three times that") << 3 * most << true << false;
  }
  void longLines() {
    QFETCH(int, bytes);
    QFETCH(bool, ended);
    QFETCH(bool, taken);
    RawWorker w(environment());
    std::string line = request("x", "hello", {{"padding", ""}});
    const std::size_t quotes = line.find("\"\"");
    line.insert(quotes + 1, static_cast<std::size_t>(bytes) - line.size(), 'p');
    QCOMPARE(line.size(), static_cast<std::size_t>(bytes));
    w.write(QByteArray::fromStdString(line) + (ended ? "\n" : ""));
    if (taken) {
      QVERIFY(w.answer("x").contains("result"));
      QCOMPARE(w.endInput(), 0);
      return;
    }
    checkError(w.answer(nullptr), nullptr, -32600, QStringLiteral("1048576 bytes"));
    QCOMPARE(w.status(), 2);
    QVERIFY2(w.odd().isEmpty(), w.odd().constData());
  }

  // In any state, the end of the input ends the worker.
  void endOfInput_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("nothing said") << QByteArray();
    QTest::newRow("half a line") << QByteArray("{\"jsonrpc\": ");
    QTest::newRow("while measuring")
        << QByteArray::fromStdString(requestLine(1, "measure", endless("naive"))) + '\n';
  }
  void endOfInput() {
    QFETCH(QByteArray, line);
    RawWorker w(environment());
    w.write(line);
    if (line.endsWith('\n')) QVERIFY(w.progress(1));
    QCOMPARE(w.endInput(), 0);
  }

  // The reader goes away in the middle of a measurement while the input stays open.
  void closedReader() {
    QTemporaryDir folder;
    const QString status = folder.filePath("status");
    QProcess shell;
    shell.setProcessEnvironment(environment());
    shell.start(QStringLiteral("/bin/sh"),
                {"-c", R"({ "$0" worker; echo "ended $?" > "$1"; } | head -n 1)", TILELOOM_PROGRAM,
                 status});
    shell.write(QByteArray::fromStdString(requestLine(1, "measure", endless("naive"))) + '\n');
    const auto said = [&] {
      QFile file(status);
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QTRY_COMPARE(said(), QByteArray("ended 0\n"));
  }

  void cancelling() {
    RawWorker w(environment());
    w.say(requestLine(1, "measure", endless("naive")));
    QVERIFY(w.progress(1));
    w.say(request("waiting", "measure", quick("shared")));
    w.say(requestLine(2, "measure", quick("coalesced")));

    // One that waits is answered at once, and does not run later.
    w.say(requestLine(10, "cancel", {{"id", "waiting"}}));
    checkError(w.answer("waiting"), "waiting", -32000, QStringLiteral("cancelled"), "cancelled");
    QVERIFY(w.answer(10)["result"] == json({{"cancelled", true}}));
    // One that is unknown, answered already, or no id at all.
    for (const json& id : {json("waiting"), json(99), json("1"), json(), json({{"id", 1}})}) {
      w.say(requestLine(11, "cancel", {{"id", id}}));
      QVERIFY2(w.answer(11)["result"] == json({{"cancelled", false}}), id.dump().c_str());
    }
    for (const json& params : {json(), json::array({1}), json("1"), json::object()}) {
      w.say(requestLine(12, "cancel", params));
      QVERIFY2(w.answer(12)["result"] == json({{"cancelled", false}}), params.dump().c_str());
    }
    QVERIFY(w.progress(1));  // none of these has stopped it
    // One that runs ends soon, and the next is measured.
    w.say(requestLine(13, "cancel", {{"id", 1}}));
    QVERIFY(w.answer(13)["result"] == json({{"cancelled", true}}));
    checkError(w.answer(1), 1, -32000, QStringLiteral("cancelled"), "cancelled");
    QVERIFY(w.answer(2).contains("result"));
    w.say(requestLine(14, "cancel", {{"id", 1}}));
    QVERIFY(w.answer(14)["result"] == json({{"cancelled", false}}));
    QCOMPARE(w.endInput(), 0);
    for (const json& message : w.messages())
      QVERIFY2(message.value("method", "") == "progress", message.dump().c_str());
  }

  // The process that samples is ended at once: its limit is ten minutes.
  void cancelsSampling() {
    RawWorker w(environment(QStringLiteral("hang=launch")));
    w.say(requestLine(1, "sample", endlessSamples("naive")));
    w.say(requestLine(2, "sample", {{"stage", "warptiled"}}));
    QTest::qWait(500);  // it may or may not have started its kernel
    w.say(requestLine(3, "cancel", {{"id", 1}}));
    QVERIFY(w.answer(3)["result"] == json({{"cancelled", true}}));
    checkError(w.answer(1), 1, -32000, QStringLiteral("cancelled"), "cancelled");
    // The next request has its turn.
    QVERIFY(w.answer(2).contains("error"));
    QCOMPARE(w.endInput(), 0);
  }

  void tooManyWait() {
    RawWorker w(environment());
    w.say(requestLine(1, "measure", endless("naive")));
    QVERIFY(w.progress(1));
    constexpr int kMost = 256;
    for (int i = 0; i <= kMost; ++i) w.say(requestLine(100ull + i, "measure", quick("naive")));
    checkError(w.answer(100 + kMost), 100 + kMost, -32000, QStringLiteral("too many requests"),
               "failed");
    w.say(requestLine(2, "hello", json::object()));
    QVERIFY(w.answer(2).contains("result"));
    QCOMPARE(w.endInput(), 0);
  }

  // Compiling and saying hello do not wait for the measurement, which reports progress.
  void lanesRunSideBySide() {
    RawWorker w(environment());
    w.say(request("the long one", "measure", endless("blocktile1d")));
    QVERIFY(w.progress("the long one"));
    for (int i = 0; i < 3; ++i) {
      w.say(requestLine(5, "hello", json::object()));
      QVERIFY(w.answer(5).contains("result"));
      json params = quick("shared");
      params["arch"] = "sm_86";
      w.say(requestLine(6, "compile", params));
      QVERIFY(w.answer(6).contains("result"));
    }
    QVERIFY(w.progress("the long one"));
    for (const json& message : w.messages()) {
      QVERIFY2(message.value("method", "") == "progress", message.dump().c_str());
      QVERIFY2(!message.contains("id"), message.dump().c_str());  // a notification
      QVERIFY2(message["params"]["id"] == "the long one", message.dump().c_str());
      const auto run = runs::fromJson(message["params"]["run"]);
      QVERIFY2(run, message.dump().c_str());
      QCOMPARE(q(run->stage), QStringLiteral("blocktile1d"));
    }
    QCOMPARE(w.endInput(), 0);
    QVERIFY2(w.odd().isEmpty(), w.odd().constData());
  }

  // A library that prints does not break the conversation.
  void standardOutputIsForMessagesOnly() {
    QProcessEnvironment chatty = environment();
    chatty.insert(QStringLiteral("TILELOOM_NVML"), QStringLiteral(TILELOOM_CHATTY));
    RawWorker w(chatty);
    w.say(requestLine(1, "hello", json::object()));
    QVERIFY(w.answer(1).contains("result"));
    w.say(requestLine(2, "measure", quick("naive")));
    QVERIFY(w.answer(2).contains("result"));
    QCOMPARE(w.endInput(), 0);
    QVERIFY2(w.odd().isEmpty(), w.odd().constData());
    for (const char* words : {"printed by a library", "written by a library"})
      QVERIFY2(w.errors().contains(words), w.errors().constData());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ServerTest, EventLoop)
#include "server_test.moc"
