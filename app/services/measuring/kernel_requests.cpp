// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/kernel_requests.h"

#include <algorithm>

#include "kernels/tile/subject.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

QString tagOf(const Subject& place) {
  QString tag = toQString(place.rung()->id);
  for (const ParameterSpec& spec : place.rung()->parameters)
    tag += QStringLiteral(" %1").arg(place.tile[spec.parameter]);
  return tag + QLatin1Char(' ') + toQString(rowOf(place.format).name);
}

}  // namespace

void KernelRequests::ask(const QString& tag, const Subject& place, const Architecture& arch,
                         WorkerClient::Urgency urgency) {
  m_asked.insert(tag);
  m_client.compile({{place, arch}}, tag, urgency, this,
                   [this, tag, place](const Result<worker::CompileFacts>& facts) {
                     m_asked.erase(tag);
                     if (facts) {
                       emit compiled(place, *facts);
                     } else {
                       emit failed(place, facts.error());
                     }
                   });
}

void KernelRequests::askNeighbour(const Subject& place, const Architecture& arch) {
  const QString tag = tagOf(place);
  if (std::ranges::find(m_neighbours, tag) != m_neighbours.end()) return;
  m_neighbours.push_back(tag);
  ask(tag, place, arch, WorkerClient::Urgency::Background);
}

void KernelRequests::dropNeighbours() {
  for (const QString& tag : m_neighbours) forget(tag);
  m_neighbours.clear();
}

void KernelRequests::forget(const QString& tag) {
  if (m_asked.erase(tag) > 0) m_client.cancel(tag);
}

void KernelRequests::clear() {
  while (!m_asked.empty()) forget(QString(*m_asked.begin()));
  m_neighbours.clear();
}

}  // namespace tileloom
