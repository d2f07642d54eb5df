// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_editor.h"

#include <fmt/format.h>

#include <QFile>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/lecture/lecture_writer.h"
#include "app/lecture/mark_writer.h"
#include "app/lecture/step_session.h"
#include "app/window/lecture/draft_words.h"
#include "app/window/lecture/lecture_mode.h"
#include "kernels/tile/constraints.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr int kSoonMs = 250, kPauseMs = 1500, kMostEdits = 1000;

using lecture::Complaint;
using Json = LectureEditor::Json;

bool isBelow(const std::string& pointer, const std::string& parent) {
  return pointer == parent || pointer.starts_with(parent + "/");
}

QString sentence(const Complaint& complaint) {
  QString text = inWordsOfFields(toQString(complaint.sentence));
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

// A correct choice whose text changes stays the correct one.
void followRight(lecture::LectureDraft& draft, std::size_t step, const Json& choices) {
  const std::string kChoices = "/question/choices", kRight = "/question/right";
  const std::vector<std::string> before = draft.texts(step, kChoices);
  if (!choices.is_array()) return draft.set(step, kRight, nullptr);
  const auto at = std::ranges::find(before, draft.text(step, kRight));
  if (at == before.end() || before.size() != choices.size()) return;
  draft.set(step, kRight, choices[static_cast<std::size_t>(at - before.begin())]);
}

}  // namespace

// Any edit is the draft before and after it: drafts share what they have in common.
class DraftChange : public QUndoCommand {
 public:
  DraftChange(LectureEditor& editor, LectureEditor::State before, LectureEditor::State after,
              std::string key)
      : m_editor(editor),
        m_before(std::move(before)),
        m_after(std::move(after)),
        m_key(std::move(key)) {}

  void undo() override { m_editor.apply(m_before); }
  void redo() override { m_editor.apply(m_after); }
  int id() const override { return m_key.empty() ? -1 : 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto& next = static_cast<const DraftChange&>(*other);
    if (next.m_key != m_key) return false;
    m_after = next.m_after;
    setObsolete(m_after.draft == m_before.draft);
    return true;
  }

 private:
  LectureEditor& m_editor;
  LectureEditor::State m_before, m_after;
  std::string m_key;  // of the edited field; empty: never merged
};

LectureEditor::LectureEditor(LectureMode& mode, Take take)
    : QObject(&mode), m_mode(mode), m_take(std::move(take)) {
  m_stack.setUndoLimit(kMostEdits);
  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoonMs);
  connect(&m_soon, &QTimer::timeout, this, &LectureEditor::showNow);
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPauseMs);
  connect(&m_pause, &QTimer::timeout, this, &LectureEditor::endTyping);
  connect(&m_check, &DraftCheck::changed, this, &LectureEditor::troubleChanged);
  // The editor follows the step that is presented or shown in the panel.
  connect(&mode, &LectureMode::aboutToPresent, this, &LectureEditor::showNow);
  connect(&mode, &LectureMode::stepShown, this, [this] {
    if (!m_file.named() || m_mode.step() >= m_draft.size() || m_mode.step() == m_chosen) return;
    // Recent typing is part of the next state.
    endTyping();
    m_chosen = m_mode.step();
    emit chosenChanged();
    emit troubleChanged();
  });
}

LectureEditor::~LectureEditor() = default;

std::string LectureEditor::id() const {
  return m_file.file().stem().string();
}

QString LectureEditor::file() const {
  return QFile::decodeName(m_file.file().c_str());
}

QString LectureEditor::open(const QString& file, std::size_t step) {
  lecture::DraftFile opened(fileNamed(file));
  const auto text = opened.read();
  if (!text) return toQString(text.error());
  auto draft = lecture::LectureDraft::of(*text);
  if (!draft) return tr("%1: %2").arg(shownFile(file), toQString(draft.error()));
  m_file = std::move(opened);
  m_stack.clear();
  apply({std::move(*draft), step});
  showNow();
  return {};
}

void LectureEditor::apply(const State& state) {
  const std::size_t before = m_chosen;
  m_draft = state.draft;
  m_chosen = m_draft.size() == 0 ? 0 : std::min(state.chosen, m_draft.size() - 1);
  look();
  emit changed();
  if (m_chosen != before) emit chosenChanged();
  m_soon.start();
}

