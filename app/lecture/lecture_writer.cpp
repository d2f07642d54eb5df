// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_writer.h"

#include <nlohmann/json.hpp>

#include "app/lecture/lecture_draft.h"
#include "app/lecture/lecture_reader.h"
#include "app/lecture/lecture_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"

namespace tileloom::lecture {

using nlohmann::ordered_json;

std::string escaped(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    plain += c;
    if (c == '{' || c == '}') plain += c;
  }
  return plain;
}

std::string newLectureText(const std::string& title) {
  return lectureText({{"schema", kLectureSchema},
                      {"title", title},
                      {"about", "A lecture that was made in the window."},
                      {"steps", ordered_json::array()}});
}

// Its name without its ending.
std::string titleOf(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return quotable(name.ends_with(kLectureEnding)
                      ? name.substr(0, name.size() - kLectureEnding.size())
                      : file.stem().string());
}

tl::expected<std::size_t, std::string> addStep(const std::filesystem::path& file,
                                               const NewStep& step) {
  std::error_code unreadable;
  const bool there = std::filesystem::exists(file, unreadable);
  std::string text;
  if (there) {
    auto read = readText(file, kLectureBounds.bytes, Absent::IsAnError);
    if (!read) return tl::unexpected(read.error());
    if (const auto lecture = parseLecture(*read, file.stem().string()); !lecture)
      return tl::unexpected(sentenceOf(lecture.error(), quotableFile(file)));
    text = std::move(*read);
  } else {
    text = newLectureText(titleOf(file));
  }
  auto draft = LectureDraft::of(text);
  if (!draft) return tl::unexpected(draft.error());
  draft->insertWindow(draft->size(), step.session, escaped(step.headline), escaped(step.text));
  text = draft->text();
  if (const auto lecture = parseLecture(text, file.stem().string()); !lecture)
    return tl::unexpected(lecture.error().sentence);
  if (const auto written = replaceText(file, text); !written)
    return tl::unexpected(written.error());
  return draft->size();
}

}  // namespace tileloom::lecture
