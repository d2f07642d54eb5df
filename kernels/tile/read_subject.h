// SPDX-License-Identifier: GPL-3.0-or-later
// The subject of a record in JSON: "stage", "tile" and "arithmetic".
#pragma once

#include <optional>
#include <string_view>

#include "kernels/base/json_reader.h"
#include "kernels/tile/subject.h"

namespace tileloom {

// `whose` names the record in complaints: "a listing's". Without "arithmetic" the format is the
// stage's usual one. std::nullopt: no stage has this id, and the reader has complained. A tile
// parameter that is missing or out of range is a complaint, too.
std::optional<Subject> readSubject(JsonReader& reader, std::string_view whose);

}  // namespace tileloom
