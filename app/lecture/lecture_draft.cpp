// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "app/lecture/lecture_text.h"
#include "app/lecture/step_session.h"
#include "kernels/base/json_lines.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/renamed_keys.h"
#include "kernels/base/text_file.h"

namespace tileloom::lecture {
namespace {

using Json = LectureDraft::Json;

const Json& memberIn(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? none : *found;
}

// Of "/marks/2/text"; no member that an editor names has a slash in it.
std::vector<std::string> tokens(std::string_view pointer) {
  std::vector<std::string> all;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    all.emplace_back(pointer.substr(0, end));
    pointer.remove_prefix(end);
  }
  return all;
}

std::optional<std::size_t> listPlace(const Json& list, const std::string& token) {
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), place);
  const bool number = error == std::errc() && end == token.data() + token.size();
  if (!list.is_array() || !number || place >= list.size()) return std::nullopt;
  return place;
}

// Saving replaces the file, so a lock on the file itself would not help.
bool isReadOnly(const std::filesystem::path& file) {
  using std::filesystem::perms;
  std::error_code unknown;
  const auto status = std::filesystem::status(file, unknown);
  constexpr perms kWrite = perms::owner_write | perms::group_write | perms::others_write;
  return std::filesystem::exists(status) && (status.permissions() & kWrite) == perms::none;
}

}  // namespace

tl::expected<LectureDraft, std::string> LectureDraft::of(std::string_view text) {
  if (const auto parsed = parseJsonObject(text, kLectureBounds); !parsed) {
    const auto error = text.size() <= kLectureBounds.bytes ? syntaxError(text) : std::nullopt;
    return tl::unexpected(error ? fmt::format("line {}: {}", error->line, error->words)
                                : parsed.error());
  }
  LectureDraft draft;
  Json head = Json::parse(text);
  renameFormerKeys(head);
  const auto steps = head.find("steps");
  if (steps == head.end() || !steps->is_array() ||
      !std::ranges::all_of(*steps, [](const Json& step) { return step.is_object(); }))
    return tl::unexpected<std::string>("this file is not a lecture: the list \"steps\" is missing");
  for (Json& step : *steps) draft.m_steps.push_back(std::make_shared<const Json>(std::move(step)));
  *steps = Json::array();
  draft.m_head = std::make_shared<const Json>(std::move(head));
  return draft;
}

Json LectureDraft::whole() const {
  Json whole = m_head == nullptr ? Json::object() : *m_head;
  for (const auto& step : m_steps) whole["steps"].push_back(*step);
  return whole;
}

std::string LectureDraft::text() const {
  return lectureText(whole());
}

bool LectureDraft::operator==(const LectureDraft& other) const {
  if (m_head == nullptr || other.m_head == nullptr) return m_head == other.m_head;
  return (m_head == other.m_head || *m_head == *other.m_head) &&
         std::ranges::equal(m_steps, other.m_steps,
                            [](const auto& a, const auto& b) { return a == b || *a == *b; });
}

const Json* LectureDraft::find(std::size_t step, const std::string& pointer) const {
  const Json* value = m_steps[step].get();
  for (const std::string& token : tokens(pointer)) {
    if (value->is_object()) {
      const auto member = value->find(token);
      if (member == value->end()) return nullptr;
      value = &*member;
    } else if (const auto place = listPlace(*value, token)) {
      value = &(*value)[*place];
    } else {
      return nullptr;
    }
  }
  return value;
}

