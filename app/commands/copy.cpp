// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/copy.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/commands/common/stage_options.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/own/rung_copy.h"
#include "kernels/tile/constraints.h"

namespace tileloom::app {
namespace {

struct Options {
  StageOptions stage;
  std::string file;
};

void run(const Options& options, Outcome& outcome) {
  const auto subject = chosenStage(options.stage, "copy");
  if (!subject) return outcome.fail(subject.error());
  if (const std::string why = explainTile(*subject->rung(), subject->tile); !why.empty())
    return outcome.fail(why);
  const std::filesystem::path file(options.file);
  if (file.extension() != ".cu")
    return outcome.fail(
        fmt::format("{} is not the name of a CUDA source: give NAME.cu", quotableFile(file)));
  const auto copy = own::copyOfRung(*subject);
  if (!copy) return outcome.fail(copy.error());
  std::filesystem::path launch = file;
  launch.replace_extension();
  launch += own::LaunchFile::kEnding;
  for (const auto& each : {file, launch}) {
    std::error_code unreadable;
    if (std::filesystem::exists(each, unreadable))
      return outcome.fail(
          fmt::format("there is a file {} already, which is not replaced: give another name",
                      quotableFile(each)));
  }
  for (const auto& [name, text] :
       {std::pair(file, copy->source), std::pair(launch, own::textOf(copy->launch))}) {
    if (const auto done = replaceText(name, text); !done) return outcome.fail(done.error());
  }
  outcome.output = fmt::format(
      "{} and {} are written: open {} in the window, or see "
      "tileloom kernel {}\n",
      quotableFile(file), quotableFile(launch), quotableFile(file), quotableFile(file));
}

}  // namespace

void addCopyCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "copy", "Write a rung as a CUDA source of your own, with the file of its launch; no GPU");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  command
      .addOption("FILE", options->file,
                 "The source to write: NAME.cu; its launch is NAME.launch.json")
      .file("FILE")
      .required();
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
