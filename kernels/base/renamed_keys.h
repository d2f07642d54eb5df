// SPDX-License-Identifier: GPL-3.0-or-later
// JSON keys, and words in files, that were renamed. Readers accept the former name, and the output
// of commands has both, so that scripts and files of the last version work with this one.
//
//   currentKey("knobs")   // "parameters"
//   formerKey("stages")   // "": it was never renamed
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace tileloom {

// The former name of a key; empty: it has none.
std::string_view formerKey(std::string_view current);
// The present name of a key that may be a former one.
std::string_view currentKey(std::string_view key);
// The same of other words: of values ("dot": "k") and options ("--knob": "--parameter").
std::string_view currentWord(std::string_view word);

// Adds each renamed member of the objects in `json` under its former name, too.
void addFormerKeys(nlohmann::ordered_json& json);

// Gives members with a former name the present one, at the same place in their object.
void renameFormerKeys(nlohmann::ordered_json& json);

}  // namespace tileloom
