// SPDX-License-Identifier: GPL-3.0-or-later
// A worker with late answers: `tileloom_late_worker SEED COMMAND …` starts the worker, passes on
// its input at once, and holds back each line of its output. Lines about one request keep their
// order, as the protocol demands; answers to two requests may change places, as those of two lanes
// of a worker do.
#include <unistd.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QSocketNotifier>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/worker/protocol.h"
#include "tests/support/random.h"

namespace tileloom::test {
namespace {

using nlohmann::json;

class LateWorker : public QObject {
 public:
  explicit LateWorker(std::uint32_t seed)
      : random_(seed), requests_(STDIN_FILENO, QSocketNotifier::Read) {
    clock_.start();
    worker_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    connect(&requests_, &QSocketNotifier::activated, this, [this] { passOn(); });
    connect(&worker_, &QProcess::readyReadStandardOutput, this, [this] { holdBack(); });
    connect(&worker_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
      holdBack();
      for (const auto& [due, line] : held_) say(line);
      if (how == QProcess::CrashExit) std::abort();
      QCoreApplication::exit(code);
    });
  }

  bool start(const QStringList& command) {
    worker_.start(command.first(), command.mid(1));
    return worker_.waitForStarted();
  }

 private:
  void passOn() {
    char some[65536];
    const ssize_t n = ::read(STDIN_FILENO, some, sizeof some);
    if (n > 0) {
      worker_.write(some, n);
      return;
    }
    requests_.setEnabled(false);
    worker_.closeWriteChannel();
  }

  static std::string requestOf(const QByteArray& line) {
    const json message =
        worker::parseLine({line.constData(), static_cast<std::size_t>(line.size())});
    if (!message.is_object()) return {};
    const json params = message.value("params", json::object());
    return (params.is_object() && params.contains("id") ? params["id"]
                                                        : message.value("id", json()))
        .dump();
  }

  void holdBack() {
    while (worker_.canReadLine()) {
      const QByteArray line = worker_.readLine();
      const int ms = random_.oneIn(6)   ? random_.integer(150, 400)
                     : random_.oneIn(2) ? random_.integer(10, 90)
                                        : random_.integer(0, 5);
      qint64& last = last_[requestOf(line)];
      last = std::max(last, clock_.elapsed() + ms);
      held_.emplace(last, line);
      QTimer::singleShot(static_cast<int>(last - clock_.elapsed()), Qt::PreciseTimer, this,
                         [this] { sayWhatIsDue(); });
    }
  }

  // A timer may come a little early: then the next one sends the rest.
  void sayWhatIsDue() {
    while (!held_.empty() && held_.begin()->first <= clock_.elapsed()) {
      say(held_.begin()->second);
      held_.erase(held_.begin());
    }
    if (!held_.empty()) QTimer::singleShot(1, this, [this] { sayWhatIsDue(); });
  }

  static void say(const QByteArray& line) {
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stdout);
    std::fflush(stdout);
  }

  Random random_;
  QElapsedTimer clock_;
  QSocketNotifier requests_;
  std::multimap<qint64, QByteArray> held_;  // by when they are due, in the order in which they came
  std::map<std::string, qint64> last_;      // when the last line about a request is due
  QProcess worker_;
};

}  // namespace
}  // namespace tileloom::test

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  const QStringList arguments = QCoreApplication::arguments();
  if (arguments.size() < 3) return 2;
  tileloom::test::LateWorker worker(arguments[1].toUInt());
  return worker.start(arguments.mid(2)) ? QCoreApplication::exec() : 1;
}
