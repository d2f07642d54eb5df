// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom worker` as a process to which a test speaks in raw lines. Every line that it prints is
// kept until the test takes it; a line that is not a message is odd().
#pragma once

#include <QDeadlineTimer>
#include <QProcess>
#include <deque>
#include <nlohmann/json.hpp>

#include "kernels/worker/protocol.h"
#include "tests/gpu/fake.h"
#include "tests/support/patience.h"
#include "tests/support/text.h"

namespace tileloom::test {

using nlohmann::json;

inline std::string request(const json& id, const std::string& method, const json& params) {
  return json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump();
}

// Parameters of a measurement that is over soon, and of one that never is.
inline json quick(std::string_view id) {
  const Stage& s = stage(id);
  worker::MeasureRequest q{{standardSubject(s), {128, 128, 128}}, 0, {}};
  q.options.budgetMs = 50;
  q.options.minRounds = 3;
  q.options.maxRounds = 5;
  q.options.limitMs = 2000;
  return worker::toJson(q);
}
// The same of samples.
inline json quickSamples(std::string_view id) {
  const Stage& s = stage(id);
  worker::SampleRequest q{{standardSubject(s), {128, 128, 128}}};
  q.limitMs = 2000;
  return worker::toJson(q);
}
inline json endlessSamples(std::string_view id) {
  json params = quickSamples(id);
  params["limit_ms"] = 600000;
  return params;
}
inline json endless(std::string_view id) {
  json params = quick(id);
  params.update({{"budget_ms", 600000},
                 {"limit_ms", 600000},
                 {"max_rounds", 100000},
                 {"spread", 0},
                 {"min_rounds", 1000}});
  return params;
}

class RawWorker {
 public:
  static QProcessEnvironment environment(const QString& behaviours = {}) {
    QProcessEnvironment e = Fake::environment(behaviours);
    // The fake lives in the worker; a sanitizer's runtime must accept the plain library.
    e.insert(QStringLiteral("ASAN_OPTIONS"),
             QStringLiteral("detect_leaks=0:verify_asan_link_order=0"));
    return e;
  }

  explicit RawWorker(const QProcessEnvironment& environment, const QString& folder = {}) {
    process_.setProcessEnvironment(environment);
    process_.setWorkingDirectory(folder);
    process_.start(QStringLiteral(TILELOOM_PROGRAM), {QStringLiteral("worker")});
  }
  ~RawWorker() {
    process_.kill();
    process_.waitForFinished(kPatience);
  }

  void write(const QByteArray& bytes) {
    process_.write(bytes);
    while (process_.bytesToWrite() > 0 && process_.waitForBytesWritten(kPatience)) {
    }
  }
  void say(const std::string& line) { write(QByteArray::fromStdString(line) + '\n'); }

  // Waits for the answer to this request and takes it; another object if none comes.
  json answer(const json& id) {
    return take([&](const json& m) { return m.contains("id") && m["id"] == id; });
  }
  // Waits for a sign of the request that came after this call began.
  bool progress(const json& id) {
    std::erase_if(messages_, [](const json& m) { return m.contains("method"); });
    return take([&](const json& m) {
             return m.value("method", "") == "progress" && m["params"]["id"] == id;
           })
        .is_object();
  }

  // The exit status, -1 for an end by a signal, -2 if it does not end.
  int status() {
    if (process_.state() != QProcess::NotRunning && !process_.waitForFinished(kPatience)) return -2;
    read();
    return process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -1;
  }
  int endInput() {
    process_.closeWriteChannel();
    return status();
  }

  // Messages that are not taken yet, oldest first.
  const std::deque<json>& messages() const { return messages_; }
  // Of standard output: everything but whole lines with one JSON-RPC message.
  QByteArray odd() const { return odd_ + pending_; }
  QByteArray errors() { return errors_ += process_.readAllStandardError(); }

 private:
  template <class F>
  json take(F&& wanted) {
    const QDeadlineTimer deadline(kPatience);
    while (true) {
      for (auto it = messages_.begin(); it != messages_.end(); ++it) {
        if (!wanted(*it)) continue;
        const json found = *it;
        messages_.erase(it);
        return found;
      }
      const bool over = deadline.hasExpired() || process_.state() == QProcess::NotRunning;
      process_.waitForReadyRead(100);
      if (!read() && over) return {{"nothing", "came"}};
    }
  }

  bool read() {
    errors_ += process_.readAllStandardError();
    pending_ += process_.readAllStandardOutput();
    bool any = false;
    for (qsizetype end = pending_.indexOf('\n'); end >= 0; end = pending_.indexOf('\n')) {
      const QByteArray line = pending_.left(end);
      pending_.remove(0, end + 1);
      any = true;
      const json message = json::parse(line.toStdString(), nullptr, false);
      if (message.is_object() && message.value("jsonrpc", "") == "2.0") {
        messages_.push_back(message);
      } else {
        odd_ += line + '\n';
      }
    }
    return any;
  }

  QProcess process_;
  std::deque<json> messages_;
  QByteArray pending_, odd_, errors_;
};

}  // namespace tileloom::test
