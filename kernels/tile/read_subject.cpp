// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/read_subject.h"

#include <fmt/format.h>

#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom {

std::optional<Subject> readSubject(JsonReader& reader, std::string_view whose) {
  constexpr std::size_t kLongest = 200;
  const Stage* stage = stageOfEitherLadder(reader.text("stage", kLongest));
  if (stage == nullptr) {
    reader.complain("stage", "the id of a stage");
    return std::nullopt;
  }
  TileShape shape;
  if (const nlohmann::json* tile = reader.object("tile")) {
    const std::string after = fmt::format("\" of {} \"tile\"", whose);
    JsonReader parameters(*tile, {.after = after});
    for (const ParameterSpec& spec : stage->parameters)
      shape[spec.parameter] = parameters.integer(name(spec.parameter), spec.min, spec.max);
    if (!parameters.good()) reader.take(parameters.complaint());
  }
  const auto formats = formatNames(*stage);
  return Subject{stage, shape, *formatNamed(reader.word("arithmetic", formats, formats.front()))};
}

}  // namespace tileloom
