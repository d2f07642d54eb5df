// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_command.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "app/commands/table.h"
#include "app/lecture/lecture_check.h"
#include "app/lecture/lecture_files.h"
#include "app/lecture/quantities.h"
#include "kernels/base/plain_text.h"

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
    table.add({entry.shipped ? entry.id : quotableFile(entry.file),
               std::to_string(l.steps.size()), fmt::format("{:.0f}", l.minutes()), l.title});
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
      good += fmt::format("{}: {} steps, {} marks, {} questions and {} tasks are good\n",
                          quotable(name), read->steps.size(), marks, questions, tasks);
    }
  }
  outcome.output = good;
  if (wrong.empty()) return;
  if (!wrong.empty()) wrong.pop_back();
  outcome.fail(wrong);
}

}  // namespace

void addLectureCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("lecture", "List, check and write lectures, which the window plays");
  command.requireCommand();
  command.addCommand("list", "The lectures that there are, the person's own last")
      .onRun([&outcome] { outcome.output = listText(); });
  command
      .addCommand("quantities", "The figures that texts and conditions of a lecture may name")
      .onRun([&outcome] { outcome.output = quantitiesText(); });
  auto names = std::make_shared<std::vector<std::string>>();
  const Command checking =
      command.addCommand("check", "Read lectures, and try each step, mark and task of them");
  checking.addOption("LECTURE", *names, "A lecture by its name, or a file")
      .typeName("")
      .required();
  checking.onRun([names, &outcome] { check(*names, outcome); });
}

}  // namespace tileloom::app
