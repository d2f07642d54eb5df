// SPDX-License-Identifier: GPL-3.0-or-later
// A lecture during editing: the JSON of the file, so that members without a field stay unchanged. A
// draft may have errors. Drafts share equal steps, so that a long history of states costs little.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "app/lecture/lecture_reader.h"

namespace tileloom::lecture {

class LectureDraft {
 public:
  using Json = nlohmann::ordered_json;

  // Any JSON object with a list of objects called "steps". The error is one sentence without a full
  // stop.
  static tl::expected<LectureDraft, std::string> of(std::string_view text);

  std::string text() const;                          // of the file
  bool operator==(const LectureDraft& other) const;  // says the same

  std::size_t size() const { return m_steps.size(); }
  const Json& step(std::size_t i) const { return *m_steps[i]; }
  // The member of a step at "/question/asks"; nullptr: none.
  const Json* find(std::size_t step, const std::string& pointer) const;
  // "" and none if the member has another type. One text counts as a list of one.
  std::string text(std::size_t step, const std::string& pointer) const;
  std::vector<std::string> texts(std::size_t step, const std::string& pointer) const;
  // Of the lecture: "title", "about", "level".
  std::string title(const std::string& member) const;
  void setTitle(const std::string& member, const std::string& text);

  // Sets a member of a step; null removes it. Makes missing parent objects.
  void set(std::size_t step, const std::string& pointer, Json value);

  // Edits of one step do not change the others, although each step inherits from the previous one:
  // inherited members are written out if they would change.
  void insert(std::size_t at, Json step);
  void insertWindow(std::size_t at, const Session& shown, const std::string& headline,
                    const std::string& text);
  void duplicate(std::size_t step);  // directly after it
  void erase(std::size_t step);
  void move(std::size_t from, std::size_t to);
  // Sets the scene of the step from the window, with its instant.
  void retake(std::size_t step, const Session& shown);

  // The valid part of it, and all errors.
  Attempt attempt(std::string_view id) const;

 private:
  Json whole() const;
  std::vector<Session> sessions() const;
  void keep(const std::vector<std::optional<Session>>& wanted);

  std::shared_ptr<const Json> m_head;  // with "steps" at its place, without steps
  std::vector<std::shared_ptr<const Json>> m_steps;
};

// The file of a draft, and whether another program has written it meanwhile.
class DraftFile {
 public:
  DraftFile() = default;  // none yet
  explicit DraftFile(std::filesystem::path file) : m_file(std::move(file)) {}

  tl::expected<std::string, std::string> read();
  // Empty, or a sentence without a full stop; on failure the file is unchanged.
  std::string write(const std::string& text);
  // Whether the file differs from what was read or written last.
  bool changedByOthers() const;

  const std::filesystem::path& file() const { return m_file; }
  bool named() const { return !m_file.empty(); }

 private:
  std::filesystem::path m_file;
  std::optional<std::string> m_known;
};

}  // namespace tileloom::lecture
