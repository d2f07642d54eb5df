// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/example_sketches.h"

#include <algorithm>
#include <utility>

#include "app/services/choice/explorer.h"
#include "kernels/tile/subject.h"

namespace tileloom {
namespace {

// As the window records it when it opens.
std::optional<emulator::TraceRequest> requestOf(const Subject& side) {
  return Explorer::requestFor(*side.rung(), side.tile, openingView());
}

}  // namespace

ExampleSketches::ExampleSketches(std::vector<TeachingPair> pairs, QObject* parent)
    : QObject(parent), m_pairs(std::move(pairs)) {
  connect(&m_service, &TraceService::recorded, this,
          [this](std::shared_ptr<const analysis::Recording> recording, quint64) {
            take(std::move(recording));
          });
}

const PairSketch* ExampleSketches::sketch(std::size_t pair) const {
  const auto found = m_sketches.find(pair);
  return found == m_sketches.end() ? nullptr : &found->second;
}

void ExampleSketches::want(std::size_t pair) {
  if (m_current == pair || m_sketches.contains(pair)) return;
  std::erase(m_waiting, pair);
  m_waiting.push_front(pair);
  begin();
}

void ExampleSketches::begin() {
  if (m_current || m_waiting.empty()) return;
  const std::size_t next = m_waiting.front();
  m_waiting.pop_front();
  const auto request = requestOf(m_pairs[next].baseline);
  if (!request) return begin();
  m_current = next;
  m_service.request(*request);
}

void ExampleSketches::take(std::shared_ptr<const analysis::Recording> recording) {
  if (!m_current) return;
  const std::size_t pair = *m_current;
  if (m_baseline == nullptr) {
    if (const auto request = requestOf(m_pairs[pair].now)) {
      m_baseline = std::move(recording);
      m_service.request(*request);
      return;
    }
  } else {
    m_sketches.emplace(pair, pairSketch(*m_baseline, *recording));
    m_baseline.reset();
  }
  m_current.reset();
  emit sketched(pair);
  begin();
}

}  // namespace tileloom
