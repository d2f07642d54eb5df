// SPDX-License-Identifier: GPL-3.0-or-later
// A process that answers one request, and what another program in its place does.
// worker_server_test has the samples of the fake GPU.
#include "kernels/worker/once.h"

#include <QtTest>
#include <chrono>
#include <nlohmann/json.hpp>

#include "kernels/sass/child.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace std::chrono_literals;
using nlohmann::json;

class OnceTest : public QObject {
  Q_OBJECT

  static worker::SampleRequest request() {
    worker::SampleRequest request{{standardSubject(stage("naive")), {128, 128, 128}}};
    request.limitMs = 10000;
    return request;
  }
  static Result<sass::ChildOutput> once(const std::string& input) {
    return sass::runChild({TILELOOM_PROGRAM, worker::kWorkerCommand, worker::kOnceOption}, 60s,
                          nullptr, input);
  }

 private slots:
  void odd_data() {
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<int>("code");
    QTest::newRow("nothing") << QByteArray() << worker::kInvalidRequest;
    QTest::newRow("no JSON") << QByteArray("sample naive\n") << worker::kInvalidRequest;
    QTest::newRow("no object") << QByteArray("[1]\n") << worker::kInvalidRequest;
    QTest::newRow("another method")
        << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"measure","params":{}})") + '\n'
        << worker::kInvalidRequest;
    QTest::newRow("no parameters")
        << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"sample"})") + '\n'
        << worker::kInvalidParams;
    QTest::newRow("too long") << QByteArray(2 * worker::kLongestLine, 'x')
                              << worker::kInvalidRequest;
  }
  void odd() {
    QFETCH(QByteArray, input);
    QFETCH(int, code);
    const auto said = once(input.toStdString());
    QVERIFY2(said, said ? "" : said.error().text.c_str());
    QCOMPARE(said->status, 0);
    QCOMPARE(said->out.find('\n'), said->out.size() - 1);
    const json answer = json::parse(said->out, nullptr, false);
    QVERIFY2(answer.is_object() && answer["error"]["code"] == code, said->out.c_str());
  }

  void otherPrograms_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("trouble");
    QTest::newRow("not there") << "/nowhere/tileloom" << int(Trouble::Missing);
    QTest::newRow("fails") << "/bin/false" << int(Trouble::Unsupported);
    QTest::newRow("says nothing") << "/bin/true" << int(Trouble::Failed);
    QTest::newRow("says something else") << "/bin/echo" << int(Trouble::Failed);
  }
  void otherPrograms() {
    QFETCH(QString, program);
    QFETCH(int, trouble);
    const auto samples = worker::sampleInChild(program.toStdString(), request(), nullptr);
    QVERIFY(!samples);
    QCOMPARE(int(samples.error().trouble), trouble);
  }

  // More than a pipe holds.
  void aChildReadsItsInput() {
    const std::string text(1 << 20, 'x');
    const auto said = sass::runChild({"/bin/cat"}, 60s, nullptr, text);
    QVERIFY(said && said->status == 0);
    QVERIFY(said->out == text);
    const auto none = sass::runChild({"/bin/cat"}, 60s);
    QVERIFY(none && none->status == 0 && none->out.empty());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::OnceTest, EventLoop)
#include "once_test.moc"
