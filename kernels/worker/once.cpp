// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/worker/once.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/gpu/measure/sample_stage.h"
#include "kernels/sass/child.h"

namespace tileloom::worker {
namespace {

using nlohmann::json;

constexpr const char* kMethod = "sample";
constexpr int kId = 1;  // of the only request

// The first line of the input; one that is too long ends in the middle, and is not JSON then.
std::string lineOf(int input) {
  std::string line;
  char block[65536];
  while (line.find('\n') == std::string::npos && line.size() <= kLongestLine) {
    const ssize_t n = read(input, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    line.append(block, static_cast<std::size_t>(n));
  }
  return line.substr(0, line.find('\n'));
}

void print(int output, std::string_view line) {
  while (!line.empty()) {
    const ssize_t n = write(output, line.data(), line.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    line.remove_prefix(static_cast<std::size_t>(n));
  }
}

Result<runs::StallSamples> sampleHere(const SampleRequest& request) {
  const auto driver = gpu::Driver::load();
  if (!driver) return tl::unexpected(driver.error());
  const auto nvrtc = gpu::Nvrtc::load();
  if (!nvrtc) return tl::unexpected(nvrtc.error());
  // Both are never destroyed: after a kernel that hangs, that would not end.
  auto* const cache = new gpu::BuildCache;
  auto opened = gpu::Bench::open(*driver, request.device, *nvrtc, cache);
  if (!opened) return tl::unexpected(opened.error());
  gpu::Bench* const bench = opened->release();
  return gpu::sampleStage(*bench, **nvrtc, cache, request, request.problem, request.limitMs);
}

std::string answerTo(const std::string& line) {
  const json message = parseLine(line);
  if (!message.is_object() || message.value("method", json()) != kMethod) {
    return errorLine(nullptr, kInvalidRequest,
                     "this is not a request to sample: send one line with the method sample");
  }
  const json id = message.value("id", json());
  const auto request = sampleRequestFrom(message.value("params", json()));
  if (!request) return errorLine(id, kInvalidParams, request.error());
  const auto samples = sampleHere(*request);
  if (!samples) return errorLine(id, kGpuError, samples.error().text, samples.error().trouble);
  return resultLine(id, toJson(*samples));
}

std::string_view firstLine(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

void answerOnce(int input, int output) {
  // What libraries print to standard output goes to standard error.
  const int ours = dup(output);
  dup2(STDERR_FILENO, output);
  print(ours, answerTo(lineOf(input)) + "\n");
  _exit(0);
}

Result<runs::StallSamples> sampleInChild(const std::string& program, const SampleRequest& request,
                                         const std::function<bool()>& cancelled) {
  const auto seconds = static_cast<long long>(std::ceil(request.limitMs / 1000));
  const auto said = sass::runChild({program, kWorkerCommand, kOnceOption},
                                   std::chrono::milliseconds(2000 * seconds), cancelled,
                                   requestLine(kId, kMethod, toJson(request)) + "\n");
  if (!said) return tl::unexpected(said.error());
  if (said->status != 0) return fail(Trouble::Unsupported, reasonText(firstLine(said->errors)));
  const auto answer = parseJsonObject(firstLine(said->out), kMessageBounds);
  if (!answer) return fail(Trouble::Failed, answer.error());
  if (const auto error = answer->find("error"); error != answer->end()) {
    const bool told = error->is_object() && error->value("message", json()).is_string();
    return fail(Trouble::Unsupported,
                told ? reasonText((*error)["message"].get_ref<const std::string&>())
                     : std::string("the process that samples gave no reason"));
  }
  const auto samples = runs::stallSamplesFrom(answer->value("result", json()));
  if (!samples) return fail(Trouble::Failed, samples.error());
  return *samples;
}

}  // namespace tileloom::worker
