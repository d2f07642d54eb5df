// SPDX-License-Identifier: GPL-3.0-or-later
// The constants of predictions as text: those that ship, and a person's own. One JSON object a line
// and architecture, schema "tileloom.rates/1".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/model/prediction.h"

namespace tileloom::model {

inline constexpr std::string_view kRatesSchema = "tileloom.rates/1";

std::string toLine(const Rates& rates);  // no newline
// The error is one sentence without a full stop: which value is missing or out of its range.
tl::expected<Rates, std::string> ratesFromLine(std::string_view line);

// The lines that are built into this executable.
std::string_view shippedRatesText();
// $XDG_DATA_HOME/tileloom/rates.jsonl, or ~/.local/share/tileloom/rates.jsonl: what a fit keeps.
std::filesystem::path ownRatesFile();

// For this architecture ("sm_90"): the latest line of the person's own file, else what ships. The
// error is one sentence: there are none, or what is wrong in the person's file.
tl::expected<Rates, std::string> ratesFor(std::string_view arch,
                                          const std::filesystem::path& own = ownRatesFile());

}  // namespace tileloom::model
