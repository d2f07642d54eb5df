// SPDX-License-Identifier: GPL-3.0-or-later
// A line from a window to its worker: accepted arguments of every method are written as arguments
// that read back as the same.
#include <nlohmann/json.hpp>

#include "kernels/worker/protocol.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {
namespace {

using nlohmann::json;

template <class Reader>
void read(const json& params, Reader from) {
  const auto request = from(params);
  if (!request) return requireSentence(request.error());
  const json written = worker::toJson(*request);
  requirePlainTexts(written);
  const auto again = from(written);
  require(again && worker::toJson(*again) == written, "a request reads back as the same");
  const std::string line = worker::requestLine(1, "method", written);
  require(worker::parseLine(line)["params"] == written, "a request arrives as it was sent");
}

}  // namespace

void attack(std::string_view bytes) {
  const json message = worker::parseLine(bytes);
  if (message.is_discarded()) return;
  const json params =
      message.is_object() && message.contains("params") ? message["params"] : message;
  read(params, worker::compileRequestFrom);
  read(params, worker::aheadRequestFrom);
  read(params, worker::measureRequestFrom);
  read(params, worker::sampleRequestFrom);
  read(params, worker::loopRequestFrom);
  read(params, worker::ceilingsRequestFrom);
}

}  // namespace tileloom::fuzz
