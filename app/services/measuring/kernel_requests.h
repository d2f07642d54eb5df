// SPDX-License-Identifier: GPL-3.0-or-later
// The compilations requested from the worker, by tag, to learn what its compiler reports for a
// tile.
//
//   KernelRequests requests(client);
//   connect(&requests, &KernelRequests::compiled, this, &Lab::takeCompiled);
//   requests.ask(QStringLiteral("registers"), {&stage, tile}, arch, WorkerClient::Urgency::Soon);
//   for (const Subject& place : around.unknown) requests.askNeighbour(place, arch);
//   requests.dropNeighbours();  // the tile parameters have moved
#pragma once

#include <QObject>
#include <QString>
#include <set>
#include <vector>

#include "app/services/measuring/lab_machine.h"
#include "app/services/measuring/worker_client.h"
#include "kernels/tile/subject.h"

namespace tileloom {

class KernelRequests : public QObject {
  Q_OBJECT
 public:
  explicit KernelRequests(WorkerClient& client) : m_client(client) {}

  // A newer request replaces an older one with this tag. Urgent ones overtake others.
  void ask(const QString& tag, const Subject& place, const Architecture& arch,
           WorkerClient::Urgency urgency);
  // In the background, and once only until dropNeighbours().
  void askNeighbour(const Subject& place, const Architecture& arch);
  void dropNeighbours();
  // The answer is not needed any more.
  void forget(const QString& tag);
  void clear();

 signals:
  void compiled(const tileloom::Subject& place, const tileloom::worker::CompileFacts& facts);
  void failed(const tileloom::Subject& place, const tileloom::Error& error);

 private:
  WorkerClient& m_client;
  std::set<QString> m_asked;          // tags of those in progress
  std::vector<QString> m_neighbours;  // tags of those that were requested
};

}  // namespace tileloom
