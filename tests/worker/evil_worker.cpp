// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that misbehaves: `tileloom_evil_worker KIND`. It needs no GPU and starts at once.
//
//   says FILE       answers each line that it gets with the next line of the file
//   random SEED     answers as a worker should, with made-up figures, and now and then does one of
//                   the things below, dies, hangs, answers twice, or prints half a line
//   hasty SEED the same, but it dies where it would hang, so that tests need not wait KIND answers
//   the first line with what kLines has under this name, then is silent endless prints bytes
//   without a newline for ever stderr prints on standard error for ever silent says nothing flood
//   says hello, and then sends progress of a request that does not exist, for ever
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/worker/protocol.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"

namespace tileloom::test {
namespace {

using nlohmann::json;

std::string nested(std::string_view before, std::string_view after) {
  constexpr std::size_t kDeep = 450'000;  // as deep as a line may be long
  return fmt::format("{}{}{}{}", before, std::string(kDeep, '['), std::string(kDeep, ']'), after);
}

const std::map<std::string, std::string>& lines() {
  static const std::map<std::string, std::string> all = {
      {"deep-id", nested(R"({"jsonrpc":"2.0","id":)", R"(,"result":1})")},
      {"deep-method", nested(R"({"jsonrpc":"2.0","method":)", R"(,"result":1})")},
      {"deep-params", nested(R"({"jsonrpc":"2.0","method":"progress","params":{"id":)", "}}")},
      {"deep-result", nested(R"({"jsonrpc":"2.0","id":1,"result":)", "}")},
      {"deep-error", nested(R"({"jsonrpc":"2.0","id":1,"error":{"message":)", "}}")},
      {"bad-method", R"({"jsonrpc":"2.0","method":{"a":1},"id":1})"},
      {"float-id", R"({"jsonrpc":"2.0","id":1.5,"result":{}})"},
      {"negative-id", R"({"jsonrpc":"2.0","id":-1,"result":{}})"},
      {"huge-id", R"({"jsonrpc":"2.0","id":18446744073709551616,"result":{}})"},
      {"html", R"({"jsonrpc":"2.0","id":1,"error":{"message":"<img src=/dev/zero><h1>x</h1>"}})"},
      {"escape", "\x1b]0;x\x07\x1b[2J rubbish"},
      {"no-utf8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\xfe\xc0\x80\"}"},
      {"no-object", "[1,2,3]"},
      {"many-values", R"({"jsonrpc":"2.0","id":1,"result":[)" + std::string(900'000, '0') + "]}"},
  };
  return all;
}

void print(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (n <= 0) ::_exit(0);
    done += static_cast<std::size_t>(n);
  }
}

void sayLine(const std::string& line) {
  print(line + "\n");
}

[[noreturn]] void hang() {
  for (;;) ::pause();
}

json hello() {
  worker::WorkerInfo info;
  info.version = "evil";
  info.nvrtc = "13.0";
  info.architectures = {90};
  info.driver = "13.0";
  gpu::DeviceInfo device;
  device.name = "Evil H100";
  device.bus = "0000:00:00.0";
  device.major = 9;
  device.sms = 132;
  device.warpsPerSm = 64;
  device.blocksPerSm = 32;
  device.registersPerSm = 65536;
  device.sharedPerSm = 233472;
  device.sharedPerBlock = 232448;
  device.clockMHz = 1980;
  info.devices = {device};
  return worker::toJson(info);
}

json run(const json& params) {
  runs::RunRecord r = madeUpRun();
  if (const auto request = worker::measureRequestFrom(params)) {
    r.stage = request->rung()->id;
    r.tile = request->tile;
    r.problem = request->problem;
  }
  return toJson(r);
}

json resultOf(const std::string& method, const json& params) {
  if (method == "hello") return hello();
  if (method == "measure") return run(params);
  if (method == "cancel") return {{"cancelled", false}};
  if (method == "ahead") return worker::toJson(worker::AheadAnswer{});
  worker::CompileFacts facts;
  facts.resources.registers = 64;
  facts.arch = "sm_90";
  facts.nvrtc = "13.0";
  facts.fingerprint = "0123456789abcdef";
  return worker::toJson(facts);
}

// One of the things that can go wrong, instead of the answer or around it.
void misbehave(Random& random, bool hasty, const json& id, const std::string& answer) {
  const auto stay = [hasty] {
    if (hasty) ::_exit(1);
    hang();
  };
  constexpr int kKinds = 14;
  switch (random.integer(1, kKinds)) {
    case 1:
      ::_exit(random.integer(0, 3));
    case 2:
      ::abort();
    case 3:
      return stay();
    case 4:
      print(answer.substr(0, answer.size() / 2));
      ::_exit(0);
    case 5:
      print(answer.substr(0, answer.size() / 2));
      return stay();
    case 6: {  // answers twice
      sayLine(answer);
      return sayLine(answer);
    }
    case 7:
      sayLine(worker::resultLine(999'999'999, json::object()));
      return sayLine(answer);
    case 8: {  // one of the prepared lines
      auto line = lines().begin();
      std::advance(line, random.integer(0, static_cast<int>(lines().size()) - 1));
      return sayLine(line->second);
    }
    case 9: {  // a flood of signs of life
      std::string flood;
      const std::string one = worker::progressLine(id, toJson(madeUpRun())) + "\n";
      for (int i = 0; i < 3000; ++i) flood += one;
      print(flood);
      return sayLine(answer);
    }
    case 10:
      print(std::string(3'000'000, 'x'));
      return sayLine(answer);
    case 11:
      return sayLine(worker::errorLine(id, worker::kGpuError, "no memory is left on the device",
                                       Trouble::OutOfMemory));
    case 12:
      sayLine(worker::errorLine(id, worker::kGpuError, "an illegal address", Trouble::Lost));
      ::_exit(3);
    case 13:
      return sayLine(worker::resultLine(id, {{"registers", "many"}}));
    default: {
      std::string broken = answer;
      const int at = random.integer(0, static_cast<int>(broken.size()) - 1);
      broken[static_cast<std::size_t>(at)] = static_cast<char>(random.integer(0, 255));
      return sayLine(broken);
    }
  }
}

[[noreturn]] void misbehaveAtRandom(std::uint32_t seed, bool hasty) {
  Random random(seed + static_cast<std::uint32_t>(::getpid()));
  for (std::string line; std::getline(std::cin, line);) {
    const json request = worker::parseLine(line);
    const std::string method = request.value("method", "");
    const std::string answer =
        worker::resultLine(request["id"], resultOf(method, request.value("params", json())));
    if (random.oneIn(method == "hello" ? 8 : 3)) {
      misbehave(random, hasty, request["id"], answer);
    } else {
      sayLine(answer);
    }
  }
  ::_exit(0);
}

// Answers every request, but measures a kernel that was not requested.
[[noreturn]] void answerWithAnother() {
  for (std::string line; std::getline(std::cin, line);) {
    const json request = worker::parseLine(line);
    const std::string method = request.value("method", "");
    json result = resultOf(method, request.value("params", json()));
    if (method == "measure") {
      result["stage"] = "nobody";
      sayLine(worker::progressLine(request["id"], result));
    }
    sayLine(worker::resultLine(request["id"], result));
  }
  ::_exit(0);
}

[[noreturn]] void behave(const std::string& kind, const std::string& argument) {
  if (kind == "random" || kind == "hasty")
    misbehaveAtRandom(static_cast<std::uint32_t>(std::stoul(argument)), kind == "hasty");
  if (kind == "another") answerWithAnother();
  if (kind == "silent") hang();
  std::ifstream prepared(argument);
  std::string line, answer;
  if (kind == "says") {
    while (std::getline(std::cin, line) && std::getline(prepared, answer)) sayLine(answer);
    hang();
  }
  std::getline(std::cin, line);
  const std::string some(65536, 'x');
  if (kind == "endless") {
    for (;;) print(some);
  }
  if (kind == "stderr") {
    while (::write(STDERR_FILENO, some.data(), some.size()) > 0) {
    }
  }
  if (kind == "flood") {
    sayLine(worker::resultLine(1, hello()));
    const std::string sign = worker::progressLine(1, toJson(madeUpRun())) + "\n";
    std::string many;
    for (int i = 0; i < 100; ++i) many += sign;
    for (;;) print(many);
  }
  if (const auto known = lines().find(kind); known != lines().end()) sayLine(known->second);
  hang();
}

}  // namespace
}  // namespace tileloom::test

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  tileloom::test::behave(argv[1], argc > 2 ? argv[2] : "0");
}