void LectureEditor::look() {
  m_attempt = m_draft.attempt(id());
  m_check.look(m_draft, m_attempt, m_chosen);
  emit troubleChanged();
}

void LectureEditor::push(State after, const QString& name, const std::string& key) {
  if (after.draft == m_draft && after.chosen == m_chosen) return;
  const std::string burst = key.empty() ? key : fmt::format("{} {} {}", m_burst, m_chosen, key);
  if (key.empty()) endTyping();
  auto* change = new DraftChange(*this, {m_draft, m_chosen}, std::move(after), burst);
  change->setText(name);
  m_pause.start();
  m_stack.push(change);
}

void LectureEditor::choose(std::size_t step) {
  if (step >= m_draft.size() || step == m_chosen) return;
  endTyping();
  m_chosen = step;
  emit chosenChanged();
  emit troubleChanged();
  showNow();
}

void LectureEditor::set(const std::string& pointer, Json value, const QString& name) {
  if (m_draft.size() == 0) return;
  State after{m_draft, m_chosen};
  if (pointer == "/question/choices") followRight(after.draft, m_chosen, value);
  after.draft.set(m_chosen, pointer, std::move(value));
  push(std::move(after), name, pointer);
}

void LectureEditor::setAll(std::vector<std::pair<std::string, Json>> values, const QString& name) {
  State after{m_draft, m_chosen};
  for (auto& [pointer, value] : values) after.draft.set(m_chosen, pointer, std::move(value));
  push(std::move(after), name);
}

void LectureEditor::setTitle(const std::string& member, const QString& text) {
  State after{m_draft, m_chosen};
  after.draft.setTitle(member, text.toStdString());
  push(std::move(after), member == "title" ? tr("title") : tr("description of the lecture"),
       "lecture " + member);
}

void LectureEditor::retake() {
  if (m_draft.size() == 0) return;
  State after{m_draft, m_chosen};
  after.draft.retake(m_chosen, m_take());
  push(std::move(after), tr("what the step shows"));
}

void LectureEditor::takeSolution() {
  if (m_chosen >= m_attempt.lecture.steps.size()) return;
  const Session& scene = m_attempt.lecture.steps[m_chosen].session;
  Session solved = scene;  // of the window, what conditions speak of
  const Session shown = m_take();
  if (!isLegal(*shown.state.stage, shown.state.tile)) {
    emit refused(
        tr("The window has an illegal tile, which solves nothing: the tile panel names its rule"));
    return;
  }
  solved.state.stage = shown.state.stage;
  solved.state.tile = shown.state.tile;
  solved.state.problem = shown.state.problem;
  solved.state.halves = shown.state.halves;
  Session before = scene;
  before.state.index = 0;
  solved.state.index = 0;
  State after{m_draft, m_chosen};
  const Json members = lecture::membersFor(solved, before, Json::object());
  if (members.empty()) {
    emit refused(tr("The window shows the kernel of the step: set it to a solution first"));
    return;
  }
  after.draft.set(m_chosen, "/task/solution", members);
  push(std::move(after), tr("solution"));
}

Json LectureEditor::marks() const {
  const Json* marks = m_draft.find(m_chosen, "/marks");
  return marks != nullptr && marks->is_array() ? *marks : Json::array();
}

void LectureEditor::addMark(const MarkTarget& target) {
  if (m_draft.size() == 0) return;
  Json all = marks();
  Mark mark;
  mark.target = target;
  all.push_back(lecture::markJson(mark));
  State after{m_draft, m_chosen};
  after.draft.set(m_chosen, "/marks", std::move(all));
  push(std::move(after), tr("mark"));
}

void LectureEditor::setMark(std::size_t mark, Json value, const QString& name) {
  set(fmt::format("/marks/{}", mark), std::move(value), name);
}

void LectureEditor::eraseMark(std::size_t mark) {
  Json all = marks();
  if (mark >= all.size()) return;
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(mark));
  State after{m_draft, m_chosen};
  after.draft.set(m_chosen, "/marks", all.empty() ? Json() : std::move(all));
  push(std::move(after), tr("deleted mark"));
}

void LectureEditor::addShown() {
  const std::size_t at = m_draft.size() == 0 ? 0 : m_chosen + 1;
  State after{m_draft, at};
  after.draft.insertWindow(at, m_take(), newHeadline().toStdString(), newText().toStdString());
  push(std::move(after), tr("new step"));
}

