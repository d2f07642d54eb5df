// SPDX-License-Identifier: GPL-3.0-or-later
// A listing with its origin, and both as text: one line of JSON (schema "tileloom.listing/2"), then
// one line per instruction, which starts with the number of live registers if it is known.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/sass/listing.h"
#include "kernels/tile/identity/code_places.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"

namespace tileloom::sass {

// Names this program as the reader of a listing.
inline constexpr std::string_view kThisProgram = "Tileloom";

inline constexpr std::string_view kListingSchema = "tileloom.listing/2";
// Of the first version: it named lines of the compiled text (text_keys.h).
inline constexpr std::string_view kFirstListingSchema = "tileloom.listing/1";

struct MachineCode : Subject {
  std::string arch;         // "sm_90"
  std::string nvrtc;        // version that compiled it: "13.0"
  std::string fingerprint;  // of the compiled code: see fingerprintFrom
  std::string tool;         // that read it: kThisProgram, "nvdisasm 13.0.85"
  std::string when;         // ISO date of a recording; empty: read just now
  int registers = -1;       // per thread; -1: unknown
  int spillBytes = 0;       // bytes per thread, stores and loads together
  // Of a stage whose main loop is rewritten after compiling: whether it was, or why not, in one
  // sentence without a full stop. Both are empty for other stages.
  bool rewritten = false;
  std::string whyNotRewritten;
  // Of a rewritten kernel: the cubin as compiled, from which the rewriter starts; empty if it is
  // not kept.
  std::vector<char> untouched;
  bool recorded = false;
  Listing listing;

  bool readByThisProgram() const { return tool == kThisProgram; }
  // Whether it was recorded from another version of the stage's source than that of this program.
  bool stale() const { return recorded && fingerprint != fingerprintOf(*rung()); }
};

// Everything except the instructions as JSON, and back. `code` must hold as many instructions as
// the header says. The error is one sentence without a full stop.
nlohmann::json headerJson(const MachineCode& code);
tl::expected<MachineCode, std::string> machineCodeFrom(const nlohmann::json& header,
                                                       std::string_view code);

// One line per instruction: "98@466 FFMA R113, R31.reuse, R42, R8" (98 live registers, place 466 in
// the source: see code_places.h), if both are known. Addresses are left out, because they are 16
// bytes apart. `places` are those of the source that the listing's lines are of; a place that the
// source does not have is line 0.
std::string codeText(const Listing& listing, const CodePlaces& places);
tl::expected<Listing, std::string> parseCode(std::string_view text, const CodePlaces& places);

// Header and code in the format of resources/listings/.
std::string recordText(const MachineCode& code);

}  // namespace tileloom::sass
