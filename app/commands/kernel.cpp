// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/kernel.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/common/json.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/own_source_options.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/report/cubin_report.h"
#include "app/commands/report/own_measured.h"
#include "app/commands/report/own_report.h"
#include "kernels/base/json_reader.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/own/executable_launch.h"
#include "kernels/own/launch_file.h"
#include "kernels/own/launch_search.h"
#include "kernels/sass/cubin/kernel_name.h"

namespace tileloom::app {
namespace {

struct Options {
  std::string file;
  std::optional<std::string> launch;
  std::vector<std::string> values;
  std::optional<std::string> kernel;
  OwnSourceOptions own;
  bool find = false, json = false, measure = false;
  GpuOptions gpu;
};

// "M=512".
tl::expected<own::Names, std::string> valuesFrom(const std::vector<std::string>& texts) {
  own::Names values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    std::int64_t value = 0;
    const char* const last = text.data() + text.size();
    const char* const first = equals == std::string::npos ? last : text.data() + equals + 1;
    const auto [end, wrong] = std::from_chars(first, last, value);
    if (!own::isName(name) || wrong != std::errc() || end != last)
      return tl::unexpected(
          fmt::format("--set \"{}\" is not NAME=NUMBER, such as M=512", quotable(text)));
    values[name] = value;
  }
  return values;
}

tl::expected<own::LaunchFile, std::string> launchFrom(const Options& options) {
  const std::filesystem::path cubin(options.file);
  std::filesystem::path file = cubin;
  file.replace_extension();
  file += own::LaunchFile::kEnding;
  if (options.launch) file = *options.launch;
  std::error_code unreadable;
  if (!options.launch && !std::filesystem::exists(file, unreadable))
    return tl::unexpected(fmt::format(
        "there is no file {} that says how the kernel is launched: make it with --find, or "
        "name another one with --launch (docs/own-kernels.md)",
        quotableFile(file)));
  const auto text = readText(file, kRecordBounds.bytes, Absent::IsAnError);
  if (!text) return tl::unexpected(text.error());
  auto read = own::launchFileFrom(*text);
  if (!read) return tl::unexpected(fmt::format("{}: {}", quotableFile(file), read.error()));
  return read;
}

// What the sources of the kernel say.
own::SourceHints hintsOf(const gpu::CompiledSource& source, const sass::KernelImage& kernel) {
  std::string all;
  for (const auto& [name, text] : source.texts) all += text + "\n";
  const std::string title = sass::kernelTitle(kernel.name);
  return own::hintsFrom(all, own::baseName(title), kernel.info.parameters.size());
}

// Prints a launch file.
void find(const Options& options, Outcome& outcome) {
  if (options.launch || !options.values.empty())
    return outcome.fail("--find looks for a launch: leave --launch and --set out");
  const auto source = ownSource(options.file, options.own, options.kernel.value_or(""), outcome);
  if (!source) return outcome.fail(source.error());
  const auto kernel = kernelNamed(source->module, source->nameOf(options.kernel.value_or("")));
  if (!kernel) return outcome.fail(kernel.error());
  auto found = own::foundLaunch(source->module, **kernel, hintsOf(*source, **kernel));
  if (!found) return outcome.fail(found.error());
  // The name in the source makes the instance of a template again.
  const std::string title = sass::kernelTitle((*kernel)->name);
  if (sass::kernelsNamed(source->module, title).size() == 1) found->file.kernel = title;
  outcome.output = own::textOf(found->file);
  outcome.remarks.push_back(fmt::format(
      "found after {} launches of one block, and checked: a block computes {} x {} elements of C",
      found->tried, found->tileRows, found->tileColumns));
}

// Runs the launch natively, in this process, after its result was right here at the sizes of the
// launch file.
void measure(const Options& options, const own::LaunchFile& file, const own::Names& values,
             const gpu::CompiledSource& source, const sass::KernelImage& kernel, Outcome& outcome) {
  const auto small = own::resolved(file, {});
  if (!small) return outcome.fail(fmt::format("the launch file: {}", small.error()));
  const std::string name = quotableFile(std::filesystem::path(options.file).filename());
  const auto checked = ownReport(source.module, kernel, *small, name);
  if (!checked) return outcome.fail(checked.error());
  if (!checked->check.right()) {
    outcome.fail(
        fmt::format("the result is not right at the sizes of the launch file, so it is "
                    "not measured: see tileloom kernel {}",
                    name));
    outcome.status = kFoundFaults;
    return;
  }
  const auto launch = own::executableLaunch(file, values, source.module, kernel);
  if (!launch) return outcome.fail(fmt::format("the launch file: {}", launch.error()));
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  const auto driver = gpu::Driver::load();
  if (!driver) return failWith(outcome, driver.error());
  auto context = gpu::Context::open(*driver, *device);
  if (!context) return failWith(outcome, context.error());
  const OwnMeasured measured{*launch, source.cubin, std::chrono::seconds(*limit)};
  const auto report = measuredReport(**context, measured);
  if (!report) {
    outcome.leaveAtOnce = true;
    [[maybe_unused]] gpu::Context* const left = context->release();  // it cannot be closed any more
    return failWith(outcome, report.error());
  }
  outcome.output = options.json ? jsonText(measuredJson(*report)) : measuredText(*report);
  if (report->timed.different > 0) outcome.status = kFoundFaults;
}

void run(const Options& options, Outcome& outcome) {
  if (options.find && options.measure)
    return outcome.fail("--find and --measure are two questions: leave one out");
  if (options.find) return find(options, outcome);
  const auto values = valuesFrom(options.values);
  if (!values) return outcome.fail(values.error());
  auto file = launchFrom(options);
  if (!file) return outcome.fail(file.error());
  if (options.kernel) file->kernel = *options.kernel;
  const auto source = ownSource(options.file, options.own, file->kernel, outcome);
  if (!source) return outcome.fail(source.error());
  const auto kernel = kernelNamed(source->module, source->nameOf(file->kernel));
  if (!kernel) return outcome.fail(kernel.error());
  if (options.measure) return measure(options, *file, *values, *source, **kernel, outcome);
  const auto launch = own::resolved(*file, *values);
  if (!launch) return outcome.fail(fmt::format("the launch file: {}", launch.error()));
  const auto report = ownReport(source->module, **kernel, *launch,
                                quotableFile(std::filesystem::path(options.file).filename()));
  if (!report) return outcome.fail(report.error());
  outcome.output = options.json ? jsonText(ownJson(*report)) : ownText(*report);
  if (outcome.oldJson) outcome.beside = ownText(*report);
  if (report->check.wrong != 0) outcome.status = kFoundFaults;
}

}  // namespace

void addKernelCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "kernel", "Launch a kernel of your own, check its result and count what it costs; no GPU");
  const auto options = std::make_shared<Options>();
  command
      .addOption("FILE", options->file,
                 "CUDA C++ (.cu), PTX, a cubin, or a file or folder with cubins")
      .file("FILE")
      .required();
  command
      .addOption("--launch", options->launch,
                 "How it is launched (FILE without its ending and with .launch.json by default)")
      .file();
  command
      .addOption("--set", options->values,
                 "Another number for a size or value of the launch, such as M=512")
      .typeName("NAME=N")
      .repeatable();
  command.addOption("--kernel", options->kernel,
                    "The kernel (a part of its name), where the file has several");
  command.addFlag("--find", options->find,
                  "Find how the kernel is launched by trying, and print the launch file");
  command.addOption("--arch", options->own.arch, "Architecture (sm_90a by default)")
      .typeName("sm_NN");
  command.addFlag("--measure", options->measure,
                  "Run it on a GPU, natively, once its result is right here: its time, beside "
                  "cuBLAS");
  addGpuOptions(command, options->gpu);
  addOwnSourceOptions(command, options->own);
  addCacheOption(command, options->own.noCache);
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
