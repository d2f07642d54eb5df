// SPDX-License-Identifier: GPL-3.0-or-later
// NVRTC, which compiles nothing.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "tests/gpu/fake/images.h"
#include "tests/gpu/fake/kernels.h"
#include "tests/gpu/fake/state.h"
#include "tests/gpu/fake/words.h"
#include "tests/support/micro_template.h"

using namespace tileloom::fake;

extern "C" {

struct FakeProgram {
  std::string source, log;
  std::vector<char> image;
};

int nvrtcVersion(int* major, int* minor) {
  LOCK;
  if (const int forced = s.forced("nvrtcVersion"); forced != 0) return forced;
  *major = s.b.nvrtcMajor;
  *minor = s.b.nvrtcMinor;
  return 0;
}

const char* nvrtcGetErrorString(int result) {
  return result == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_OF_THE_FAKE";
}

static const int kArchs[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

int nvrtcGetNumSupportedArchs(int* count) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetNumSupportedArchs"); forced != 0) return forced;
  *count = static_cast<int>(std::size(kArchs));
  return 0;
}

int nvrtcGetSupportedArchs(int* archs) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetSupportedArchs"); forced != 0) return forced;
  std::copy(std::begin(kArchs), std::end(kArchs), archs);
  return 0;
}

int nvrtcCreateProgram(FakeProgram** program, const char* source, const char*, int,
                       const char* const*, const char* const*) {
  LOCK;
  if (const int forced = s.forced("nvrtcCreateProgram"); forced != 0) return forced;
  *program = new FakeProgram{source, "", {}};
  ++s.programs;
  return 0;
}

int nvrtcDestroyProgram(FakeProgram** program) {
  LOCK;
  const int answer = s.forced("nvrtcDestroyProgram");
  delete *program;
  *program = nullptr;
  --s.programs;
  return answer;
}

int nvrtcCompileProgram(FakeProgram* program, int count, const char* const* options) {
  LOCK;
  if (const int forced = s.forced("nvrtcCompileProgram"); forced != 0) {
    program->log = "fake.cu(1): error: as told\n";
    return forced;
  }
  ElfHeader h{};
  std::memcpy(h.ident, "\177ELF\2\1\1", 7);
  h.flags = kOwnFlags;
  std::string parameters;
  int results = 1;        // TM*TN
  bool compiles = false;  // it bypasses its own cache, which has no logs
  for (int i = 0; i < count; ++i) {
    const std::string_view option = options[i];
    if (option == "--no-cache" && s.b.nvrtcMajor < 13) {
      program->log = "nvrtc: error: unrecognized option --no-cache found\n";
      return 5;
    }
    compiles = compiles || option == "--no-cache" || s.b.nvrtcMajor < 13;
    if (option.substr(0, 2) == "-D" && option.find('=') != option.npos)
      parameters += std::string(option) + " ";
    if (option.substr(0, 5) == "-DTM=" || option.substr(0, 5) == "-DTN=")
      results *= std::atoi(options[i] + 5);
    constexpr std::string_view kArch = "--gpu-architecture=sm_";
    if (option.substr(0, kArch.size()) == kArch)
      h.version = static_cast<std::uint32_t>(std::atoi(options[i] + kArch.size()));
  }
  const std::string& source = program->source;
  std::size_t at = std::string::npos, skip = 0;
  for (const std::string_view word : {"KERNEL(", "KERNEL16(", "__global__ void "}) {
    if (at == std::string::npos) at = source.find(word), skip = word.size();
  }
  // A source of several kernels: ceilings.cu.
  std::string ceilings;
  for (const char* kernel : kCeilings) {
    if (source.find(std::string(kernel) + "(") != std::string::npos)
      ceilings += (ceilings.empty() ? "" : " ") + std::string(kernel);
  }
  if (at == std::string::npos || h.version == 0) {
    program->log = "fake.cu(1): error: no kernel\n";
    return 6;
  }
  // Another one: check.cu.
  std::string found;
  for (; at != std::string::npos; at = source.find("__global__ void ", at + skip)) {
    const std::size_t end = source.find_first_of(",(", at + skip);
    found += (found.empty() ? "" : " ") + source.substr(at + skip, end - at - skip);
    skip = std::string_view("__global__ void ").size();
  }
  const std::string name = ceilings.empty() ? found : ceilings;
  // Machine code that can be changed: micro_case.cu.
  if (source.find(std::string(kMicroCase) + "(") != std::string::npos) {
    const std::string file = tileloom::test::MicroTemplate().file();
    program->image.assign(file.begin(), file.end());
    return 0;
  }
  if (!s.b.cubin.empty() && source.find("KERNEL(") != std::string::npos) {
    program->image = fileFor(s.b.cubin, h.version);
  } else {
    program->image = namedImage(h, name, parameters);
  }
  const auto has = [&source](const std::string& text) {
    return !text.empty() && source.find(text) != std::string::npos;
  };
  const bool spills = (s.b.spillAbove > 0 && results > s.b.spillAbove) || has(s.b.spillWith);
  const int spill = spills ? 8 : s.b.spill;
  const int registers = has(s.b.manyRegistersWith) ? s.b.manyRegisters : s.b.registers;
  program->log = text(
      "ptxas info    : Function properties for %s\n"
      "    %d bytes stack frame, %d bytes spill stores, %d bytes spill loads\n"
      "ptxas info    : Used %d registers, used 1 barriers, %d bytes smem\n",
      name.c_str(), spill, spill, spill, registers, s.b.staticShared);
  if (!s.b.remark.empty()) {
    program->log += text(
        "ptxas info    : (%s) Potential Performance Loss: wgmma.mma_async instructions are "
        "serialized due to insufficient register resources for the function '%s'\n",
        s.b.remark.c_str(), name.c_str());
  }
  if (!compiles) program->log.clear();
  return 0;
}

int nvrtcGetProgramLogSize(FakeProgram* program, std::size_t* bytes) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetProgramLogSize"); forced != 0) return forced;
  *bytes = program->log.size() + 1;
  return 0;
}

int nvrtcGetProgramLog(FakeProgram* program, char* log) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetProgramLog"); forced != 0) return forced;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}

int nvrtcGetCUBINSize(FakeProgram* program, std::size_t* bytes) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetCUBINSize"); forced != 0) return forced;
  *bytes = program->image.size();
  return 0;
}

int nvrtcGetCUBIN(FakeProgram* program, char* image) {
  LOCK;
  if (const int forced = s.forced("nvrtcGetCUBIN"); forced != 0) return forced;
  std::copy(program->image.begin(), program->image.end(), image);
  return 0;
}

}  // extern "C"
