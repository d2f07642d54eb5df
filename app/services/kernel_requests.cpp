// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/kernel_requests.h"

#include <algorithm>

#include "kernels/tile/subject.h"
#include "viz/base/text.h"

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
                         bool urgent) {
  const quint64 id = m_client.compile({{place, arch}}, tag, urgent);
  m_asked[tag] = {id, place};
}

void KernelRequests::askNeighbour(const Subject& place, const Architecture& arch) {
  const QString tag = tagOf(place);
  if (std::ranges::find(m_neighbours, tag) != m_neighbours.end()) return;
  m_neighbours.push_back(tag);
  ask(tag, place, arch, false);
}

void KernelRequests::dropNeighbours() {
  for (const QString& tag : m_neighbours) {
    m_client.cancel(tag);
    m_asked.erase(tag);
  }
  m_neighbours.clear();
}

void KernelRequests::clear() {
  m_asked.clear();
  m_neighbours.clear();
}

std::optional<Subject> KernelRequests::take(quint64 id) {
  const auto found =
      std::ranges::find_if(m_asked, [id](const auto& asked) { return asked.second.first == id; });
  if (found == m_asked.end()) return std::nullopt;
  return m_asked.extract(found).mapped().second;
}

}  // namespace tileloom
