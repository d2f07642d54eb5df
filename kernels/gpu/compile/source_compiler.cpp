// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/source_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "kernels/base/file_identity.h"
#include "kernels/base/plain_text.h"
#include "kernels/gpu/compile/compiler_log.h"
#include "kernels/gpu/compile/host_headers.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/compile/toolkit.h"

namespace tileloom::gpu {
namespace {

namespace fs = std::filesystem;

// nvcc starts its own tools with a shell.
constexpr std::string_view kShellCharacters = "\"'`\\$;&|<>*?!\n\r\t";

std::string nameOf(const SourceJob& job) {
  return quotableFile(job.file.filename());
}

// The folders of headers: that of the file first.
std::vector<std::string> foldersOf(const SourceJob& job) {
  std::vector<std::string> folders = {job.file.has_parent_path() ? job.file.parent_path().string()
                                                                 : "."};
  folders.insert(folders.end(), job.includes.begin(), job.includes.end());
  return folders;
}

// Why an option cannot be given to a compiler; empty: all can.
std::string wrongOption(const SourceJob& job) {
  const auto has = [](const std::string& text, std::string_view characters) {
    return text.find_first_of(characters) != std::string::npos;
  };
  for (const std::string& folder : foldersOf(job))
    if (has(folder, kShellCharacters))
      return fmt::format(
          "the folder {} of headers has a character that compilers do not take: "
          "give it another name",
          quotableFile(folder));
  for (const std::string& define : job.defines) {
    const std::string name = define.substr(0, define.find('='));
    const bool isName = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                        std::ranges::all_of(name, [](char c) {
                          return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
                        });
    if (!isName || has(define, kShellCharacters))
      return fmt::format("--define \"{}\" is not NAME or NAME=VALUE, such as TILE=64",
                         quotable(define));
  }
  for (const std::string& instance : job.instances)
    if (instance.empty() || has(instance, "\"\n\r;{}\\#"))
      return fmt::format(
          "--instance \"{}\" is not the instance of a template, such as "
          "gemm<128, 64>",
          quotable(instance));
  return {};
}

Complaint complaintOf(const SourceJob& job, const std::string& compiler, std::string log) {
  const LoggedError first = firstErrorOf(log);
  Complaint complaint;
  complaint.file = first.file;
  complaint.line = first.line;
  const std::string where =
      first.line == 0
          ? nameOf(job)
          : fmt::format("{}:{}", quotableFile(fs::path(first.file).filename()), first.line);
  complaint.sentence =
      fmt::format("{} does not compile: {} ({})", where,
                  first.text.empty() ? "the compiler gives no reason" : first.text, compiler);
  complaint.log = std::move(log);
  return complaint;
}

tl::unexpected<Complaint> refuse(std::string sentence) {
  return tl::unexpected(Complaint{std::move(sentence), {}, 0, {}});
}

// `missing`: the compiler is not there, so that the other one may say more.
struct Attempt {
  tl::expected<SourceCode, Complaint> code;
  bool missing = false;
};

Attempt withNvrtc(const SourceJob& job) {
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) return {refuse(nvrtc.error().text), true};
  std::vector<std::string> options = {
      fmt::format("--gpu-architecture={}", job.arch), "--std=c++17", "-lineinfo",
      // Functions of the host that a file also has: no kernel can call them.
      "--device-as-default-execution-space"};
  for (const std::string& folder : foldersOf(job)) options.push_back("-I" + folder);
  for (const fs::path& folder : toolkitHeaders()) options.push_back("-I" + folder.string());
  for (const std::string& define : job.defines) options.push_back("-D" + define);
  std::string log;
  auto output =
      (*nvrtc)->compile(job.text, job.file.string(), hostHeaders(), options, job.instances, log);
  const std::string compiler = fmt::format("NVRTC {}", (*nvrtc)->version());
  if (!output) {
    if (output.error().trouble != Trouble::Compilation) return {refuse(output.error().text)};
    return {tl::unexpected(complaintOf(job, compiler, std::move(log)))};
  }
  return {SourceCode{std::move(output->cubin), std::move(output->log), compiler,
                     std::move(output->instances)}};
}

// As the text of a literal.
std::string inQuotes(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted;
}

Attempt withNvcc(const SourceJob& job) {
  const auto nvcc = findNvcc();
  if (!nvcc) return {refuse(nvcc.error().text), true};
  std::vector<std::string> words = {nvcc->string(), "-cubin", "-lineinfo", "-arch=" + job.arch,
                                    "--objdir-as-tempdir"};
  for (const std::string& folder : foldersOf(job)) words.insert(words.end(), {"-I", folder});
  for (const std::string& define : job.defines) words.push_back("-D" + define);
  std::string text = fmt::format("#line 1 \"{}\"\n{}\n", inQuotes(job.file.string()), job.text);
  if (!job.instances.empty()) text += "#line 1 \"instances\"\n";
  for (const std::string& instance : job.instances)
    text += fmt::format("template __global__ decltype({}) {};\n", instance, instance);
  auto output = runTool(std::move(words), job.file.stem().string() + ".cu", text);
  if (!output) return {refuse(output.error().text)};
  if (output->made.empty())
    return {tl::unexpected(complaintOf(job, "nvcc", std::move(output->log)))};
  return {SourceCode{std::move(output->made), std::move(output->log), "nvcc", {}}};
}

bool hasHostCode(const std::string& text) {
  return text.find("<<<") != std::string::npos || text.find(" main(") != std::string::npos;
}

}  // namespace

