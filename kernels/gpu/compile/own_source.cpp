// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/own_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>

#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/gpu/compile/kept_source.h"
#include "kernels/gpu/compile/source_compiler.h"
#include "kernels/own/source_hints.h"
#include "kernels/sass/cubin/kernel_name.h"
#include "kernels/tile/words.h"

namespace tileloom::gpu {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostFile = kMostCubinFile;
constexpr std::size_t kMostText = std::size_t{4} << 20;  // bytes of a source
constexpr std::size_t kMostTexts = 64;                   // sources of a kernel
constexpr const char* kUsualArch = "sm_90a";  // sm_90 with wgmma and register reallocation
constexpr int kUsualCapability = 90;

enum class InputKind { Cuda, Ptx, Cubin, Any };

tl::unexpected<Complaint> refuse(std::string sentence) {
  return tl::unexpected(Complaint{std::move(sentence), {}, 0, {}});
}

InputKind kindOf(const fs::path& file, std::string_view bytes) {
  const std::string ending = file.extension().string();
  if (ending == ".cu" || ending == ".cuh") return InputKind::Cuda;
  if (ending == ".ptx") return InputKind::Ptx;
  if (ending == ".cubin") return InputKind::Cubin;
  if (isPlain(bytes.substr(0, 1)) && bytes.substr(0, 65536).find('\0') == bytes.npos) {
    if (bytes.find("__global__") != bytes.npos) return InputKind::Cuda;
    if (bytes.find(".version") != bytes.npos && bytes.find(".target") != bytes.npos)
      return InputKind::Ptx;
  }
  return InputKind::Any;
}

// "sm_80" of the text's ".target sm_80, texmode_independent"; empty: it has none.
std::string targetOf(std::string_view ptx) {
  constexpr std::string_view kWord = ".target ";
  const std::size_t at = ptx.find(kWord);
  if (at == ptx.npos) return {};
  ptx.remove_prefix(at + kWord.size());
  return std::string(ptx.substr(0, ptx.find_first_of(", \t\r\n")));
}

// The compute capability that "sm_90a" is of; 0: none is named.
int capabilityOf(const std::string& arch) {
  int number = 0;
  for (const char c : arch)
    if (c >= '0' && c <= '9' && number < 1000) number = 10 * number + (c - '0');
  return number;
}

class Opener {
 public:
  Opener(const OwnInput& input, const SourceChoices& choices, const BuildCache* cache)
      : input_(input), choices_(choices), cache_(cache) {}

  // All cubins, of each architecture; those of a source have one.
  tl::expected<std::vector<FoundCubin>, Complaint> all() {
    if (!choices_.arch.empty()) {
      auto arch = compilerArch(choices_.arch);
      if (!arch) return refuse(arch.error());
      arch_ = *arch;
    }
    std::error_code ignored;
    if (!input_.bytes && fs::is_directory(input_.file, ignored))
      return found(cubinsOfFolder(input_.file, capabilityOf(arch_)));
    if (!input_.bytes) {
      auto read = readText(input_.file, kMostFile, Absent::IsAnError);
      if (!read) return refuse(read.error());
      own_ = std::move(*read);
    }
    const std::string_view bytes = input_.bytes ? *input_.bytes : own_;
    switch (kindOf(input_.file, bytes)) {
      case InputKind::Cuda:
        return compiled(SourceLanguage::Cuda, bytes);
      case InputKind::Ptx:
        return compiled(SourceLanguage::Ptx, bytes);
      case InputKind::Cubin:
        return found(cubinOf(bytes, name(), capabilityOf(arch_)));
      case InputKind::Any:
        break;
    }
    return found(cubinsOfBytes(bytes, name(), capabilityOf(arch_)));
  }

  // Of a source; empty: the file is machine code.
  std::string_view text() const { return text_; }
  // What the compiler has said beside the code.
  KeptCode said;

 private:
  static tl::expected<std::vector<FoundCubin>, Complaint> found(
      tl::expected<std::vector<FoundCubin>, std::string> cubins) {
    if (!cubins) return refuse(std::move(cubins.error()));
    return std::move(*cubins);
  }
  std::string name() const { return quotableFile(input_.file); }

