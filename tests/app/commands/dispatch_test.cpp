// SPDX-License-Identifier: GPL-3.0-or-later
// runCommandLine with added commands, and without a command.
#include <QtTest>
#include <stdexcept>

#include "tests/support/test_class.h"

#include "app/command_line.h"

namespace tileloom::app {
namespace {

int run(std::vector<const char*> words, std::span<const CommandAdder> extra = {},
        const std::function<int(const WindowOptions&)>& openWindow = {}) {
  words.insert(words.begin(), "tileloom");
  return runCommandLine(static_cast<int>(words.size()), words.data(), extra, openWindow);
}

void addRemarking(Command root, Outcome& outcome) {
  root.addCommand("remark").onRun([&outcome] {
    outcome.remarks = {"one thing", "another"};
    outcome.status = kFoundFaults;
  });
}

void addFailing(Command root, Outcome& outcome) {
  root.addCommand("fail").onRun([&outcome] {
    outcome.output = "never shown\n";
    outcome.fail("nothing works: do nothing");
  });
}

void addThrowing(Command root, Outcome&) {
  root.addCommand("throw").onRun([] { throw std::runtime_error("planted"); });
  root.addCommand("throw-odd").onRun([] { throw 3; });
  root.addCommand("throw-alloc").onRun([] { throw std::bad_alloc(); });
}

void addToBench(Command root, Outcome& outcome) {
  root.command("bench").addCommand("extra").onRun([&outcome] { outcome.status = 7; });
}

}  // namespace

class DispatchTest : public QObject {
  Q_OBJECT

 private slots:
  void noCommandOpensTheWindow() {
    int opened = 0;
    const auto open = [&opened](const WindowOptions&) {
      ++opened;
      return 5;
    };
    QCOMPARE(run({}, {}, open), 5);
    QCOMPARE(opened, 1);
    QCOMPARE(run({"stages"}, {}, open), 0);
    QCOMPARE(run({"--help"}, {}, open), 0);
    QCOMPARE(run({"--version"}, {}, open), 0);
    QCOMPARE(run({"--nonsense"}, {}, open), kUserError);
    QCOMPARE(opened, 1);
  }

  void aFilesNameOpensTheWindow() {
    std::vector<std::string> sessions;
    const auto open = [&sessions](const WindowOptions& options) {
      sessions.push_back(options.session);
      return 0;
    };
    QCOMPARE(run({"a.tileloom"}, {}, open), 0);
    QCOMPARE(run({"/tmp/some where/b.tileloom"}, {}, open), 0);
    QCOMPARE(run({"--session", "c"}, {}, open), 0);
    QCOMPARE(run({"--worker", "x y", "d.tileloom"}, {}, open), 0);
    QVERIFY(sessions == (std::vector<std::string>{"a.tileloom", "/tmp/some where/b.tileloom", "c",
                                                  "d.tileloom"}));
    QCOMPARE(run({"mine.json"}, {}, open), 0);
    QCOMPARE(sessions.back(), std::string("mine.json"));
    sessions.pop_back();
    QCOMPARE(run({"stages.txt"}, {}, open), kUserError);
    QCOMPARE(sessions.size(), std::size_t{4});
  }

  void noWindowIsAnErrorToTell() { QCOMPARE(run({}), kUserError); }

  void addedCommandsDecideTheirStatus() {
    const CommandAdder extra[] = {addRemarking, addFailing, addToBench};
    QCOMPARE(run({"remark"}, extra), kFoundFaults);
    QCOMPARE(run({"fail"}, extra), kUserError);
    QCOMPARE(run({"bench", "extra"}, extra), 7);
    QCOMPARE(run({"remark"}), kUserError);  // not there unless added
  }

  void nothingEscapes() {
    const CommandAdder extra[] = {addThrowing};
    for (const char* command : {"throw", "throw-odd", "throw-alloc"}) {
      QCOMPARE(run({command}, extra), kUserError);
    }
    QCOMPARE(run({}, {}, [](const WindowOptions&) -> int { throw std::runtime_error("planted"); }),
             kUserError);
  }
};

}  // namespace tileloom::app

TILELOOM_TEST(tileloom::app::DispatchTest, Nothing)
#include "dispatch_test.moc"
