// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "app/commands/access.h"
#include "app/commands/bench_trace.h"
#include "app/commands/ceilings.h"
#include "app/commands/common/output.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/usage_error.h"
#include "app/commands/compile.h"
#include "app/commands/copy.h"
#include "app/commands/devices.h"
#include "app/commands/explain.h"
#include "app/commands/fidelity.h"
#include "app/commands/glossary.h"
#include "app/commands/kernel.h"
#include "app/commands/ladder.h"
#include "app/commands/layout.h"
#include "app/commands/loop.h"
#include "app/commands/microcases.h"
#include "app/commands/model.h"
#include "app/commands/occupancy.h"
#include "app/commands/predict.h"
#include "app/commands/record.h"
#include "app/commands/roofline.h"
#include "app/commands/run.h"
#include "app/commands/runs.h"
#include "app/commands/sass.h"
#include "app/commands/stages.h"
#include "app/commands/stalls.h"
#include "app/commands/timeline.h"
#include "app/commands/trace.h"
#include "app/commands/tune.h"
#include "app/commands/why.h"
#include "app/commands/worker.h"
#include "kernels/base/environment.h"
#include "kernels/base/text_file.h"

namespace tileloom::app {
namespace {

constexpr CommandAdder kOwnCommands[] = {
    addStagesCommand,    addExplainCommand,  addTraceCommand,    addTimelineCommand,
    addOccupancyCommand, addPredictCommand,  addModelCommand,    addDevicesCommand,
    addCompileCommand,   addRunCommand,      addLadderCommand,   addRecordCommand,
    addRunsCommand,      addSassCommand,     addWorkerCommand,   addBenchCommand,
    addFidelityCommand,  addCeilingsCommand, addRooflineCommand, addTuneCommand,
    addWhyCommand,       addLayoutCommand,   addStallsCommand,   addMicrocasesCommand,
    addLoopCommand,      addGlossaryCommand, addKernelCommand,   addCopyCommand,
    addAccessCommand};

// After all commands have been added: they would repeat the footer in their own help.
void describeCommands(const Command& app) {
  app.footer(
      "Without a command the window opens. Examples:\n"
      "  tileloom stages\n"
      "  tileloom explain warptiled --tile BM=96\n"
      "  tileloom trace warptiled --size 1024x1024x1024\n"
      "  tileloom trace k5 --block 0,0 --json\n"
      "  tileloom layout padded --array As --to pad:8\n"
      "  tileloom occupancy --arch sm_90 --threads 128 --registers 168 --shared 16384\n"
      "  tileloom compile warptiled --tile BK=8 --arch sm_86\n"
      "  tileloom sass tuned --loop\n"
      "  tileloom run warptiled --tile BK=8 --size 4096\n"
      "  tileloom predict tuned --size 8192\n"
      "  tileloom why warptiled --tile BK=8 --against BK=16\n"
      "  tileloom stalls warptiled --size 4096\n"
      "  tileloom ladder --size 8192 --recorded\n"
      "  tileloom tune warptiled --size 4096 --budget 60s\n"
      "  tileloom kernel gemm.cubin --set M=512\n"
      "  tileloom access 'lane -> lane * 32' --bytes 4 --load\n"
      "Environment variables:\n" +
      variablesText());
  for (const Command& command : app.commands()) {
    command.group("Commands");
    for (const Command& inner : command.commands()) inner.group("Commands");
  }
}

// A file manager passes only the name or URL of a session or a lecture, a browser a link that the
// window made. A file named on the command line may have any name.
bool isForTheWindow(const std::string& word) {
  if (word.starts_with("tileloom:") || word.starts_with("file:")) return true;
  std::error_code unreadable;
  const std::filesystem::path file(word);
  return file.extension() == ".tileloom" || file.extension() == ".json" ||
         std::filesystem::is_regular_file(file, unreadable);
}

// Why the words without a command do not open a file; empty if they name one file.
std::string whyNotOpened(const Command& app, const std::vector<std::string>& words,
                         const WindowOptions& window) {
  if (words.empty()) return {};
  if (!isForTheWindow(words.front())) return unknownWord(app, words.front());
  const std::string name = quotable(words.front());
  if (const auto chosen = app.chosen()) {
    return fmt::format("the file \"{}\" is for the window: leave out the file or \"{}\"", name,
                       chosen->name());
  }
  if (words.size() > 1) {
    return fmt::format("one file at a time: leave out \"{}\" or \"{}\"", name, quotable(words[1]));
  }
  if (!window.session.empty()) {
    return fmt::format("--session names one file and \"{}\" another: leave one out", name);
  }
  return {};
}

void interpret(int argc, const char* const* argv, std::span<const CommandAdder> extra,
               const std::function<int(const WindowOptions&)>& openWindow, Outcome& outcome) {
  const RootCommand root("tileloom", "See GPU matrix multiplication as the hardware runs it",
                         TILELOOM_VERSION);
  const Command app = root.command();
  WindowOptions window;
  app.addOption(
         "--worker", window.worker,
         "For the window: the command that runs the worker, such as \"ssh HOST tileloom worker\"")
      .file("COMMAND");
  app.addOption("--session", window.session, "For the window: a saved session to open").file();
  std::vector<std::string> words;
  app.addOption(
         "FILE", words,
         "A session (NAME.tileloom), a lecture (NAME.json) or a kernel (NAME.cu, NAME.cubin)")
      .typeName("");
  for (const CommandAdder add : kOwnCommands) add(app, outcome);
  for (const CommandAdder add : extra) add(app, outcome);
  describeCommands(app);
  // An output file that cannot be written is refused before the command runs, which may take long.
  const auto whyNot = [&] {
    std::string why = whyNotOpened(app, words, window);
    for (const auto* file : {&outcome.file, &outcome.oldJson}) {
      const bool both = outcome.file && outcome.oldJson;  // refused later
      if (why.empty() && !both) why = whyNotAsked(*file);
    }
    return why;
  };
  const WordsRead read = root.read(argc, argv, whyNot);
  if (read.answer) {
    outcome.output = *read.answer;
    return;
  }
  if (read.misuse) {
    const std::string why = whyNot();
    outcome.fail(why.empty() ? usageSentence(*read.misuse) : why);
    return;
  }
  if (app.chosen()) return;  // its callback has run
  if (!words.empty()) window.session = words.front();
  if (openWindow) {
    outcome.status = openWindow(window);
  } else {
    outcome.fail("this build has no window: give a command (tileloom --help lists them)");
  }
}

std::string oldJsonRemark(const std::string& file) {
  return file == "-" ? std::string("--json - is the old form: --json alone prints JSON")
                     : std::string("--json FILE is the old form: write --json --out FILE");
}

// Files first: if a file cannot be written, nothing is printed.
tl::expected<void, std::string> deliver(const Outcome& outcome) {
  struct Part {
    std::optional<std::string> file;
    const std::string& text;
  };
  std::vector<Part> parts;
  if (!outcome.oldJson) {
    parts.push_back({outcome.file, outcome.output});
  } else {
    if (outcome.file && outcome.beside.empty())
      return tl::unexpected<std::string>("--json and --out name two files: leave one of them out");
    parts.push_back({outcome.oldJson, outcome.output});
    // Nothing else goes to standard output with JSON.
    if (outcome.file || outcome.oldJson != "-") parts.push_back({outcome.file, outcome.beside});
  }
  const auto prints = [](const Part& part) { return !part.file || *part.file == "-"; };
  for (const Part& part : parts) {
    if (prints(part)) continue;
    if (part.file->empty()) {
      return tl::unexpected(
          fmt::format("{} has an empty file name: name a file, or - for standard output",
                      outcome.oldJson ? "--json" : "--out"));
    }
    if (const auto written = replaceText(*part.file, part.text); !written) return written;
  }
  for (const Part& part : parts) {
    if (!prints(part)) continue;
    if (const auto written = writeStandardOutput(terminalText(part.text)); !written) return written;
  }
  return {};
}

int report(const Outcome& outcome) {
  if (!outcome.error.empty()) {
    complain(outcome.error);
    constexpr std::size_t kMostLog = 8000;  // characters
    if (!outcome.log.empty())
      std::fputs((terminalText(outcome.log.substr(0, kMostLog)) + "\n").c_str(), stderr);
    return outcome.status;
  }
  if (const auto delivered = deliver(outcome); !delivered) {
    complain(delivered.error());
    return kUserError;
  }
  for (const std::string& remark : outcome.remarks) complain(remark);
  if (outcome.oldJson) complain(oldJsonRemark(*outcome.oldJson));
  return outcome.status;
}

}  // namespace

void complain(std::string sentence) {
  constexpr std::size_t kMost = 2000;  // characters; a compiler's message may be long
  std::ranges::replace(sentence, '\n', ' ');
  writeStandardError(fmt::format("tileloom: {}\n", quotable(sentence, kMost)));
}

int runCommandLine(int argc, const char* const* argv, std::span<const CommandAdder> extra,
                   const std::function<int(const WindowOptions&)>& openWindow) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error to report
  try {
    Outcome outcome;
    interpret(argc, argv, extra, openWindow, outcome);
    const int status = report(outcome);
    if (outcome.leaveAtOnce) {
      std::fflush(nullptr);
      std::_Exit(status);
    }
    return status;
  } catch (const std::bad_alloc&) {
    std::fputs("tileloom: not enough memory: choose a smaller tile or size\n", stderr);
  } catch (const std::exception& error) {
    complain(fmt::format("internal error ({}): report it as a bug", quotable(error.what(), 200)));
  } catch (...) {
    std::fputs("tileloom: internal error: report it as a bug\n", stderr);
  }
  return kUserError;
}

}  // namespace tileloom::app
