// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/loop_service.h"

#include <algorithm>
#include <new>
#include <utility>

#include "kernels/analysis/stage_study.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr std::size_t kRemembered = 8;  // studies

LoopService::Answer answer(const Subject& subject, const std::string& name,
                           const std::vector<char>& cubin) {
  const auto arch = architectureNamed(name);
  if (!arch) return {nullptr, toQString(arch.error())};
  try {
    auto study = analysis::studyStage(subject, *arch, cubin);
    if (!study) return {nullptr, toQString(study.error())};
    return {std::make_shared<const rewrite::LoopStudy>(std::move(*study)), {}};
  } catch (const std::bad_alloc&) {
    return {nullptr, LoopService::tr("there is not enough memory to study it")};
  }
}

}  // namespace

LoopService::LoopService(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
}

LoopService::~LoopService() {
  m_pool.waitForDone();
}

std::optional<LoopService::Answer> LoopService::of(const sass::MachineCode& code) {
  Question question{code, code.arch, code.untouched};
  const auto known = std::ranges::find(m_known, question, &std::pair<Question, Answer>::first);
  if (known != m_known.end()) return known->second;
  m_next = std::move(question);
  begin();
  return std::nullopt;
}

void LoopService::begin() {
  if (!m_next || m_busy) return;
  m_busy = true;
  m_pool.start([this, question = *std::exchange(m_next, std::nullopt)]() mutable {
    Answer made = answer(question, question.arch, question.cubin);
    m_answers.give([this, question = std::move(question), made = std::move(made)] {
      m_busy = false;
      if (m_known.size() >= kRemembered) m_known.pop_front();
      m_known.emplace_back(question, made);
      emit changed();
      begin();
    });
  });
}

}  // namespace tileloom
