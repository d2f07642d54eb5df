// SPDX-License-Identifier: GPL-3.0-or-later
// The listings that ship inside the executable: every stage's default tile for two architectures,
// or three on the tensor ladder (those that it can be built for), for machines without a compiler.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/embedded_file.h"
#include "kernels/sass/machine_code.h"
#include "kernels/tile/subject.h"

namespace tileloom::sass {

// The files of resources/listings/ ("sm_90.txt"): several listings in each, one after the other.
std::span<const EmbeddedFile> listingFiles();

// The recorded listing of exactly this subject and architecture. std::nullopt: there is none. Only
// this listing is parsed; a test checks that no recorded listing is broken.
std::optional<MachineCode> recordedListing(const Subject& subject, std::string_view arch);
// The same from a text of listings; if several match, the last of them.
std::optional<MachineCode> findListing(std::string_view text, const Subject& subject,
                                       std::string_view arch);

// Architectures for which a stage's listing should ship: "sm_86", "sm_90".
std::vector<std::string_view> listedArchitectures(const Stage& stage);

// Those for which the stage's default tile is recorded.
std::vector<std::string> recordedArchitectures(const Stage& stage);
bool hasRecordedListing(const Stage& stage);  // for any

}  // namespace tileloom::sass
