// SPDX-License-Identifier: GPL-3.0-or-later
// Runs from elsewhere: each is in the history once, however many processes import it.
#include "kernels/runs/run_exchange.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <set>

#include "tests/support/runs.h"
#include "tests/support/test_class.h"

namespace tileloom::runs {

class RunExchangeTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::filesystem::path in(const char* name) const { return m_folder.filePath(name).toStdString(); }

  template <class F>
  static pid_t child(F&& work) {
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(work() ? 0 : 1);
    return pid;
  }
  static bool endsWell(pid_t pid) {
    int status = -1;
    return ::waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private slots:
  // Three processes import the same file while a fourth keeps the lock for longer than a process
  // waits that only adds a line, and others add their own lines.
  void importedByManyAtOnce() {
    constexpr int kRuns = 40, kOwn = 5;
    std::vector<RunRecord> given;
    for (int i = 0; i < kRuns; ++i) {
      given.push_back(test::madeUpRun());
      given.back().registers = i;
    }
    QVERIFY(writeRuns(in("given"), given).has_value());
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    std::vector<pid_t> children;
    children.push_back(child([&] {
      auto lines = LineFile::open(in("history"));
      if (!lines || ::write(ready[1], "x", 1) != 1) return false;
      ::usleep(2'300'000);
      // It adds last what it had read before.
      return appendRun(*lines, given.back()).has_value();
    }));
    char got = 0;
    QCOMPARE(::read(ready[0], &got, 1), ssize_t{1});
    for (int i = 0; i < 3; ++i)
      children.push_back(child([&] { return importRuns(in("history"), in("given")).has_value(); }));
    for (int i = 0; i < 2; ++i) {
      children.push_back(child([&] {
        for (int j = 0; j < kOwn; ++j) {
          RunRecord own = test::madeUpRun();
          own.registers = 100 + 10 * i + j;
          if (!appendRun(in("history"), own)) return false;
        }
        return true;
      }));
    }
    for (const pid_t pid : children) QVERIFY(endsWell(pid));
    const auto history = readRuns(in("history"));
    QVERIFY(history && history->complaints.empty());
    std::multiset<int> registers;
    for (const RunRecord& run : history->runs) registers.insert(run.registers);
    QCOMPARE(registers.size(), std::size_t{kRuns + 2 * kOwn});
    QCOMPARE(std::set<int>(registers.begin(), registers.end()).size(), registers.size());
    ::close(ready[0]);
    ::close(ready[1]);
  }

  // A file that the user has named is used, or a sentence says why not.
  void aFileIsGivenForItsRuns() {
    QVERIFY(writeRuns(in("good"), std::vector{test::madeUpRun()}).has_value());
    const auto good = givenRuns(in("good"));
    QVERIFY(good && good->runs.size() == 1);
    QVERIFY(replaceText(in("empty"), "").has_value());
    QVERIFY(replaceText(in("broken"), "{}\n{}\n").has_value());
    for (const auto& [name, word] :
         {std::pair("none", "No such file"), std::pair("empty", "no runs"),
          std::pair("broken", "2 lines")}) {
      const auto given = givenRuns(in(name));
      QVERIFY(!given);
      QVERIFY2(given.error().find(word) != std::string::npos, given.error().c_str());
      QVERIFY2(given.error().find(name) != std::string::npos, given.error().c_str());
    }
  }
};

}  // namespace tileloom::runs

TILELOOM_TEST(tileloom::runs::RunExchangeTest, Nothing)
#include "run_exchange_test.moc"
