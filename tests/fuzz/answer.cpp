// SPDX-License-Identifier: GPL-3.0-or-later
// A line from a worker to its window: an accepted answer to any method is written as one that reads
// back as the same.
#include <nlohmann/json.hpp>

#include "kernels/model/limits/ceilings.h"
#include "kernels/runs/run_record.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/worker/protocol.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

using nlohmann::json;

// The text of a listing is one line per instruction.
void requirePlainAnswer(json value) {
  if (const auto code = value.find("code"); code != value.end()) {
    std::string text = *code;
    std::ranges::replace(text, '\n', ' ');
    *code = text;
  }
  requirePlainTexts(value);
}

template <class Reader, class Writer>
void read(const json& answer, Reader from, Writer toJson) {
  const auto value = from(answer);
  if (!value) return requireSentence(value.error());
  const json written = toJson(*value);
  requirePlainAnswer(written);
  const auto again = from(written);
  require(again && json(toJson(*again)) == written, "an answer reads back as the same");
}

}  // namespace

void attack(std::string_view bytes) {
  const json message = worker::parseLine(bytes);
  if (message.is_discarded()) return;
  const json answer =
      message.is_object() && message.contains("result") ? message["result"] : message;
  const auto toJson = [](const auto& value) { return worker::toJson(value); };
  read(answer, worker::workerInfoFrom, toJson);
  read(answer, worker::compileFactsFrom, toJson);
  read(answer, worker::aheadAnswerFrom, toJson);
  read(answer, worker::machineCodeFrom, toJson);
  read(
      answer, [](const json& run) { return runs::fromJson(run); },
      [](const runs::RunRecord& run) { return json::parse(runs::toLine(run)); });
  read(answer, runs::stallSamplesFrom,
       [](const runs::StallSamples& samples) { return json(runs::toJson(samples)); });
  read(answer, model::ceilingsFrom,
       [](const model::Ceilings& ceilings) { return json::parse(model::toLine(ceilings)); });
}

}  // namespace tileloom::fuzz
