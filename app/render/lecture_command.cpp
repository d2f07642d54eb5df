// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_command.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "app/commands/common/parse.h"
#include "app/commands/common/table.h"
#include "app/export/interruptions.h"
#include "app/lecture/chosen_steps.h"
#include "app/lecture/export_kinds.h"
#include "app/lecture/lecture_check.h"
#include "app/lecture/lecture_files.h"
#include "app/lecture/quantities.h"
#include "app/render/lecture_export.h"
#include "app/window/application.h"
#include "app/window/files/open_window.h"
#include "kernels/base/plain_text.h"
#include "kernels/tile/words.h"
#include "viz/base/widgets/file_given.h"

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
  table.add({"BM, BN, …", "a tile parameter, by its name: \"tileloom stages\" lists them"});
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
  std::string lecture, kind, out, size, theme = "light", steps;
  bool notes = false, noNotes = false, progress = false;
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

std::vector<std::string_view> kindNames() {
  std::vector<std::string_view> names;
  for (const lecture::ExportKindRow& row : lecture::exportKinds()) names.push_back(row.name);
  return names;
}

// The kind, the notes and the file; an error if they contradict each other.
tl::expected<lecture::ExportAsked, std::string> asked(const ExportOptions& options) {
  lecture::ExportAsked asked;
  if (!options.kind.empty()) {
    const auto* row = lecture::exportKindNamed(options.kind);
    if (row == nullptr) {
      return tl::unexpected(fmt::format("there is no kind \"{}\" of export: choose one of {}",
                                        quotable(options.kind), fmt::join(kindNames(), ", ")));
    }
    asked.kind = row->kind;
  }
  if (options.notes && options.noNotes)
    return tl::unexpected<std::string>("--notes and --no-notes exclude each other: leave one out");
  if (options.notes || options.noNotes) asked.notes = options.notes;
  const auto out = fileGiven(options.out);
  if (!out) return tl::unexpected(out.error());
  asked.out = *out;
  return asked;
}

void write(const ExportOptions& options, Outcome& outcome) {
  const auto read = lecture::lectureNamed(options.lecture);
  if (!read) return outcome.fail(read.error());
  const auto wish = asked(options);
  if (!wish) return outcome.fail(wish.error());
  const auto choice = lecture::exportChoice(*wish);
  if (!choice) return outcome.fail(choice.error().toStdString());
  const lecture::ExportKindRow& row = lecture::rowOf(choice->kind);
  const auto size =
      options.size.empty() ? std::optional(QSize(row.width, row.height)) : sizeIn(options.size);
  if (!size)
    return outcome.fail(
        fmt::format("--size \"{}\" is not a size of a window: write one such as 1920x1080, from "
                    "640x480 to 7680x4320",
                    quotable(options.size)));
  const auto look = lookNamed(options.theme);
  if (!look)
    return outcome.fail(fmt::format("there is no theme \"{}\": choose one of {}",
                                    quotable(options.theme), fmt::join(kLookNames, ", ")));
  const auto steps = lecture::chosenSteps("--steps", options.steps, read->steps.size());
  if (!steps) return outcome.fail(steps.error());
  lecture::ExportSetup setup{*size, *look, wish->out, *steps, choice->kind, wish->notes};
  if (options.progress) {
    setup.progress = [](std::size_t done, std::size_t all) {
      complain(fmt::format("{} of {}", done, all));
    };
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

// "slides: a step a page, …", a line each; what is written by default and what is optional.
std::string kindsText() {
  std::string text = "Kinds, and what they are written into:\n";
  for (const lecture::ExportKindRow& row : lecture::exportKinds()) {
    text +=
        fmt::format("  {:<9} {}\n{:12}({}, of a window of {}x{}{})\n", row.name, row.what, "",
                    lecture::filesOf(row).toStdString(), row.width, row.height,
                    row.notes == lecture::NotesIn::WhenAsked       ? "; --notes adds notes"
                    : row.notes == lecture::NotesIn::UnlessRefused ? "; --no-notes leaves them out"
                                                                   : "");
  }
  return text +
         "Without --kind the end of the file's name decides: a PDF has slides.\n"
         "Examples:\n"
         "  tileloom lecture export ladder --out ladder.pdf\n"
         "  tileloom lecture export ladder --kind handout --out handout.pdf\n"
         "  tileloom lecture export ladder --steps 1-5,9 --notes --out ladder.html";
}

}  // namespace

void addLectureCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("lecture", "List, check and write lectures, which the window plays");
  command.requireCommand();
  command.addCommand("list", "The lectures that exist, the user's own last").onRun([&outcome] {
    outcome.output = listText();
  });
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
    // Checked before a window opens: its error belongs in the terminal.
    if (const auto named = fileGiven(window->lecture); !named) return outcome.fail(named.error());
    if (const auto read = lecture::lectureNamed(window->lecture); !read)
      return outcome.fail(read.error());
    outcome.status = openWindow(*window);
  });
  auto options = std::make_shared<ExportOptions>();
  const Command exporting = command.addCommand(
      "export", "Write a lecture as slides, handout, web page, film or pictures");
  exporting.addOption("LECTURE", options->lecture, "A lecture by its name, or a file")
      .typeName("")
      .required();
  exporting
      .addOption("--out", options->out,
                 "What to write: NAME.pdf, NAME.html, NAME.mp4, NAME.gif, or a folder")
      .file()
      .required();
  exporting.addOption("--kind", options->kind, fmt::format("{}", fmt::join(kindNames(), ", ")))
      .typeName("KIND");
  exporting.addFlag("--notes", options->notes, "With the notes for the speaker");
  exporting.addFlag("--no-notes", options->noNotes, "Without them");
  exporting
      .addOption(
          "--size", options->size,
          "Pixels of the window in the pictures (default: see below); in a smaller one the text "
          "is larger")
      .typeName("WxH");
  exporting.addOption("--theme", options->theme, fmt::format("{}", fmt::join(kLookNames, ", ")))
      .typeName("THEME")
      .showDefault();
  exporting
      .addOption("--steps", options->steps, "Some steps alone, such as 3,7 or 2-5 (default: all)")
      .typeName("N,...");
  exporting.addFlag("--progress", options->progress,
                    "Say on standard error how many steps, or frames of a film, are done");
  exporting.footer(kindsText());
  exporting.onRun([options, &outcome] { write(*options, outcome); });
}

}  // namespace tileloom::app