std::string compilerIdentity() {
  std::string identity;
  if (const auto nvrtc = Nvrtc::load()) identity += "nvrtc " + (*nvrtc)->identity();
  if (const auto nvcc = findNvcc())
    identity += fmt::format(" nvcc {} {}", nvcc->string(), fileIdentity(*nvcc));
  return identity;
}

tl::expected<std::string, std::string> compilerArch(const std::string& text) {
  std::string digits = text.starts_with("sm_") ? text.substr(3) : text;
  if (const std::size_t point = digits.find('.'); point != std::string::npos)
    digits.erase(point, 1);
  std::string number = digits;
  if (!number.empty() && (number.back() == 'a' || number.back() == 'f')) number.pop_back();
  const bool isNumber = (number.size() == 2 || number.size() == 3) &&
                        std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  if (!isNumber)
    return tl::unexpected(fmt::format(
        "--arch \"{}\" is not an architecture, such as sm_80, sm_90 or sm_90a", quotable(text)));
  return "sm_" + digits;
}

tl::expected<SourceCode, Complaint> compileCuda(const SourceJob& job) {
  if (std::string why = wrongOption(job); !why.empty()) return refuse(std::move(why));
  const bool host = hasHostCode(job.text);
  // NVRTC refuses calls of kernels, and nvcc takes longer to start.
  const bool nvccFirst = host && findNvcc().has_value();
  Attempt first = nvccFirst ? withNvcc(job) : withNvrtc(job);
  if (first.code) return std::move(*first.code);
  Attempt second = nvccFirst ? withNvrtc(job) : withNvcc(job);
  if (second.code) return std::move(*second.code);
  Attempt& nvrtc = nvccFirst ? second : first;
  Attempt& nvcc = nvccFirst ? first : second;
  if (!nvcc.missing) return tl::unexpected(std::move(nvcc.code.error()));
  if (nvrtc.missing)
    return refuse(
        fmt::format("{} cannot be compiled: {}", nameOf(job), nvrtc.code.error().sentence));
  Complaint complaint = std::move(nvrtc.code.error());
  if (host)
    complaint.sentence = fmt::format("{}, which has code for the host, needs nvcc: {}", nameOf(job),
                                     nvcc.code.error().sentence);
  return tl::unexpected(std::move(complaint));
}

tl::expected<SourceCode, Complaint> assemblePtx(const SourceJob& job) {
  const auto ptxas = findPtxas();
  if (!ptxas)
    return refuse(fmt::format("{} cannot be assembled: {}", nameOf(job), ptxas.error().text));
  auto output = runTool({ptxas->string(), "-lineinfo", "-arch=" + job.arch}, job.file, job.text);
  if (!output) return refuse(output.error().text);
  if (output->made.empty())
    return tl::unexpected(complaintOf(job, "ptxas", std::move(output->log)));
  return SourceCode{std::move(output->made), std::move(output->log), "ptxas", {}};
}

}  // namespace tileloom::gpu
