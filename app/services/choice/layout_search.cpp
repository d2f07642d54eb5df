// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/choice/layout_search.h"

#include <utility>

namespace tileloom {
namespace {

analysis::BestLayouts search(const LayoutSearch::Question& q) {
  return analysis::bestLayouts(*q.use, q.array, q.shape, q.arch);
}

}  // namespace

const analysis::BestLayouts* LayoutSearch::find(const Question& question) const {
  for (const auto& [known, best] : m_known) {
    if (known == question) return &best;
  }
  return nullptr;
}

void LayoutSearch::keep(const Question& question, const analysis::BestLayouts& best) {
  if (m_known.size() == kKept) m_known.erase(m_known.begin());
  m_known.emplace_back(question, best);
}

std::optional<analysis::BestLayouts> LayoutSearch::ask(const Question& question) {
  m_next.reset();
  if (const auto* known = find(question)) return *known;
  if (!(m_running == question)) m_next = question;
  begin();
  return std::nullopt;
}

analysis::BestLayouts LayoutSearch::answer(const Question& question) {
  if (const auto* known = find(question)) return *known;
  const analysis::BestLayouts best = search(question);
  keep(question, best);
  return best;
}

void LayoutSearch::begin() {
  if (!m_next || m_running) return;
  m_running = std::exchange(m_next, std::nullopt);
  m_pool.start([this, question = *m_running] {
    const analysis::BestLayouts best = search(question);
    m_answers.give([this, question, best] {
      m_running.reset();
      if (find(question) == nullptr) keep(question, best);
      if (!m_next) emit found();
      begin();
    });
  });
}

}  // namespace tileloom
