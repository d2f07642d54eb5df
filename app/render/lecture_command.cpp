// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_command.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "app/commands/parse.h"
#include "app/commands/table.h"
#include "app/export/interruptions.h"
#include "app/lecture/lecture_check.h"
#include "app/lecture/lecture_files.h"
#include "app/lecture/quantities.h"
#include "app/render/lecture_export.h"
#include "app/window/application.h"
#include "app/window/open_window.h"
#include "kernels/base/plain_text.h"
#include "kernels/tile/words.h"
#include "viz/base/file_given.h"

namespace tileloom::app {
namespace {

using lecture::Entry;
using lecture::Lecture;

std::string listText() {
  Table table({{"lecture", Align::Left},
               {"steps", Align::Right},
               {"minutes", Align::Right},
               {"title", Align::Left}});
  std::string broken;
  for (const Entry& entry : lecture::allLectures()) {
    if (!entry.lecture) {
      broken += fmt::format("\n{}\n", entry.lecture.error());
      continue;
    }
    const Lecture& l = *entry.lecture;
    table.add({entry.shipped ? entry.id : quotableFile(entry.file), std::to_string(l.steps.size()),
               fmt::format("{:.0f}", l.minutes()), l.title});
  }
  return table.text() + broken;
}

std::string quantitiesText() {
  Table table({{"quantity", Align::Left}, {"what it is", Align::Left}});
  for (const lecture::Quantity& q : lecture::quantities())
    table.add({std::string(q.name), std::string(q.what)});
  table.add({"BM, BN, …", "a knob, by its name: \"tileloom stages\" lists them"});
  return table.text();
}

// Every name is a shipped lecture or a file.
void check(const std::vector<std::string>& names, Outcome& outcome) {
  std::string good, wrong;
  for (const std::string& name : names) {
    const auto read = lecture::lectureNamed(name);
    if (!read) {
      wrong += read.error() + "\n";
      continue;
    }
    const auto complaints = lecture::check(*read);
    for (const lecture::Complaint& complaint : complaints)
      wrong += lecture::sentenceOf(complaint, name) + "\n";
    if (complaints.empty()) {
      std::size_t tasks = 0, questions = 0, marks = 0;
      for (const lecture::Step& step : read->steps) {
        tasks += step.task ? 1 : 0;
        questions += step.question ? 1 : 0;
        marks += step.marks.size();
      }
      good += fmt::format("{}: {}, {}, {} and {} are good\n", quotable(name),
                          counted(read->steps.size(), "step"), counted(marks, "mark"),
                          counted(questions, "question"), counted(tasks, "task"));
    }
  }
  outcome.output = good;
  if (wrong.empty()) return;
  if (!wrong.empty()) wrong.pop_back();
  outcome.fail(wrong);
}

struct ExportOptions {
  std::string lecture, out, size = "1920x1080", theme = "light", steps;
};

// "1920x1080"
std::optional<QSize> sizeIn(const std::string& text) {
  const std::size_t x = text.find('x');
  if (x == text.npos) return std::nullopt;
  const auto width = parseNumber("--size", text.substr(0, x), 640, 7680);
  const auto height = parseNumber("--size", text.substr(x + 1), 480, 4320);
  if (!width || !height) return std::nullopt;
  return QSize(*width, *height);
}

void write(const ExportOptions& options, Outcome& outcome) {
  const auto read = lecture::lectureNamed(options.lecture);
  if (!read) return outcome.fail(read.error());
  const auto size = sizeIn(options.size);
  if (!size)
    return outcome.fail(
        fmt::format("--size \"{}\" is no size of a window: write such as 1920x1080, "
                    "from 640x480 to 7680x4320",
                    quotable(options.size)));
  const auto look = lookNamed(options.theme);
  if (!look)
    return outcome.fail(fmt::format("there is no theme \"{}\": choose one of {}",
                                    quotable(options.theme), fmt::join(kLookNames, ", ")));
  const auto out = fileGiven(options.out);
  if (!out) return outcome.fail(out.error());
  lecture::ExportSetup setup{*size, *look, *out, {}};
  const int count = static_cast<int>(read->steps.size());
  std::string_view rest = options.steps;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto step = parseNumber("--steps", std::string(rest.substr(0, comma)), 1, count);
    if (!step) return outcome.fail(step.error());
    setup.steps.push_back(static_cast<std::size_t>(*step - 1));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  Application application({Platform::Offscreen, *look});
  bool interrupted = false;
  const QString wrong = lecture::exportLecture(*read, setup, &interrupted);
  if (!wrong.isEmpty()) {
    outcome.fail(wrong.toStdString());
    if (interrupted) outcome.status = kInterrupted;
    return;
  }
  outcome.output = options.out + "\n";
}

}  // namespace

void addLectureCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("lecture", "List, check and write lectures, which the window plays");
  command.requireCommand();
  command.addCommand("list", "The lectures that there are, the person's own last")
      .onRun([&outcome] { outcome.output = listText(); });
  command.addCommand("quantities", "The figures that texts and conditions of a lecture may name")
      .onRun([&outcome] { outcome.output = quantitiesText(); });
  auto names = std::make_shared<std::vector<std::string>>();
  const Command checking =
      command.addCommand("check", "Read lectures, and try each step, mark and task of them");
  checking.addOption("LECTURE", *names, "A lecture by its name, or a file").typeName("").required();
  checking.onRun([names, &outcome] { check(*names, outcome); });
  auto window = std::make_shared<WindowOptions>();
  const Command playing =
      command.addCommand("play", "Open the window with a lecture, to learn or to present");
  playing.addOption("LECTURE", window->lecture, "A lecture by its name, or a file")
      .typeName("")
      .required();
  playing.addFlag("--present", window->presents, "On the whole screen, for an audience");
  playing.onRun([window, &outcome] {
    // Before a window opens: its sentence belongs into the terminal.
    if (const auto named = fileGiven(window->lecture); !named) return outcome.fail(named.error());
    if (const auto read = lecture::lectureNamed(window->lecture); !read)
      return outcome.fail(read.error());
    outcome.status = openWindow(*window);
  });
  auto options = std::make_shared<ExportOptions>();
  const Command exporting =
      command.addCommand("export", "Write a lecture as PDF, HTML, film, or a PNG per step");
  exporting.addOption("LECTURE", options->lecture, "A lecture by its name, or a file")
      .typeName("")
      .required();
  exporting
      .addOption("--out", options->out,
                 "What to write: NAME.pdf, NAME.html, NAME.mp4, NAME.gif, or a folder")
      .file()
      .required();
  exporting.addOption("--size", options->size, "Pixels of the window in the pictures")
      .typeName("WxH")
      .showDefault();
  exporting.addOption("--theme", options->theme, fmt::format("{}", fmt::join(kLookNames, ", ")))
      .typeName("THEME")
      .showDefault();
  exporting.addOption("--steps", options->steps, "Some steps alone, such as 3,7 (default: all)")
      .typeName("N,...");
  exporting.onRun([options, &outcome] { write(*options, outcome); });
}

}  // namespace tileloom::app
