// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/layout_search.h"

#include <utility>

namespace tileloom {
namespace {

analysis::BestLayouts search(const LayoutSearch::Question& q) {
  return analysis::bestLayouts(*q.use, q.array, q.shape, q.arch);
}

}  // namespace

std::optional<analysis::BestLayouts> LayoutSearch::ask(const Question& question) {
  if (m_known && m_known->first == question) return m_known->second;
  m_next.reset();
  if (!(m_running == question)) m_next = question;
  begin();
  return std::nullopt;
}

analysis::BestLayouts LayoutSearch::answer(const Question& question) {
  if (!m_known || !(m_known->first == question)) m_known = {question, search(question)};
  return m_known->second;
}

void LayoutSearch::begin() {
  if (!m_next || m_running) return;
  m_running = std::exchange(m_next, std::nullopt);
  m_pool.start([this, question = *m_running] {
    const analysis::BestLayouts best = search(question);
    // The pool is waited for before this object goes.
    QMetaObject::invokeMethod(
        this,
        [this, question, best] {
          m_running.reset();
          if (!m_next) {
            m_known = {question, best};
            emit found();
          }
          begin();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace tileloom
