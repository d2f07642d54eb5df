// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/draft_check.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/lecture/lecture_check.h"
#include "app/session/session_text.h"
#include "kernels/base/json_text.h"

namespace tileloom {
namespace {

using lecture::Complaint;

constexpr std::string_view kMarks = "/marks/";

// A mark that could not be read is in the file but not in the step.
std::vector<Complaint> placed(std::vector<Complaint> all, const std::vector<std::size_t>& marks) {
  for (Complaint& complaint : all) {
    if (!complaint.pointer.starts_with(kMarks)) continue;
    const std::size_t read = std::stoul(complaint.pointer.substr(kMarks.size()));
    if (read < marks.size()) complaint.pointer = fmt::format("{}{}", kMarks, marks[read]);
  }
  return all;
}

std::vector<std::size_t> marksRead(const lecture::Attempt& attempt, std::size_t step) {
  const std::string marks = fmt::format("/steps/{}{}", step, kMarks);
  std::vector<std::size_t> read;
  for (std::size_t at = 0; read.size() < attempt.lecture.steps[step].marks.size(); ++at) {
    const std::string mark = marks + std::to_string(at);
    const bool wrong = std::ranges::any_of(attempt.complaints, [&mark](const Complaint& complaint) {
      return complaint.pointer == mark || complaint.pointer.starts_with(mark + "/");
    });
    if (!wrong) read.push_back(at);
  }
  return read;
}

}  // namespace

DraftCheck::DraftCheck(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
}

DraftCheck::~DraftCheck() {
  m_pool.waitForDone();
}

void DraftCheck::look(const lecture::LectureDraft& draft, const lecture::Attempt& attempt,
                      std::size_t first) {
  m_keys.clear();
  m_wanted.clear();
  std::map<std::string, std::vector<Complaint>> kept;
  const auto& steps = attempt.lecture.steps;
  for (std::size_t i = 0; i < std::min(steps.size(), draft.size()); ++i) {
    const lecture::Step& step = steps[i];
    Question question{dumped(draft.step(i)) + sessionText(step.session), step, {}};
    m_keys.push_back(question.key);
    if (const auto known = m_known.find(question.key); known != m_known.end()) {
      kept.insert(*known);
      continue;
    }
    question.marks = marksRead(attempt, i);
    m_wanted.push_back(std::move(question));
    if (i == first) std::rotate(m_wanted.begin(), m_wanted.end() - 1, m_wanted.end());
  }
  std::ranges::reverse(m_wanted);
  m_known = std::move(kept);
  begin();
}

void DraftCheck::begin() {
  if (m_wanted.empty() || m_busy) return;
  m_busy = true;
  Question question = std::move(m_wanted.back());
  m_wanted.pop_back();
  m_pool.start([this, question = std::move(question)] {
    auto found = placed(lecture::check(question.step), question.marks);
    m_answers.give([this, key = question.key, found = std::move(found)] {
      m_busy = false;
      take(key, found);
      emit changed();
      begin();
    });
  });
}

void DraftCheck::take(const std::string& key, std::vector<Complaint> found) {
  if (std::ranges::find(m_keys, key) != m_keys.end()) m_known[key] = std::move(found);
}

void DraftCheck::finish() {
  const std::vector<Question> left = std::exchange(m_wanted, {});
  m_pool.waitForDone();
  QCoreApplication::sendPostedEvents(&m_answers);
  for (const Question& question : left)
    take(question.key, placed(lecture::check(question.step), question.marks));
}

std::vector<Complaint> DraftCheck::complaints() const {
  std::vector<Complaint> all;
  for (std::size_t i = 0; i < m_keys.size(); ++i) {
    const auto known = m_known.find(m_keys[i]);
    if (known == m_known.end()) continue;
    for (Complaint complaint : known->second) {
      complaint.pointer = fmt::format("/steps/{}{}", i, complaint.pointer);
      all.push_back(std::move(complaint));
    }
  }
  return all;
}

}  // namespace tileloom
