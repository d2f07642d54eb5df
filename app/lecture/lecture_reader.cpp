// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/lecture/figures.h"
#include "app/lecture/mark_reader.h"
#include "app/lecture/part.h"
#include "app/session/options.h"
#include "app/session/session_text.h"
#include "kernels/base/json_lines.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/tile/words.h"

namespace tileloom::lecture {
namespace {

using nlohmann::json;

constexpr std::size_t kMostSteps = 200, kMostNotes = 20, kMostChoices = 6, kMostConditions = 6;
constexpr const char* kBaseline = "baseline";  // the option of the baseline
constexpr std::size_t kHeadline = 80, kParagraph = 600, kSentence = 300, kNote = 1000;

class LectureParser {
 public:
  LectureParser(std::string_view text, const json& whole) : text_(text), whole_(whole) {}

  Attempt attempt(std::string_view id) {
    gathers_ = true;
    Attempt made;
    made.lecture.id = std::string(id);
    head(made.lecture);
    const json& steps = this->steps();
    Session session = openingSession();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto wrong = complaints_.size();
      made.lecture.steps.push_back(step(steps[i], fmt::format("/steps/{}", i), session));
      settle();
      session = made.lecture.steps.back().session;
      if (session.state.stage != nullptr) continue;
      made.lecture.steps.clear();
      complaints_.resize(wrong + 1);
      break;
    }
    made.complaints = std::move(complaints_);
    return made;
  }

  tl::expected<Lecture, Complaint> parse(std::string_view id) {
    Lecture lecture;
    lecture.id = std::string(id);
    head(lecture);
    const json& steps = this->steps();
    Session session = openingSession();
    for (std::size_t i = 0; i < steps.size() && trouble_.empty(); ++i) {
      lecture.steps.push_back(step(steps[i], fmt::format("/steps/{}", i), session));
      session = lecture.steps.back().session;
    }
    if (trouble_.empty()) return lecture;
    return tl::unexpected(complaint());
  }

  // Of a session alone.
  std::optional<Complaint> sessionAlone(Session& into) {
    session(whole_, "", into);
    return trouble_.empty() ? std::nullopt : std::optional(complaint());
  }

 private:
  Complaint complaint() const {
    return {text_.empty() ? 0 : lineOf(text_, trouble_.pointer), trouble_.sentence,
            trouble_.pointer};
  }

  // Called after each part of a lecture: with all complaints wanted, reading continues with the
  // next part after an error.
  bool settle() {
    const bool good = trouble_.empty();
    if (!gathers_ || good) return good;
    complaints_.push_back(complaint());
    trouble_ = {};
    return false;
  }

  // Of a member of `value`, also if other members have errors.
  Part partOf(const json& value, const std::string& pointer, const char* before) {
    return {value, pointer, before, trouble_};
  }

  void head(Lecture& lecture) {
    constexpr const char* kBefore = "the lecture's \"";
    partOf(whole_, "", kBefore).only({"schema", "title", "about", "level", "steps"}, "a lecture");
    settle();
    const std::string_view schemas[] = {kLectureSchema};
    partOf(whole_, "", kBefore).word("schema", schemas);
    settle();
    lecture.title = partOf(whole_, "", kBefore).text("title", kHeadline);
    settle();
    lecture.about = partOf(whole_, "", kBefore).text("about", kSentence);
    settle();
    lecture.level = partOf(whole_, "", kBefore).text("level", kSentence, "");
    settle();
  }

  const json& steps() {
    Part part = partOf(whole_, "", "the lecture's \"");
    const json& steps = part.list("steps", kMostSteps, "steps");
    if (trouble_.empty() && steps.empty()) part.complain("steps", "a list with one step or more");
    settle();
    return steps;
  }