  tl::expected<std::vector<FoundCubin>, Complaint> compiled(SourceLanguage language,
                                                            std::string_view text) {
    if (text.size() > kMostText)
      return refuse(fmt::format("{} has {} bytes, and a source has {} at most", name(),
                                grouped(text.size()), grouped(kMostText)));
    if (text.find('\0') != text.npos)
      return refuse(fmt::format("{} is not a text: it has zero bytes", name()));
    text_ = text;
    SourceJob job;
    job.text = text;
    std::error_code failed;
    job.file = fs::absolute(input_.file, failed);
    job.includes = choices_.includes;
    job.defines = choices_.defines;
    job.instances = choices_.instances;
    job.arch = arch_;
    if (arch_.empty()) job.arch = language == SourceLanguage::Ptx ? targetOf(text) : kUsualArch;
    if (const auto arch = compilerArch(job.arch); !arch)
      return refuse(
          fmt::format("{} names no architecture with .target: give one with --arch", name()));
    auto code = keptCode(job, language, cache_);
    if (!code) return tl::unexpected(std::move(code.error()));
    said = std::move(*code);
    if (!hasKernel(said.code.cubin)) return refuse(withoutKernel(text));
    std::vector<FoundCubin> cubins;
    cubins.push_back({{}, capabilityOf(job.arch), std::move(said.code.cubin)});
    return cubins;
  }

  std::string withoutKernel(std::string_view text) const {
    const auto kernels = own::kernelsIn(text);
    if (kernels.empty())
      return fmt::format("{} has no kernel: write __global__ before a function", name());
    return fmt::format(
        "{} has no instance of its kernel {}, a template: name one, such as --kernel '{}<128, 64>'",
        name(), quotable(kernels.front()), quotable(kernels.front()));
  }

  const OwnInput& input_;
  const SourceChoices& choices_;
  const BuildCache* cache_;
  std::string arch_;
  std::string own_;        // the file's bytes
  std::string_view text_;  // as text()
};

struct Candidate {
  FoundCubin* cubin = nullptr;
  sass::Module module;
};

// The one cubin that is meant.
tl::expected<Candidate, Complaint> chosenOf(std::vector<FoundCubin>& found, const std::string& file,
                                            const std::string& kernel) {
  std::vector<Candidate> fitting;
  std::string unreadable;
  for (FoundCubin& each : found) {
    auto module = sass::readModule(each.cubin);
    if (!module) {
      unreadable = module.error();
      continue;
    }
    if (found.size() == 1 || kernel.empty() || !sass::kernelsNamed(*module, kernel).empty())
      fitting.push_back({&each, std::move(*module)});
  }
  if (fitting.empty()) {
    if (kernel.empty() || found.size() == 1)
      return refuse(fmt::format("{} is not a cubin that can be read: {}: nvcc -cubin makes one",
                                file, unreadable));
    return refuse(
        fmt::format("--kernel: none of the {} cubins of {} has a kernel with \"{}\" in its "
                    "name",
                    found.size(), file, quotable(kernel)));
  }
  const auto capabilityOf = [](const Candidate& each) { return each.module.capability; };
  int wanted = std::ranges::max(fitting, {}, capabilityOf).module.capability;
  if (std::ranges::find(fitting, kUsualCapability, capabilityOf) != fitting.end())
    wanted = kUsualCapability;
  std::erase_if(fitting, [&](const Candidate& each) { return capabilityOf(each) != wanted; });
  if (fitting.size() > 1) {
    std::string some;
    constexpr std::size_t kMostNamed = 4;
    for (std::size_t i = 0; i < std::min(fitting.size(), kMostNamed); ++i) {
      const std::string title = quotable(sass::kernelTitle(fitting[i].module.kernels.front().name));
      some +=
          fmt::format("{}{}{}", i == 0 ? "" : ", ",
                      fitting[i].cubin->file.empty() ? "" : fitting[i].cubin->file + ": ", title);
    }
    return refuse(fmt::format("{} has {} cubins for sm_{}{}: choose one {} ({}{})", file,
                              fitting.size(), wanted, kernel.empty() ? "" : " with such a kernel",
                              kernel.empty() ? "by its kernel with --kernel"
                                             : "with more of the kernel's name, or give its file",
                              some, fitting.size() > kMostNamed ? ", …" : ""));
  }
  return std::move(fitting.front());
}

bool isBelow(const fs::path& file, const fs::path& folder) {
  return std::ranges::mismatch(folder, file).in1 == folder.end();
}

// The sources that the instructions name. They are read only from the kernel's own folder and from
// the user's folders of headers: the file may come from someone else, and name any file.
// `text`: of the kernel's own file; empty: that is machine code.
void takeTexts(CompiledSource& made, const OwnInput& input, std::string_view text,
               const std::vector<std::string>& includes) {
  std::error_code failed;
  const fs::path own = fs::weakly_canonical(fs::absolute(input.file, failed), failed);
  std::vector<fs::path> folders = {own.parent_path()};
  for (const std::string& each : includes)
    folders.push_back(fs::weakly_canonical(fs::absolute(each, failed), failed));
  // It may have no instructions, and still the launch.
  if (!text.empty()) made.texts[fs::absolute(input.file, failed).string()] = text;
  for (const sass::KernelImage& kernel : made.module.kernels) {
    for (const std::string& name : kernel.lines.files()) {
      if (made.texts.size() >= kMostTexts) return;
      if (made.texts.contains(name)) continue;
      const fs::path file = fs::weakly_canonical(name, failed);
      if (failed || std::ranges::none_of(
                        folders, [&](const fs::path& folder) { return isBelow(file, folder); }))
        continue;
      if (file == own && !text.empty()) {
        made.texts[name] = text;
        continue;
      }
      if (auto read = readText(file, kMostText, Absent::IsEmpty); read && !read->empty())
        made.texts[name] = std::move(*read);
    }
  }
}

}  // namespace

