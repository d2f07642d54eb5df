// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a kernel's machine code by this program or by NVIDIA's disassembler, and is the one place
// that decides by which.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "kernels/base/error.h"
#include "kernels/sass/disassembler.h"
#include "kernels/sass/listing.h"

namespace tileloom::sass {

struct ReadListing {
  Listing listing;
  std::string
      tool;  // kThisProgram (machine_code.h), or as Disassembler::tool() says: "nvdisasm 13.0.85"
};

class ListingReader {
 public:
  // If $TILELOOM_NVDISASM names a program, that one reads all machine code; if it is not a program,
  // the error is that of Disassembler::find(). Otherwise this program reads it.
  static Result<ListingReader> find();

  // The first kernel of the file. What this program cannot read is read by NVIDIA's disassembler if
  // there is one. Otherwise the error is Trouble::Unsupported and says what is not known, with its
  // address and bits, and what to install. Without a tool it takes milliseconds, with one up to
  // two times Disassembler::kLimit, and once more for the version of the tool.
  Result<ReadListing> read(std::span<const char> cubin) const;

 private:
  std::optional<Disassembler> tool_;  // that reads everything
};

}  // namespace tileloom::sass
