// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's disassemblers, found at run time and run as a program of their own: no shell, a time
// limit, and one temporary file that is gone afterwards.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "kernels/base/error.h"
#include "kernels/sass/listing.h"

namespace tileloom::sass {

class Disassembler {
 public:
  static constexpr std::chrono::milliseconds kLimit{20000};  // nvdisasm takes about a second

  // $TILELOOM_NVDISASM: a path, or "none". Else nvdisasm, else cuobjdump, on the PATH and where
  // toolkits are installed. Trouble::Missing with what to install.
  static Result<Disassembler> find();

  const std::string& path() const { return path_; }
  // "nvdisasm 13.0.85", as the tool says; just "nvdisasm" if it does not.
  std::string tool() const;

  // A tool that hangs is killed: Trouble::Failed, for TimedOut would mean a kernel.
  Result<Listing> disassemble(std::span<const char> cubin,
                              std::chrono::milliseconds limit = kLimit) const;

 private:
  std::string name() const;  // "nvdisasm" or "cuobjdump", whatever the file is called

  std::string path_;
  bool cuobjdump_ = false;
};

}  // namespace tileloom::sass
