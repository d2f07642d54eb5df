// SPDX-License-Identifier: GPL-3.0-or-later
// The compilations requested from the worker, by tag, to learn what its compiler reports for a
// tile.
//
//   KernelRequests requests(client);
//   requests.ask(QStringLiteral("registers"), {&stage, tile}, arch, true);
//   for (const Place& place : around.unknown) requests.askNeighbour(place, arch);
//   ... on WorkerClient::compiled:  if (const auto place = requests.take(id)) remember(*place);
//   requests.dropNeighbours();  // the tile parameters have moved
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/services/lab_machine.h"
#include "app/services/worker_client.h"
#include "kernels/tile/subject.h"

namespace tileloom {

class KernelRequests {
 public:
  explicit KernelRequests(WorkerClient& client) : m_client(client) {}

  // A newer request replaces an older one with this tag. Urgent ones overtake others.
  void ask(const QString& tag, const Subject& place, const Architecture& arch, bool urgent);
  // In the background, and once only until dropNeighbours().
  void askNeighbour(const Subject& place, const Architecture& arch);
  void dropNeighbours();
  // The answer is not needed any more.
  void forget(const QString& tag) { m_asked.erase(tag); }
  void clear();
  // The tile whose compilation has ended, successfully or not; std::nullopt: it was not requested
  // here.
  std::optional<Subject> take(quint64 id);

 private:
  WorkerClient& m_client;
  std::map<QString, std::pair<quint64, Subject>> m_asked;
  std::vector<QString> m_neighbours;  // their tags
};

}  // namespace tileloom
