// SPDX-License-Identifier: GPL-3.0-or-later
// Shared libraries that are loaded at run time, so that the program starts on any machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"

namespace tileloom::gpu {

// Where to look for a library, and what to say if it is not found.
struct LibrarySpec {
  std::string_view title;          // "NVRTC"
  std::string_view variable;       // TILELOOM_NVRTC: a path to use instead, or "none"
  std::vector<std::string> names;  // file names for the loader, best first
  std::string_view advice;         // "install the CUDA Toolkit (nvrtc) or …"
};

LibrarySpec driverLibrary();
LibrarySpec nvrtcLibrary();
LibrarySpec cublasLibrary();
LibrarySpec cublasLtLibrary();
LibrarySpec nvmlLibrary();
LibrarySpec cuptiLibrary();

// An open library. It is never closed, because CUDA's libraries crash if they are unloaded while
// their threads run.
class Library {
 public:
  static Result<Library> open(const LibrarySpec& spec);

  // nullptr if the library has no such function.
  void* find(const char* symbol) const;

  // Sets `function` to `symbol`, and remembers the first symbol that is missing.
  template <class F>
  void bind(F*& function, const char* symbol) {
    function = reinterpret_cast<F*>(find(symbol));
    if (function == nullptr && missing_.empty()) missing_ = symbol;
  }
  // The same for an optional symbol: `function` stays nullptr.
  template <class F>
  void bindIfThere(F*& function, const char* symbol) const {
    function = reinterpret_cast<F*>(find(symbol));
  }
  // An error if any symbol was missing, which means that the library is too old.
  Result<void> complete() const;

  const std::string& path() const { return path_; }
  // Distinguishes the loaded file from any other build of it, whatever version they report; empty
  // if it cannot be read.
  std::string identity() const;

 private:
  void* handle_ = nullptr;
  std::string title_;
  std::string path_;
  std::string missing_;
};

}  // namespace tileloom::gpu
