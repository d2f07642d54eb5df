// SPDX-License-Identifier: GPL-3.0-or-later
// The real `tileloom worker` on the fake GPU under requests that were changed at random.
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <map>

#include "kernels/tile/constraints.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/worker/raw_worker.h"

namespace tileloom::test {

class MutatedLinesTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_cache;

  // A request of any kind, changed in one place.
  static std::string mutatedLine(Random& random, int id) {
    const auto any = [&random](auto&... all) -> json {
      const json list[] = {all...};
      return list[random.integer(0, sizeof...(all) - 1)];
    };
    const json none = nullptr, yes = true, text = "x", color = "\x1b[31m", minus = -1, half = 0.5;
    const json large = 9.9e99, whole = 4294967296, empty = json::object(), list = json::array();
    const json path = "../../etc/passwd", longText = std::string(3000, 'x');
    const json tile = worker::toJson(
        worker::CompileRequest{{standardSubject(stage("warptiled")), defaultArchitecture()}});
    const json ahead = worker::toJson(worker::AheadRequest{
        &stage("naive"), {stage("naive").standardTile()}, defaultArchitecture()});
    const json measure = quick("naive"), which = {{"id", id - random.integer(1, 50)}};
    const json ceilings = {{"device", random.integer(0, 1)}, {"limit_ms", 2000}};
    const std::pair<const char*, json> kinds[] = {
        {"hello", empty},       {"compile", tile},     {"measure", measure}, {"ahead", ahead},
        {"ceilings", ceilings}, {"disassemble", tile}, {"cancel", which},    {"nonsense", empty}};
    const auto& [method, params] = kinds[random.integer(0, 7)];
    json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}};
    const json odd =
        any(none, yes, text, color, minus, half, large, whole, empty, list, path, longText);
    switch (random.integer(1, 8)) {
      case 1:
        if (!params.empty()) {
          auto member = message["params"].begin();
          std::advance(member, random.integer(0, static_cast<int>(params.size()) - 1));
          *member = odd;
        }
        break;
      case 2:
        message[random.oneIn(2) ? "params" : "method"] = odd;
        break;
      case 3:
        message["id"] = odd;
        break;
      case 4: {
        const std::string line = message.dump();
        return line.substr(
            0, static_cast<std::size_t>(random.integer(0, static_cast<int>(line.size()))));
      }
      case 5: {
        std::string line = message.dump();
        for (int i = 0; i < 3; ++i)
          line[static_cast<std::size_t>(random.integer(0, static_cast<int>(line.size()) - 1))] =
              static_cast<char>(random.integer(0, 255));
        return line;
      }
      case 6: {
        const std::string line = message.dump();
        const std::size_t deep = random.oneIn(2) ? 10 : 50'000;
        return line.substr(0, line.size() - 1) + ",\"x\":" + std::string(deep, '[') +
               std::string(deep, ']') + "}";
      }
      default:
        break;
    }
    return message.dump();
  }

 private slots:
  // Mutated requests: each line has one answer, to its id or to none, however odd it is. After an
  // error that spoils the GPU the worker ends with status 3, and unanswered requests are sent to a
  // fresh worker.
  void everyLineIsAnsweredOnce() {
    Random random(seed());
    QProcessEnvironment around = RawWorker::environment("jitter=0,polls=0");
    around.insert(QStringLiteral("TILELOOM_CACHE"), m_cache.path());
    int alive = 0;
    for (int round = 0; round < 4; ++round) {
      RawWorker w(around);
      std::map<std::string, int> expected;  // answers, by the id as JSON; "null" for odd lines
      QByteArray all;
      for (int i = 0; i < 60; ++i) {
        std::string line = mutatedLine(random, 1000 * round + i);
        std::ranges::replace(line, '\n', ' ');
        if (line.find_first_not_of(" \t\r") == line.npos) continue;
        const json message = worker::parseLine(line);
        const json id = message.is_object() ? message.value("id", json()) : json();
        ++expected[id.is_number_integer() || id.is_string() ? id.dump() : "null"];
        all += QByteArray::fromStdString(line) + '\n';
      }
      w.write(all);
      std::map<std::string, int> answers;
      bool fatal = false;
      // Long requests, and those that wait for them, are cancelled, so that nothing is left to wait
      // for.
      int sync = 0;
      const auto complete = [&] {
        for (const auto& [id, times] : expected) {
          if (id == "null" || answers[id] >= times) continue;
          w.say(request("cancel " + std::to_string(++sync), "cancel", {{"id", json::parse(id)}}));
        }
        const json last = "sync " + std::to_string(++sync);
        w.say(request(last, "nonsense", json::object()));
        const bool there = w.answer(last).contains("error");
        answers.clear();
        for (const json& m : w.messages()) {
          if (m.contains("method")) continue;
          const json id = m["id"];
          if (id.is_string() && (id.get<std::string>().starts_with("cancel ") ||
                                 id.get<std::string>().starts_with("sync ")))
            continue;
          ++answers[id.dump()];
          if (m.contains("error") && m["error"].contains("data"))
            fatal = fatal || isFatal(troubleNamed(m["error"]["data"].value("trouble", "")));
        }
        if (!there) return true;
        return answers == expected;
      };
      QTRY_VERIFY(complete());
      if (answers == expected) {
        ++alive;
        QCOMPARE(w.endInput(), 0);
      } else {
        QVERIFY(fatal);
        QCOMPARE(w.status(), 3);
        for (const auto& [id, times] : answers) QVERIFY2(times <= expected[id], id.c_str());
      }
      QVERIFY2(w.odd().isEmpty(), w.odd().left(200).constData());
    }
    QVERIFY(alive > 0);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::MutatedLinesTest, EventLoop)
#include "mutated_lines_test.moc"
