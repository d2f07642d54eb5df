// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/plain_text.h"

namespace tileloom::gpu {
namespace {

constexpr int kInvalidOption = 5;  // NVRTC_ERROR_INVALID_OPTION
constexpr std::size_t kMostOfCompiler = 300;

// The line of a log that says what is wrong.
std::string firstError(const std::string& log) {
  std::size_t at = 0;
  while (at < log.size()) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string line = log.substr(at, end - at);
    // The assembler's: "ptxas fatal   : (C7602) Insufficient registers …"
    const bool wrong = line.find("error") != line.npos || line.find("ptxas fatal") != line.npos;
    if (wrong) return quotable(line, kMostOfCompiler);
    at = end + 1;
  }
  return quotable(log, kMostOfCompiler);
}

}  // namespace

Result<std::shared_ptr<const Nvrtc>> Nvrtc::load() {
  auto library = Library::open(nvrtcLibrary());
  if (!library) return tl::unexpected(library.error());
  auto nvrtc = std::make_shared<Nvrtc>();
  library->bind(nvrtc->version_, "nvrtcVersion");
  library->bind(nvrtc->errorString_, "nvrtcGetErrorString");
  library->bind(nvrtc->create_, "nvrtcCreateProgram");
  library->bind(nvrtc->destroy_, "nvrtcDestroyProgram");
  library->bind(nvrtc->compile_, "nvrtcCompileProgram");
  library->bind(nvrtc->logSize_, "nvrtcGetProgramLogSize");
  library->bind(nvrtc->log_, "nvrtcGetProgramLog");
  library->bind(nvrtc->cubinSize_, "nvrtcGetCUBINSize");
  library->bind(nvrtc->cubin_, "nvrtcGetCUBIN");
  library->bind(nvrtc->countArchs_, "nvrtcGetNumSupportedArchs");
  library->bind(nvrtc->archs_, "nvrtcGetSupportedArchs");
  library->bindIfThere(nvrtc->addName_, "nvrtcAddNameExpression");
  library->bindIfThere(nvrtc->loweredName_, "nvrtcGetLoweredName");
  if (const auto complete = library->complete(); !complete) return tl::unexpected(complete.error());
  nvrtc->path_ = library->path();
  if (const int result = nvrtc->version_(&nvrtc->major_, &nvrtc->minor_); result != 0) {
    return fail(Trouble::Failed,
                fmt::format("NVRTC ({}) does not answer ({}): reinstall it",
                            quotableFile(nvrtc->path_), nvrtc->errorString_(result)));
  }
  nvrtc->identity_ = fmt::format("{} {}", nvrtc->version(), library->identity());
  int count = 0;
  if (nvrtc->countArchs_(&count) == 0 && count > 0 && count < 1000) {
    nvrtc->architectures_.resize(static_cast<std::size_t>(count));
    if (nvrtc->archs_(nvrtc->architectures_.data()) != 0) nvrtc->architectures_.clear();
  }
  return nvrtc;
}

Result<Nvrtc::Output> Nvrtc::compile(const std::string& text, const std::string& name,
                                     std::span<const SourceFile> headers,
                                     std::span<const std::string> options) const {
  std::string log;
  return compile(text, name, headers, options, {}, log);
}

Result<Nvrtc::Output> Nvrtc::compile(const std::string& text, const std::string& name,
                                     std::span<const SourceFile> headers,
                                     std::span<const std::string> options,
                                     std::span<const std::string> instances,
                                     std::string& fullLog) const {
  // Views are not terminated; these copies are.
  std::vector<std::string> names, texts;
  for (const SourceFile& header : headers) {
    names.emplace_back(header.name);
    texts.emplace_back(header.text);
  }
  std::vector<const char*> nameList, textList, optionList;
  for (const std::string& s : names) nameList.push_back(s.c_str());
  for (const std::string& s : texts) textList.push_back(s.c_str());
  for (const std::string& s : options) optionList.push_back(s.c_str());

  Program program = nullptr;
  const int made = create_(&program, text.c_str(), name.c_str(), static_cast<int>(names.size()),
                           textList.data(), nameList.data());
  if (made != 0)
    return fail(Trouble::Failed, fmt::format("NVRTC cannot create a program for {} ({}): try again",
                                             name, errorString_(made)));
  const auto destroy = [this](Program p) { destroy_(&p); };
  const std::unique_ptr<ProgramTag, decltype(destroy)> owner(program, destroy);

  for (const std::string& instance : instances) {
    if (addName_ == nullptr || loweredName_ == nullptr)
      return fail(Trouble::Unsupported,
                  fmt::format("NVRTC {} makes no instances of templates: install a newer version",
                              version()));
    addName_(program, instance.c_str());
  }

  // With a driver, newer NVRTCs keep results in their own cache, and a result from it has no log:
  // neither registers nor spills would be known. Older ones do not know the option.
  optionList.push_back("--no-cache");
  const auto count = [&optionList] { return static_cast<int>(optionList.size()); };
  int compiled = compile_(program, count(), optionList.data());
  if (compiled == kInvalidOption) {
    optionList.pop_back();
    compiled = compile_(program, count(), optionList.data());
  }
  Output output;
  std::size_t size = 0;
  if (logSize_(program, &size) == 0 && size > 1) {
    output.log.resize(size);
    if (log_(program, output.log.data()) != 0) output.log.clear();
    while (!output.log.empty() && output.log.back() == '\0') output.log.pop_back();
  }
  fullLog = output.log;
  if (compiled != 0) {
    const std::string why = firstError(output.log);
    return fail(Trouble::Compilation,
                fmt::format("NVRTC {} does not compile {} ({}): {}", version(), name,
                            errorString_(compiled), why.empty() ? "it gives no reason" : why));
  }
  size = 0;
  if (const int result = cubinSize_(program, &size); result != 0 || size == 0) {
    return fail(Trouble::Unsupported,
                fmt::format("NVRTC {} returns no machine code for {}: install NVRTC 12 or newer",
                            version(), name));
  }
  output.cubin.resize(size);
  if (const int result = cubin_(program, output.cubin.data()); result != 0) {
    return fail(Trouble::Failed,
                fmt::format("NVRTC does not return the machine code of {} ({}): try again", name,
                            errorString_(result)));
  }
  for (const std::string& instance : instances) {
    const char* lowered = nullptr;
    if (loweredName_(program, instance.c_str(), &lowered) == 0 && lowered != nullptr)
      output.instances.emplace_back(lowered);
    else
      output.instances.emplace_back();
  }
  return output;
}

}  // namespace tileloom::gpu
