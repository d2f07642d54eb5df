// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a worker's client and keeps every answer with the number of its request.
#pragma once

#include <QObject>
#include <QSignalSpy>
#include <utility>
#include <vector>

#include "app/services/measuring/worker_client.h"

namespace tileloom::test {

class Ear {
 public:
  explicit Ear(WorkerClient& client)
      : ready(&client, &WorkerClient::ready), died(&client, &WorkerClient::died), client_(client) {}

  // The number of the request.
  int measure(const worker::MeasureRequest& request, const QString& tag) {
    const int number = ++asked_;
    client_.measure(
        request, tag, &asker_,
        [this, number](const Result<WorkerClient::Measured>& answer) {
          if (answer) {
            measured.emplace_back(number, answer->run);
          } else {
            failures.emplace_back(number, answer.error());
          }
        },
        [this](const runs::RunRecord&) { ++progress; });
    return number;
  }
  int compile(const worker::CompileRequest& request, const QString& tag) {
    const int number = ++asked_;
    client_.compile(request, tag, WorkerClient::Urgency::Soon, &asker_,
                    [this, number](const Result<worker::CompileFacts>& answer) {
                      if (answer) {
                        compiled.emplace_back(number, *answer);
                      } else {
                        failures.emplace_back(number, answer.error());
                      }
                    });
    return number;
  }
  QString lastWords() const { return died.isEmpty() ? QString() : died.last()[0].toString(); }

  QSignalSpy ready, died;
  std::vector<std::pair<int, runs::RunRecord>> measured;
  std::vector<std::pair<int, worker::CompileFacts>> compiled;
  std::vector<std::pair<int, Error>> failures;
  int progress = 0;

 private:
  WorkerClient& client_;
  QObject asker_;
  int asked_ = 0;
};

}  // namespace tileloom::test
