// SPDX-License-Identifier: GPL-3.0-or-later
// The constants of predictions as text: the shipped ones and the user's own. One JSON object per
// line and architecture, schema "tileloom.rates/4".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/base/embedded_file.h"
#include "kernels/model/prediction/prediction.h"

namespace tileloom::model {

inline constexpr std::string_view kRatesSchema = "tileloom.rates/4";
// Of earlier versions, whose constants do not fit the present sum: the first two had cycles for a
// queue of wavefronts that counted stalls have refuted (docs/design/06-why.md); the third had none
// for rung 16, nor for the sums of split-K tiles.
inline constexpr std::string_view kEarlierRatesSchemas[] = {"tileloom.rates/1", "tileloom.rates/2",
                                                            "tileloom.rates/3"};

std::string toLine(const Rates& rates);  // no newline
// The error is one sentence without a full stop: which value is missing or out of its range.
tl::expected<Rates, std::string> ratesFromLine(std::string_view line);

// The files of resources/prediction/.
std::span<const EmbeddedFile> shippedRateFiles();
// $XDG_DATA_HOME/tileloom/rates.jsonl, or ~/.local/share/tileloom/rates.jsonl: where a fit writes
// its constants.
std::filesystem::path ownRatesFile();

// The constants for this architecture ("sm_90"): the latest line of the user's own file, else the
// shipped ones. Lines of earlier versions are skipped. The error is one sentence: there are none,
// or what is wrong in the user's file.
tl::expected<Rates, std::string> ratesFor(std::string_view arch,
                                          const std::filesystem::path& own = ownRatesFile());

// Whether a rung has predictions: their constants are fitted to the FP32 ladder.
bool isPredicted(const Stage& stage);
// The sentence that replaces a prediction, without a full stop.
inline constexpr std::string_view kNoPrediction =
    "no prediction: it is fitted to the FP32 rungs only";
// The same with a capital and a full stop, for use on its own.
std::string noPredictionSentence();
// The constants for this architecture if the rung is predicted; else the error is kNoPrediction.
tl::expected<Rates, std::string> ratesOf(const Stage& stage, std::string_view arch);

}  // namespace tileloom::model