std::string LectureDraft::text(std::size_t step, const std::string& pointer) const {
  const Json* value = find(step, pointer);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::vector<std::string> LectureDraft::texts(std::size_t step, const std::string& pointer) const {
  std::vector<std::string> all;
  const Json* value = find(step, pointer);
  if (value == nullptr) return all;
  if (value->is_string()) all.push_back(value->get<std::string>());
  if (!value->is_array()) return all;
  for (const Json& one : *value) {
    if (one.is_string()) all.push_back(one.get<std::string>());
  }
  return all;
}

std::string LectureDraft::title(const std::string& member) const {
  if (m_head == nullptr) return {};
  const Json& value = memberIn(*m_head, member.c_str());
  return value.is_string() ? value.get<std::string>() : std::string();
}

void LectureDraft::setTitle(const std::string& member, const std::string& text) {
  Json head = *m_head;
  head[member] = text;
  m_head = std::make_shared<const Json>(std::move(head));
}

void LectureDraft::set(std::size_t step, const std::string& pointer, Json value) {
  Json changed = *m_steps[step];
  Json* at = &changed;
  std::vector<std::string> way = tokens(pointer);
  const std::string last = way.back();
  way.pop_back();
  for (const std::string& token : way) {
    if (const auto place = listPlace(*at, token)) {
      at = &(*at)[*place];
      continue;
    }
    if (!at->is_object()) *at = Json::object();
    if (value.is_null() && !at->contains(token)) return;
    at = &(*at)[token];
  }
  if (const auto place = listPlace(*at, last)) {
    value.is_null() ? at->erase(*place) : void((*at)[*place] = std::move(value));
  } else {
    if (!at->is_object()) *at = Json::object();
    value.is_null() ? void(at->erase(last)) : void((*at)[last] = std::move(value));
  }
  m_steps[step] = std::make_shared<const Json>(std::move(changed));
}

std::vector<Session> LectureDraft::sessions() const {
  std::vector<Session> all;
  Session before = openingSession();
  for (const auto& step : m_steps) {
    all.push_back(sessionAfter(before, memberIn(*step, "session")));
    before = all.back();
  }
  return all;
}

void LectureDraft::keep(const std::vector<std::optional<Session>>& wanted) {
  Session before = openingSession();
  for (std::size_t i = 0; i < m_steps.size(); ++i) {
    const Json& members = memberIn(*m_steps[i], "session");
    Session made = sessionAfter(before, members);
    if (wanted[i] && wanted[i]->state.stage != nullptr &&
        (made.state.stage == nullptr || !sameScene(made, *wanted[i]))) {
      set(i, "/session", membersFor(*wanted[i], before, members));
      made = sessionAfter(before, step(i)["session"]);
    }
    before = made;
  }
}

void LectureDraft::insert(std::size_t at, Json step) {
  const auto place = static_cast<std::ptrdiff_t>(at);
  const std::vector<Session> now = sessions();
  std::vector<std::optional<Session>> wanted(now.begin(), now.end());
  wanted.insert(wanted.begin() + place, std::nullopt);
  m_steps.insert(m_steps.begin() + place, std::make_shared<const Json>(std::move(step)));
  keep(wanted);
}

void LectureDraft::insertWindow(std::size_t at, const Session& shown, const std::string& headline,
                                const std::string& text) {
  const Session before = at == 0 ? openingSession() : sessions()[at - 1];
  insert(at, {{"headline", headline}, {"text", text}, {"session", membersOfWindow(shown, before)}});
}

void LectureDraft::duplicate(std::size_t step) {
  const std::vector<Session> now = sessions();
  std::vector<std::optional<Session>> wanted(now.begin(), now.end());
  const auto behind = static_cast<std::ptrdiff_t>(step) + 1;
  wanted.insert(wanted.begin() + behind, now[step]);
  auto copy = m_steps[step];
  m_steps.insert(m_steps.begin() + behind, std::move(copy));
  keep(wanted);
}

void LectureDraft::erase(std::size_t step) {
  const std::vector<Session> now = sessions();
  std::vector<std::optional<Session>> wanted(now.begin(), now.end());
  wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(step));
  m_steps.erase(m_steps.begin() + static_cast<std::ptrdiff_t>(step));
  keep(wanted);
}

void LectureDraft::move(std::size_t from, std::size_t to) {
  const std::vector<Session> now = sessions();
  std::vector<std::optional<Session>> wanted(now.begin(), now.end());
  const auto turn = [from, to](auto& all) {
    const auto at = [&all](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
    if (from < to) {
      std::rotate(at(from), at(from + 1), at(to + 1));
    } else {
      std::rotate(at(to), at(from), at(from + 1));
    }
  };
  turn(wanted);
  turn(m_steps);
  keep(wanted);
}

void LectureDraft::retake(std::size_t step, const Session& shown) {
  const std::vector<Session> now = sessions();
  std::vector<std::optional<Session>> wanted(now.begin(), now.end());
  wanted[step].reset();
  const Session before = step == 0 ? openingSession() : now[step - 1];
  set(step, "/session", membersOfWindow(shown, before));
  set(step, "/at", nullptr);  // the session says the instant
  keep(wanted);
}

Attempt LectureDraft::attempt(std::string_view id) const {
  return attemptLecture(nlohmann::json(whole()), id);
}

tl::expected<std::string, std::string> DraftFile::read() {
  auto text = readText(m_file, kLectureBounds.bytes, Absent::IsAnError);
  if (text) m_known = *text;
  return text;
}

std::string DraftFile::write(const std::string& text) {
  if (text.size() > kLectureBounds.bytes)
    return fmt::format("a lecture has at most {} bytes: make two of it", kLectureBounds.bytes);
  if (isReadOnly(m_file)) {
    return fmt::format("cannot write \"{}\" (it is read-only): save it as another file",
                       quotableFile(m_file));
  }
  if (const auto written = replaceText(m_file, text); !written) return written.error();
  m_known = text;
  return {};
}

bool DraftFile::changedByOthers() const {
  std::error_code unreadable;
  if (!named() || !std::filesystem::exists(m_file, unreadable)) return false;
  const auto text = readText(m_file, kLectureBounds.bytes, Absent::IsAnError);
  return !text || !m_known || *text != *m_known;
}

}  // namespace tileloom::lecture