std::string CompiledSource::nameOf(const std::string& asked) const {
  const auto found = std::ranges::find(instances, asked, &SourceInstance::asked);
  return found == instances.end() ? asked : found->kernel;
}

tl::expected<CompiledSource, Complaint> compiledSource(const OwnInput& input,
                                                       const SourceChoices& choices,
                                                       const BuildCache* cache) {
  const auto started = Clock::now();
  Opener opener(input, choices, cache);
  auto found = opener.all();
  if (!found) return tl::unexpected(std::move(found.error()));
  const std::size_t cubins = found->size();
  auto chosen = chosenOf(*found, quotableFile(input.file), choices.kernel);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  CompiledSource made;
  made.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  made.module = std::move(chosen->module);
  if (cubins > 1)
    made.remark = fmt::format("of {} cubins this is one for sm_{}", cubins, made.module.capability);
  made.cubin = std::move(chosen->cubin->cubin);
  SourceCode& said = opener.said.code;
  made.cached = opener.said.cached;
  made.compiler = std::move(said.compiler);
  made.log = std::move(said.log);
  for (std::size_t i = 0; i < std::min(said.instances.size(), choices.instances.size()); ++i)
    made.instances.push_back({choices.instances[i], said.instances[i]});
  takeTexts(made, input, opener.text(), choices.includes);
  return made;
}

tl::expected<std::vector<FoundCubin>, Complaint> cubinsOf(const OwnInput& input,
                                                          const SourceChoices& choices,
                                                          const BuildCache* cache) {
  Opener opener(input, choices, cache);
  return opener.all();
}

bool namesOwnFile(const std::string& word) {
  static constexpr std::array<std::string_view, 10> kEndings = {
      ".cubin", ".cu", ".cuh", ".ptx", ".fatbin", ".o", ".so", ".a", ".exe", ".out"};
  return word.find('/') != std::string::npos ||
         std::ranges::any_of(kEndings,
                             [&](std::string_view ending) { return word.ends_with(ending); });
}

}  // namespace tileloom::gpu