  Step step(const json& value, const std::string& pointer, const Session& before) {
    Step s;
    s.line = lineOf(text_, pointer);
    constexpr const char* kBefore = "the step's \"";
    const auto part = [&] { return partOf(value, pointer, kBefore); };
    part().only({"headline", "text", "notes", "minutes", "session", "at", "plays", "marks",
                 "question", "task"},
                "a step");
    settle();
    s.headline = prose(part(), "headline", kHeadline);
    settle();
    s.text = prose(part(), "text", kParagraph);
    settle();
    s.notes = notes(part(), value);
    settle();
    s.minutes = part().number("minutes", 0.1, 60, 1);
    settle();
    s.plays = part().flag("plays", false);
    settle();
    s.session = before;
    // Without an instant in the step, it is the access that shows most waste.
    s.session.state.index = 0;
    if (const json* session = part().object("session"))
      this->session(*session, pointer + "/session", s.session, &s.instruction);
    if (trouble_.empty() && s.session.state.stage == nullptr)
      trouble_.set(pointer, "the first step needs a \"session\" that names a \"stage\"");
    settle();
    if (!trouble_.empty() || s.session.state.stage == nullptr) return s;
    if (const json* at = part().object("at")) {
      const Instant instant = this->instant(*at, pointer + "/at", s);
      if (trouble_.empty()) s.at = instant;
    }
    settle();
    const json& marks = part().list("marks", 8, "marks");
    settle();
    for (std::size_t i = 0; i < marks.size() && trouble_.empty(); ++i) {
      Mark mark = readMark(marks[i], fmt::format("{}/marks/{}", pointer, i), s.session, trouble_);
      if (trouble_.empty()) s.marks.push_back(std::move(mark));
      settle();
    }
    if (const json* question = part().object("question"))
      s.question = this->question(*question, pointer + "/question");
    settle();
    if (const json* task = part().object("task")) {
      s.task = this->task(*task, pointer + "/task", s);
      // A task without a condition has no end.
      if (gathers_ && s.task->until.empty()) s.task.reset();
    }
    settle();
    if (trouble_.empty() && s.question && s.task) {
      part().say("task", "cannot be beside a question: a step has one of them");
      if (gathers_) s.task.reset();
    }
    return s;
  }

  // A text that may name figures.
  std::string prose(Part&& part, std::string_view key, std::size_t longest,
                    std::optional<std::string_view> usual = std::nullopt) {
    return prose(part, key, longest, usual);
  }
  std::string prose(Part& part, std::string_view key, std::size_t longest,
                    std::optional<std::string_view> usual = std::nullopt) {
    std::string text = part.text(key, longest, usual);
    if (!trouble_.empty()) return text;
    if (text.empty() && !usual) part.say(key, "is empty");
    if (const std::string wrong = whyNotFilled(text); !wrong.empty())
      part.take(key, fmt::format("in the step's \"{}\" {}", key, wrong));
    return text;
  }

  std::vector<std::string> notes(Part&& part, const json& value) {
    const json* found = value.is_object() && value.contains("notes") ? &value["notes"] : nullptr;
    std::vector<std::string> all;
    if (!trouble_.empty() || found == nullptr) return all;
    if (found->is_string()) {
      all.push_back(prose(part, "notes", kNote));
      return all;
    }
    const json& list = part.list("notes", kMostNotes, "texts");
    for (const json& note : list) {
      if (!note.is_string()) {
        part.complain("notes", "a text, or a list of texts");
        break;
      }
      all.push_back(note.get<std::string>());
      if (all.back().size() > kNote || hasControlCharacters(all.back()))
        part.complain("notes", fmt::format("texts of at most {} bytes each", kNote));
      if (const std::string wrong = whyNotFilled(all.back()); !wrong.empty())
        part.take("notes", "in the step's \"notes\" " + wrong);
      if (!trouble_.empty()) break;
    }
    return all;
  }

  void session(const json& object, const std::string& pointer, Session& into,
               bool* instruction = nullptr) {
    for (const std::string_view member : kNotOfALecture) {
      if (!object.contains(member)) continue;
      trouble_.set(memberOf(pointer, member),
                   fmt::format("\"{}\" is not part of a lecture: leave it out", member));
      return;
    }
    const std::string unknown = unknownOption(object);
    if (!unknown.empty()) {
      trouble_.set(memberOf(pointer, unknown),
                   fmt::format("there is no \"{}\" in a session: save one to see its members",
                               quotable(unknown)));
      return;
    }
    for (const auto& [key, value] : object.items()) {
      if (!value.is_null() || key == kBaseline) continue;
      trouble_.set(memberOf(pointer, key),
                   fmt::format("\"{}\" is null: leave it out", quotable(key)));
      return;
    }
    // A comparison lasts until a step ends it.
    if (object.contains(kBaseline) && object[kBaseline].is_null()) into.state.pinned.reset();
    if (into.state.stage == nullptr && !object.contains("stage")) {
      trouble_.set(pointer, "the first step's \"session\" must name a \"stage\"");
      return;
    }
    const auto wrong = readOptions(object, into);
    if (wrong) trouble_.set(memberOf(pointer, wrong->first), wrong->second);
    if (instruction != nullptr) *instruction = object.contains("instruction");
  }

  Instant instant(const json& object, const std::string& pointer, const Step& s) {
    Part part(object, pointer, "the instant's \"", trouble_);
    part.only({"line", "tile"}, "an instant");
    Instant at;
    at.line = part.text("line", kHeadline);
    at.kTile = static_cast<std::uint32_t>(part.whole("tile", 1, 1 << 20, 1) - 1);
    if (trouble_.empty()) {
      if (const std::string wrong = whyNoLine(*s.session.state.stage, at.line); !wrong.empty())
        part.take("line", wrong);
    }
    return at;
  }

