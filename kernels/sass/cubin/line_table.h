// SPDX-License-Identifier: GPL-3.0-or-later
// Which line of which source each instruction was compiled from: the table that `-lineinfo` adds to
// a cubin. It is DWARF's line table of version 2, with NVIDIA's operations for inlined functions
// (DW_LNE_NVIDIA_inlined_call and DW_LNE_NVIDIA_set_function_name, as LLVM names them).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/sass/cubin/elf.h"

namespace tileloom::sass {

// A line, and where its function was inlined.
struct SourcePlace {
  std::string_view file;      // as the compiler was given it, with its folder
  std::uint32_t line = 0;     // from 1
  std::string_view function;  // mangled, of an inlined function; empty: the kernel's own text
  bool operator==(const SourcePlace&) const = default;
};

class LineTable {
 public:
  bool empty() const { return rows_.empty(); }
  // The places of the instruction at this byte of the code: its line first, then the lines at which
  // each function around it was inlined, the kernel's own line last. Empty: the file does not say.
  std::vector<SourcePlace> at(std::uint32_t address) const;
  std::span<const std::string> files() const { return files_; }

 private:
  friend class LineTableMaker;
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Row {
    std::uint32_t address = 0;
    std::uint32_t file = kNone;  // of files_
    std::uint32_t line = 0;
    std::uint32_t caller = kNone;    // a row of rows_, before this one
    std::uint32_t function = kNone;  // of functions_
  };
  std::vector<std::string> files_;
  std::vector<std::string> functions_;
  std::vector<Row> rows_;            // as the table has them, so that callers keep their numbers
  std::vector<std::uint32_t> last_;  // the last row of each address, by address
};

// The tables of the functions with these symbols, in their order. A damaged table ends where it is
// damaged.
std::vector<LineTable> lineTablesOf(const Elf& elf, std::span<const std::uint32_t> symbols);

}  // namespace tileloom::sass