void LectureEditor::duplicate() {
  if (m_draft.size() == 0) return;
  State after{m_draft, m_chosen + 1};
  after.draft.duplicate(m_chosen);
  push(std::move(after), tr("copy of a step"));
}

// A lecture needs a step.
void LectureEditor::erase() {
  if (m_draft.size() < 2) return;
  State after{m_draft, m_chosen};
  after.draft.erase(m_chosen);
  if (after.chosen > 0 && after.chosen >= after.draft.size()) --after.chosen;
  push(std::move(after), tr("deleted step"));
}

void LectureEditor::moveBy(int steps) {
  const auto to = static_cast<std::ptrdiff_t>(m_chosen) + steps;
  if (to < 0 || to >= static_cast<std::ptrdiff_t>(m_draft.size())) return;
  State after{m_draft, static_cast<std::size_t>(to)};
  after.draft.move(m_chosen, after.chosen);
  push(std::move(after), tr("order of the steps"));
}

QString LectureEditor::trouble(const std::string& pointer,
                               const std::vector<std::string>& but) const {
  const std::string step = fmt::format("/steps/{}", m_chosen);
  std::vector<std::string> others;
  for (const std::string& other : but) others.push_back(step + other);
  return troubleBelow(step + pointer, others);
}

QString LectureEditor::troubleOfLecture(const std::string& pointer) const {
  return troubleBelow(pointer, {});
}

std::vector<Complaint> LectureEditor::complaints() const {
  std::vector<Complaint> all = m_attempt.complaints;
  const std::vector<Complaint> found = m_check.complaints();
  all.insert(all.end(), found.begin(), found.end());
  const std::tuple<const char*, QString, QString> unwritten[] = {
      {"/headline", newHeadline(), tr("this is the headline of a new step: write your own")},
      {"/text", newText(), tr("this is the text of a new step: write what the step says")}};
  for (std::size_t i = 0; i < m_draft.size(); ++i) {
    for (const auto& [member, text, words] : unwritten) {
      if (toQString(m_draft.text(i, member)) == text)
        all.push_back({0, words.toStdString(), fmt::format("/steps/{}{}", i, member)});
    }
  }
  return all;
}

QString LectureEditor::troubleBelow(const std::string& whole,
                                    const std::vector<std::string>& but) const {
  QStringList all;
  for (const Complaint& complaint : complaints()) {
    const bool elsewhere = std::ranges::any_of(
        but, [&complaint](const std::string& other) { return isBelow(complaint.pointer, other); });
    if (elsewhere || !isBelow(complaint.pointer, whole)) continue;
    if (const QString text = sentence(complaint); !all.contains(text)) all += text;
  }
  return all.join(QStringLiteral(". "));
}

QString LectureEditor::troubleOfStep(std::size_t step) const {
  const std::string pointer = fmt::format("/steps/{}", step);
  for (const Complaint& complaint : complaints())
    if (isBelow(complaint.pointer, pointer)) return sentence(complaint);
  return {};
}

QString LectureEditor::whyNotPlayed() {
  m_check.finish();
  emit troubleChanged();
  for (const auto& complaints : {m_attempt.complaints, m_check.complaints()}) {
    if (complaints.empty()) continue;
    const Complaint& first = complaints.front();
    constexpr std::string_view kSteps = "/steps/";
    if (!first.pointer.starts_with(kSteps)) return sentence(first);
    const std::size_t step = std::stoul(first.pointer.substr(kSteps.size()));
    return tr("Step %1: %2").arg(step + 1).arg(sentence(first));
  }
  return {};
}

QString LectureEditor::save() {
  endTyping();
  if (const std::string wrong = m_file.write(m_draft.text()); !wrong.empty())
    return toQString(wrong);
  m_stack.setClean();
  emit saved();
  return {};
}

QString LectureEditor::saveAs(const QString& file) {
  lecture::DraftFile there(fileNamed(file));
  std::swap(m_file, there);
  const QString wrong = save();
  if (!wrong.isEmpty()) std::swap(m_file, there);
  look();
  m_soon.start();
  return wrong;
}

void LectureEditor::showNow() {
  m_soon.stop();
  if (!m_file.named() || m_attempt.lecture.steps.empty()) return;
  m_mode.preview(m_attempt.lecture, file(), m_chosen);
}

void LectureEditor::leave() {
  m_soon.stop();
  m_pause.stop();
  m_file = {};
  m_stack.clear();
}

}  // namespace tileloom
