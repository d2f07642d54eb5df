// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/driver/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "kernels/base/environment.h"
#include "kernels/base/file_identity.h"
#include "kernels/base/plain_text.h"

namespace tileloom::gpu {
namespace {

namespace fs = std::filesystem;

// Toolkits are often installed where the loader does not look.
std::vector<fs::path> toolkitFolders() {
  std::vector<fs::path> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      roots.emplace_back(value);
  }
  roots.emplace_back("/usr/local/cuda");
  std::vector<fs::path> versions;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/local", ignored)) {
    if (entry.path().filename().string().starts_with("cuda-")) versions.push_back(entry.path());
  }
  std::ranges::sort(versions, std::greater<>());
  roots.insert(roots.end(), versions.begin(), versions.end());
  roots.emplace_back("/opt/cuda");
  std::vector<fs::path> folders;
  for (const fs::path& root : roots) {
    folders.push_back(root / "lib64");
    folders.push_back(root / "targets/x86_64-linux/lib");
    folders.push_back(root / "extras/CUPTI/lib64");
  }
  return folders;
}

// The loader's message about a file, without the file name at its beginning.
std::string_view withoutFile(std::string_view reason, std::string_view file) {
  if (!reason.starts_with(file)) return reason;
  reason.remove_prefix(file.size());
  return reason.substr(std::min(reason.find_first_not_of(": "), reason.size()));
}

std::vector<std::string> versioned(const std::string& base, std::initializer_list<int> versions) {
  std::vector<std::string> names;
  for (const int v : versions) names.push_back(fmt::format("{}.{}", base, v));
  names.push_back(base);
  return names;
}

}  // namespace

LibrarySpec driverLibrary() {
  return {"NVIDIA's driver",
          kDriverVariable,
          {"libcuda.so.1", "libcuda.so"},
          "install NVIDIA's driver to run kernels on this machine's GPU"};
}

LibrarySpec nvrtcLibrary() {
  return {
      "NVRTC", kNvrtcVariable, versioned("libnvrtc.so", {13, 12}),
      "install NVRTC of the CUDA Toolkit (Debian and Ubuntu: cuda-nvrtc-13-0) to compile kernels"};
}

LibrarySpec cublasLibrary() {
  return {"cuBLAS", kCublasVariable, versioned("libcublas.so", {13, 12}),
          "install cuBLAS of the CUDA Toolkit (Debian and Ubuntu: libcublas-13-0) to check results "
          "and compare "
          "speed"};
}

LibrarySpec cublasLtLibrary() {
  return {"cuBLASLt", kCublasLtVariable, versioned("libcublasLt.so", {13, 12}),
          "install cuBLAS of the CUDA Toolkit (Debian and Ubuntu: libcublas-13-0), which brings "
          "cuBLASLt"};
}

LibrarySpec nvmlLibrary() {
  return {"NVML",
          kNvmlVariable,
          {"libnvidia-ml.so.1", "libnvidia-ml.so"},
          "install NVIDIA's driver with its management library to see clocks and watts"};
}

LibrarySpec cuptiLibrary() {
  return {"CUPTI", kCuptiVariable, versioned("libcupti.so", {13}),
          "install CUPTI of the CUDA Toolkit, version 13 (Debian and Ubuntu: cuda-cupti-13-0), to "
          "read the GPU's counters"};
}

Result<Library> Library::open(const LibrarySpec& spec) {
  std::vector<std::string> candidates = spec.names;
  const char* wanted = std::getenv(std::string(spec.variable).c_str());
  const bool chosen = wanted != nullptr && *wanted != '\0';
  if (chosen) {
    if (std::string_view(wanted) == "none") {
      return fail(Trouble::Missing,
                  fmt::format("{} is switched off by {}=none: unset it to use the library",
                              spec.title, spec.variable));
    }
    candidates = {wanted};
  }
  if (!chosen) {
    for (const fs::path& folder : toolkitFolders()) {
      for (const std::string& name : spec.names) candidates.push_back((folder / name).string());
    }
  }
  Library library;
  library.title_ = spec.title;
  std::string why;
  for (const std::string& candidate : candidates) {
    std::error_code ignored;
    if (candidate.find('/') != std::string::npos && !chosen && !fs::exists(candidate, ignored))
      continue;
    library.handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle_ != nullptr) {
      library.path_ = candidate;
      return library;
    }
    // A file that exists but cannot be loaded says more than one that is missing.
    const char* reason = dlerror();
    if (reason != nullptr &&
        (chosen || std::string_view(reason).find("No such file") == std::string_view::npos)) {
      why = fmt::format("{}{}", chosen ? "" : quotableFile(candidate) + ": ",
                        quotable(withoutFile(reason, candidate)));
    }
  }
  if (chosen) {
    return fail(Trouble::Missing,
                fmt::format("{} cannot be loaded from {}={} ({}): correct or unset the variable",
                            spec.title, spec.variable, quotableFile(wanted), why));
  }
  if (!why.empty()) {
    return fail(Trouble::Missing, fmt::format("{} exists but cannot be loaded ({}): {}", spec.title,
                                              why, spec.advice));
  }
  return fail(Trouble::Missing, fmt::format("{} was not found: {}", spec.title, spec.advice));
}

std::string Library::identity() const {
  link_map* loaded = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &loaded) != 0 || loaded == nullptr) return {};
  return fileIdentity(loaded->l_name);
}

void* Library::find(const char* symbol) const {
  return dlsym(handle_, symbol);
}

Result<void> Library::complete() const {
  if (missing_.empty()) return {};
  return fail(Trouble::Unsupported, fmt::format("{} ({}) has no {}: install a newer version",
                                                title_, quotableFile(path_), missing_));
}

}  // namespace tileloom::gpu
