// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/lecture/lecture_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"

namespace tileloom::lecture {
namespace {

using nlohmann::ordered_json;

// A figure stands between braces: those of a person's own text are no figures.
std::string escaped(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    plain += c;
    if (c == '{' || c == '}') plain += c;
  }
  return plain;
}

// Its name without its ending.
std::string titleOf(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return quotable(name.ends_with(kLectureEnding)
                      ? name.substr(0, name.size() - kLectureEnding.size())
                      : file.stem().string());
}

}  // namespace

tl::expected<std::size_t, std::string> addStep(const std::filesystem::path& file,
                                               const NewStep& step) {
  std::error_code unreadable;
  ordered_json whole;
  if (std::filesystem::exists(file, unreadable)) {
    const auto text = readText(file, kLectureBounds.bytes, Absent::IsAnError);
    if (!text) return tl::unexpected(text.error());
    if (const auto lecture = parseLecture(*text, file.stem().string()); !lecture)
      return tl::unexpected(sentenceOf(lecture.error(), quotableFile(file)));
    whole = ordered_json::parse(*text);
  } else {
    whole = {{"schema", kLectureSchema},
             {"title", titleOf(file)},
             {"about", "A lecture that was made in the window."},
             {"steps", ordered_json::array()}};
  }
  ordered_json session = ordered_json::parse(sessionText(step.session));
  for (const std::string_view member : kNotOfALecture) session.erase(std::string(member));
  whole["steps"].push_back({{"headline", escaped(step.headline)},
                            {"text", escaped(step.text)},
                            {"session", std::move(session)}});
  const std::string text = dumped(whole, 2) + "\n";
  if (const auto lecture = parseLecture(text, file.stem().string()); !lecture)
    return tl::unexpected(lecture.error().sentence);
  if (const auto written = replaceText(file, text); !written)
    return tl::unexpected(written.error());
  return whole["steps"].size();
}

}  // namespace tileloom::lecture
