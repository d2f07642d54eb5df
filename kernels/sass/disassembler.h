// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's disassemblers, which are found at run time and run as separate processes: without a
// shell, with a time limit, and with the machine code as a file in memory.
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

  // Whether $TILELOOM_NVDISASM names a program: it is set, and not to "none".
  static bool isNamed();

  // Takes $TILELOOM_NVDISASM if it is set (a path, or "none"), else nvdisasm, else cuobjdump, from
  // the PATH or from the usual folders of toolkits. If there is none, the error is Trouble::Missing
  // and says what to install.
  static Result<Disassembler> find();

  const std::string& path() const { return path_; }
  // "nvdisasm 13.0.85", as the tool reports; only "nvdisasm" if it does not report its version.
  std::string tool() const;

  // A tool that hangs is killed. The error is then Trouble::Failed, because Trouble::TimedOut means
  // a kernel that does not end.
  Result<Listing> disassemble(std::span<const char> cubin,
                              std::chrono::milliseconds limit = kLimit) const;

 private:
  std::string name() const;  // "nvdisasm" or "cuobjdump", whatever the file's name

  std::string path_;
  bool cuobjdump_ = false;
};

}  // namespace tileloom::sass