  Question question(const json& object, const std::string& pointer) {
    constexpr const char* kBefore = "the question's \"";
    const auto alone = [&] { return partOf(object, pointer, kBefore); };
    alone().only({"asks", "answer", "hint", "number", "choices", "right"}, "a question");
    settle();
    Question q;
    q.asks = prose(alone(), "asks", kSentence);
    settle();
    q.answer = prose(alone(), "answer", kParagraph);
    settle();
    q.hint = prose(alone(), "hint", kSentence, "");
    settle();
    if (object.is_object() && object.contains("number"))
      q.number = alone().number("number", -1e15, 1e15);
    settle();
    Part part = alone();
    const json& choices = part.list("choices", kMostChoices, "texts");
    for (const json& choice : choices) {
      const std::string text = choice.is_string() ? choice.get<std::string>() : std::string();
      if (text.empty() || text.size() > kSentence || !isPlain(text)) {
        part.complain("choices",
                      fmt::format("a list of texts of at most {} bytes each", kSentence));
        break;
      }
      q.choices.push_back(text);
    }
    const std::string right = part.text("right", kSentence, "");
    if (!trouble_.empty()) return q;
    if (q.choices.empty() != right.empty()) {
      part.take(q.choices.empty() ? "right" : "choices",
                "\"choices\" and \"right\" belong together: give both, or none");
    } else if (!right.empty()) {
      const auto found = std::ranges::find(q.choices, right);
      if (found == q.choices.end()) part.say("right", "is not one of the choices");
      if (found != q.choices.end()) q.right = static_cast<std::size_t>(found - q.choices.begin());
      if (q.number) part.say("number", "cannot be beside choices: a question has one of them");
    }
    return q;
  }

  Task task(const json& object, const std::string& pointer, const Step& s) {
    constexpr const char* kBefore = "the task's \"";
    const auto alone = [&] { return partOf(object, pointer, kBefore); };
    alone().only({"asks", "answer", "hint", "until", "solution"}, "a task");
    settle();
    Task t;
    t.asks = prose(alone(), "asks", kSentence);
    settle();
    t.answer = prose(alone(), "answer", kParagraph);
    settle();
    t.hint = prose(alone(), "hint", kSentence, "");
    settle();
    Part part = alone();
    const json& until = part.list("until", kMostConditions, "conditions");
    if (trouble_.empty() && until.empty())
      part.complain("until", "a list of conditions, such as [\"subtiles = 2\"]");
    for (const json& one : until) {
      if (!one.is_string()) {
        part.complain("until", "a list of conditions, such as [\"subtiles = 2\"]");
        break;
      }
      auto condition = Condition::parse(one.get_ref<const std::string&>());
      if (!condition) {
        part.take("until", condition.error());
        break;
      }
      t.until.push_back(std::move(*condition));
    }
    settle();
    t.solution = s.session;
    Part rest = alone();
    const json* solution = rest.object("solution");
    if (trouble_.empty() && solution == nullptr)
      rest.complain("solution", "an object with members of a session that meet the task");
    if (solution != nullptr) session(*solution, pointer + "/solution", t.solution);
    return t;
  }

  std::string_view text_;
  const json& whole_;
  Trouble trouble_;
  bool gathers_ = false;  // all complaints, not only the first
  std::vector<Complaint> complaints_;
};

}  // namespace

Session openingSession() {
  Session session;
  session.ladderPanel = session.tilePanel = session.timeStrip = false;
  return session;
}

double Lecture::minutes() const {
  double sum = 0;
  for (const Step& step : steps) sum += step.minutes;
  return sum;
}

tl::expected<Lecture, Complaint> parseLecture(std::string_view text, std::string_view id) {
  const auto parsed = parseJsonObject(text, kLectureBounds);
  if (!parsed) {
    if (text.size() <= kLectureBounds.bytes) {
      if (const auto error = syntaxError(text))
        return tl::unexpected(Complaint{error->line, error->words, {}});
    }
    return tl::unexpected(Complaint{1, parsed.error(), {}});
  }
  return LectureParser(text, *parsed).parse(id);
}

Attempt attemptLecture(const json& whole, std::string_view id) {
  return LectureParser({}, whole).attempt(id);
}

std::optional<Complaint> readSessionMembers(const json& object, Session& into) {
  return LectureParser({}, object).sessionAlone(into);
}

std::string sentenceOf(const Complaint& complaint, std::string_view file) {
  return fmt::format("{}, line {}: {}", quotable(file), complaint.line, complaint.sentence);
}

tl::expected<Lecture, std::string> readLecture(const std::filesystem::path& file) {
  const auto text = readText(file, kLectureBounds.bytes, Absent::IsAnError);
  if (!text) return tl::unexpected(text.error());
  auto lecture = parseLecture(*text, file.stem().string());
  if (!lecture) return tl::unexpected(sentenceOf(lecture.error(), quotableFile(file)));
  return std::move(*lecture);
}

}  // namespace tileloom::lecture
