// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/fake/behaviour.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/gpu/driver/driver_api.h"
#include "tests/gpu/fake/words.h"

namespace tileloom::fake {

namespace cu = gpu::cu;

namespace {

int launchNumber(const std::string& value, const std::string& of) {
  const auto [what, n] = split(value, '@');
  if (what != "launch") die("TILELOOM_FAKE: " + of + " wants \"launch\"");
  return n.empty() ? 1 : integer(n, of);
}

}  // namespace

Behaviour behaviourFromEnvironment() {
  Behaviour b;
  const char* list = std::getenv("TILELOOM_FAKE");
  std::string rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const auto [item, more] = split(rest, ',');
    rest = more;
    if (item.empty()) continue;
    const auto [key, value] = split(item, '=');
    if (key == "name") {
      b.name = value;
    } else if (key == "arch") {
      b.arch = integer(value, item);
    } else if (key == "sms") {
      b.sms = integer(value, item);
    } else if (key == "devices") {
      b.devices = integer(value, item);
    } else if (key == "memory") {
      b.memory = number(value, item);
    } else if (key == "no-device") {
      b.initFails = cu::kNoDevice;
    } else if (key == "init-fails") {
      b.initFails = integer(value, item);
    } else if (key == "fail") {
      const auto [function, how] = split(value, ':');
      const auto [result, from] = split(how, '@');
      b.failures[function] = {integer(result, item), from.empty() ? 1 : integer(from, item)};
    } else if (key == "cublas-fails") {
      b.failures["cublasSgemm_v2"] = {integer(value, item), 1};
    } else if (key == "only") {
      b.only = value;
    } else if (key == "wrong") {
      const auto [element, from] = split(value, '@');
      b.wrong = integer(element, item);
      b.wrongFrom = from.empty() ? 1 : integer(from, item);
    } else if (key == "nan") {
      b.nan = integer(value, item);
    } else if (key == "zero") {
      b.zero = true;
    } else if (key == "illegal-address") {
      b.illegalFrom = value.empty() ? 1 : integer(value, item);
    } else if (key == "hang") {
      b.hangFrom = launchNumber(value, item);
    } else if (key == "abort") {
      b.abortFrom = launchNumber(value, item);
    } else if (key == "slow-stage") {
      const auto [stage, ms] = split(value, ':');
      b.slowStage = stage;
      b.slowMs = number(ms, item);
    } else if (key == "registers") {
      b.registers = integer(value, item);
    } else if (key == "spill") {
      b.spill = integer(value, item);
    } else if (key == "registers-with") {
      const auto [text, count] = split(value, ':');
      b.manyRegistersWith = text;
      b.manyRegisters = integer(count, item);
    } else if (key == "spill-with") {
      b.spillWith = value;
    } else if (key == "static") {
      b.staticShared = integer(value, item);
    } else if (key == "rate") {
      const auto [stage, gflops] = split(value, ':');
      b.rates[stage] = number(gflops, item);
    } else if (key == "landscape") {
      b.landscape = number(value, item);
    } else if (key == "remark") {
      b.remark = value;
    } else if (key == "stamps") {
      const auto [word, where] = split(value, ':');
      const auto [line, step] = split(where, ':');
      b.stampWord = static_cast<unsigned>(integer(word, item));
      b.stampLine = static_cast<unsigned>(integer(line, item));
      b.stampStep = static_cast<unsigned>(integer(step, item));
    } else if (key == "spill-above") {
      b.spillAbove = integer(value, item);
    } else if (key == "jitter") {
      b.jitter = number(value, item);
    } else if (key == "drift") {
      b.drift = number(value, item);
    } else if (key == "seed") {
      b.seed = static_cast<unsigned>(integer(value, item));
    } else if (key == "polls") {
      b.polls = integer(value, item);
    } else if (key == "throttle") {
      b.throttle = static_cast<unsigned long long>(number(value, item));
    } else if (key == "clock") {
      b.clock = static_cast<unsigned>(integer(value, item));
    } else if (key == "watts") {
      b.watts = number(value, item);
    } else if (key == "cubin") {
      b.cubin = value;
    } else if (key == "nvrtc") {
      const auto [major, minor] = split(value, '.');
      b.nvrtcMajor = integer(major, item);
      b.nvrtcMinor = integer(minor, item);
    } else {
      die("TILELOOM_FAKE: unknown behaviour " + item);
    }
  }
  return b;
}

double qualityOf(const std::string& parameters, double spread) {
  const std::map<std::string, double> best = {{"BM", 128}, {"BN", 64}, {"BK", 16}, {"WM", 64},
                                              {"WN", 32},  {"TM", 8},  {"TN", 4},  {"WNITER", 2}};
  double far = 0;
  unsigned hash = 2166136261u;
  for (std::size_t at = parameters.find("-D"); at != std::string::npos;
       at = parameters.find("-D", at + 2)) {
    const std::string one = parameters.substr(at + 2, parameters.find(' ', at) - at - 2);
    for (const char c : one) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    const auto [name, value] = split(one, '=');
    if (const auto it = best.find(name); it != best.end() && !value.empty())
      far += std::abs(std::log2(std::max(1.0, number(value, one)) / it->second));
  }
  hash = (hash ^ (hash >> 15)) * 2246822519u;
  const double ripple = static_cast<double>((hash >> 8) % 1000) / 1000;
  return 1 - spread * std::min(1.0, 0.8 * far / 12 + 0.2 * ripple);
}

}  // namespace tileloom::fake
