// SPDX-License-Identifier: GPL-3.0-or-later
// The requests to a worker that are not answered yet: which of them may be sent now, until when a
// sent one may be silent, and which fail if the worker dies. They are values: the owner sends them.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/runs/run_record.h"
#include "kernels/worker/protocol.h"

namespace tileloom {

// What a request waits for. Hello and Ahead wait for nothing, and end with their worker.
enum class WorkerLane { Hello, Ahead, Compile, Disassemble, Gpu };

struct WorkerJob {
  WorkerLane lane = WorkerLane::Hello;
  std::string_view method;  // of the protocol
  std::shared_ptr<const nlohmann::json> params;
  double allowedMs = 0;  // between two signs of life
  QPointer<const QObject> asker = nullptr;
  // Reads a result and returns the call that hands it over; the error is what is wrong with it.
  using HandOver = std::function<void()>;
  std::function<worker::Parsed<HandOver>(const nlohmann::json& result)> read;
  std::function<void(const Error& error)> fail;
  std::function<void(const runs::RunRecord& run)> progress = nullptr;
  QString tag;
  bool urgent = false;  // of compilations only
  bool sent = false;
  bool dropped = false;  // replaced or cancelled: its answer is awaited and dropped
  qint64 deadline = 0;   // in milliseconds, on the owner's clock
  bool awaited() const { return !dropped && asker; }
};

class WorkerJobs {
 public:
  bool empty() const { return m_jobs.empty(); }
  quint64 add(WorkerJob job);
  // A number without a request, for messages that nothing answers.
  quint64 spareId() { return ++m_lastId; }
  quint64 lastId() const { return m_lastId; }
  // nullptr: it was answered, or there never was one.
  WorkerJob* find(quint64 id);
  // Takes it out.
  std::optional<WorkerJob> take(quint64 id);
  void putBack(quint64 id, WorkerJob job) { m_jobs.emplace(id, std::move(job)); }

  // Removes the requests with this tag; an empty tag is none. Returns those that the worker has:
  // their answers will be dropped.
  std::vector<quint64> cancel(const QString& tag);
  // Those that the worker can take now, in this order, without those whose askers are gone. Urgent
  // compilations overtake others; the GPU and the disassembler take one request at a time.
  std::vector<quint64> due();
  // A sent one that was silent for too long; nullptr: none.
  const WorkerJob* late(qint64 now) const;
  bool anySent() const;

  // The worker died: the requests wait again. Returns the one that may have killed it, which should
  // not be sent again: a measurement, or else the oldest compilation or disassembly. std::nullopt:
  // none of these was sent.
  std::optional<quint64> unsend();
  // The oldest one that is not younger than `last`; std::nullopt: none.
  std::optional<quint64> oldest(quint64 last) const;

 private:
  std::map<quint64, WorkerJob> m_jobs;  // by age
  quint64 m_lastId = 0;
};

}  // namespace tileloom
