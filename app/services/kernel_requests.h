// SPDX-License-Identifier: GPL-3.0-or-later
// The compilations that the worker was asked for, by tag, to learn what its compiler says of a
// tile.
//
//   KernelRequests requests(client);
//   requests.ask(QStringLiteral("registers"), {&stage, tile}, arch, true);
//   for (const Place& place : around.unknown) requests.askNeighbour(place, arch);
//   ... on WorkerClient::compiled:  if (const auto place = requests.take(id)) remember(*place);
//   requests.dropNeighbours();  // the knobs have moved
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/services/lab_machine.h"
#include "app/services/worker_client.h"

namespace tileloom {

class KernelRequests {
 public:
  explicit KernelRequests(WorkerClient& client) : m_client(client) {}

  // A newer request takes the place of an older one with this tag. Urgent ones overtake others.
  void ask(const QString& tag, const Place& place, const Architecture& arch, bool urgent);
  // In the background, and once only until dropNeighbours().
  void askNeighbour(const Place& place, const Architecture& arch);
  void dropNeighbours();
  // The answer is of no interest any more.
  void forget(const QString& tag) { m_asked.erase(tag); }
  void clear();
  // The tile whose compilation has ended, well or not; std::nullopt: it was not asked for here.
  std::optional<Place> take(quint64 id);

 private:
  WorkerClient& m_client;
  std::map<QString, std::pair<quint64, Place>> m_asked;
  std::vector<QString> m_neighbours;  // their tags
};

}  // namespace tileloom
