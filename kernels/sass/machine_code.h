// SPDX-License-Identifier: GPL-3.0-or-later
// A listing with what made it, and both as text: one line of JSON (schema "tileloom.listing/1"),
// then a line an instruction, which starts with the count of live registers where it is known.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/sass/listing.h"
#include "kernels/tile/source_hash.h"

namespace tileloom::sass {

inline constexpr std::string_view kListingSchema = "tileloom.listing/1";

struct MachineCode {
  const Stage* stage = nullptr;
  TileShape tile;
  std::string arch;        // "sm_90"
  std::string nvrtc;       // that compiled it: "13.0"
  std::string sourceHash;  // of what was compiled
  std::string tool;        // that disassembled it: "nvdisasm 13.0.85"
  std::string when;        // ISO date of a recording; empty: just now
  int registers = -1;      // a thread; -1: unknown
  int spillBytes = 0;      // stores and loads
  bool recorded = false;
  Listing listing;

  // Recorded from another version of the stage's source than this one.
  bool stale() const { return recorded && sourceHash != tileloom::sourceHash(*stage); }
};

// All but the instructions, and back. The error is one sentence without a full stop; `code` has to
// hold as many instructions as the header says.
nlohmann::json headerJson(const MachineCode& code);
tl::expected<MachineCode, std::string> machineCodeFrom(const nlohmann::json& header,
                                                       std::string_view code);

// "98 FFMA R113, R31.reuse, R42, R8" a line; addresses are 16 bytes apart.
std::string codeText(const Listing& listing);
tl::expected<Listing, std::string> parseCode(std::string_view text);

// Header and code, as they are kept in resources/listings/.
std::string recordText(const MachineCode& code);

}  // namespace tileloom::sass
