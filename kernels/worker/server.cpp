// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/worker/server.h"
#include "kernels/tile/subject.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/base/json_text.h"
#include "kernels/gpu/compile/compile_ahead.h"
#include "kernels/gpu/compile/disassemble.h"
#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/ceilings.h"
#include "kernels/gpu/measure/counting.h"
#include "kernels/gpu/measure/loop_bench.h"
#include "kernels/gpu/measure/speed.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/worker/lane.h"
#include "kernels/worker/once.h"
#include "kernels/worker/protocol.h"

namespace tileloom::worker {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kSpoilt = 3;                                      // exit status after a fatal error
constexpr auto kProgressEvery = std::chrono::milliseconds(40);  // a window cannot show more

class Server {
 public:
  Server(int output, std::string_view version, std::string_view program, gpu::CompileAhead& ahead)
      : output_(output), version_(version), program_(program), ahead_(ahead) {}

  void take(const std::string& line) {
    const json message = parseLine(line);
    if (message.is_discarded()) {
      return send(
          errorLine(nullptr, kParseError,
                    "this line is not JSON, or is nested too deeply: send one message per line"));
    }
    const bool whole = message.is_object() && message.value("jsonrpc", json()) == "2.0" &&
                       message.contains("method") && message["method"].is_string();
    const json id = message.is_object() && message.contains("id") ? message["id"] : json();
    const bool goodId = id.is_number_integer() || id.is_string();
    if (!whole || !goodId) {
      return send(errorLine(goodId ? id : json(), kInvalidRequest,
                            "this is not a JSON-RPC 2.0 request: send one object with jsonrpc, id, "
                            "method and params"));
    }
    const std::string method = message["method"];
    const json params = message.contains("params") ? message["params"] : json::object();
    if (method == "hello") return queue(hello_, &Server::hello, id, params);
    if (method == "compile") return queue(compile_, &Server::compile, id, params);
    if (method == "disassemble") return queue(disassemble_, &Server::disassemble, id, params);
    if (method == "measure") return queue(measure_, &Server::measure, id, params);
    if (method == "sample") return queue(measure_, &Server::sample, id, params);
    if (method == "loop") return queue(measure_, &Server::loop, id, params);
    if (method == "ceilings") return queue(measure_, &Server::ceilings, id, params);
    if (method == "cancel") return cancel(id, params);
    if (method == "ahead") return ahead(id, params);
    send(errorLine(id, kMethodNotFound,
                   "there is no such method: use hello, compile, ahead, disassemble, measure, "
                   "sample, loop, ceilings or cancel"));
  }

  [[noreturn]] void tooLong() {
    send(errorLine(nullptr, kInvalidRequest,
                   fmt::format("a line is longer than {} bytes: the worker ends", kLongestLine)));
    _exit(2);
  }

 private:
  void send(const std::string& line) {
    const std::lock_guard lock(outputMutex_);
    const std::string whole = line + "\n";
    std::size_t done = 0;
    while (done < whole.size()) {
      const ssize_t n = write(output_, whole.data() + done, whole.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) _exit(0);  // the reader is gone
      done += static_cast<std::size_t>(n);
    }
  }

  using Method = void (Server::*)(const json& id, const json& params, const Lane::Cancelled&);

  // Each request's id is known to its lane as JSON text, so that 7 and "7" differ.
  void queue(Lane& lane, Method method, const json& id, const json& params) {
    const auto work = [this, method, id, params](const Lane::Cancelled& cancelled) {
      (this->*method)(id, params, cancelled);
    };
    if (lane.add(dumped(id), work)) return;
    send(errorLine(id, kGpuError, "too many requests wait already: cancel some", Trouble::Failed));
  }

  void fail(const json& id, const Error& error) {
    send(errorLine(id, kGpuError, error.text, error.trouble));
    if (isFatal(error.trouble)) _exit(kSpoilt);  // nothing can be cleaned up after a hanging kernel
  }

  void cancel(const json& id, const json& params) {
    const json which = params.is_object() && params.contains("id") ? params["id"] : json();
    bool known = false;
    for (Lane* lane : {&compile_, &disassemble_, &measure_, &hello_}) {
      const Lane::Found found = lane->cancel(dumped(which));
      known = known || found != Lane::Found::Nothing;
      if (found == Lane::Found::Waiting) {
        send(errorLine(which, kGpuError, "the request was cancelled", Trouble::Cancelled));
      }
    }
    send(resultLine(id, {{"cancelled", known}}));
  }

  // Never waits, so the reader's thread does it itself.
  void ahead(const json& id, const json& params) {
    const auto request = aheadRequestFrom(params);
    if (!request) return send(errorLine(id, kInvalidParams, request.error()));
    ahead_.want(subjectsOf(*request->stage, request->format, request->tiles), request->arch);
    AheadAnswer answer{static_cast<int>(ahead_.processes()), {}};
    for (const gpu::CompileAhead::Compiled& c : ahead_.take()) {
      answer.compiled.push_back({c, c.failed, c.resources.registers, c.resources.spillStores,
                                 c.resources.spillLoads, c.loop, c.asCompiled});
    }
    send(resultLine(id, toJson(answer)));
  }

  void hello(const json& id, const json&, const Lane::Cancelled&) {
    WorkerInfo info;
    info.version = version_;
    const auto note = [&](const Error& error) { info.missing.push_back(error.text); };
    if (const auto nvrtc = gpu::Nvrtc::load()) {
      info.nvrtc = (*nvrtc)->version();
      info.architectures = (*nvrtc)->architectures();
    } else {
      note(nvrtc.error());
    }
    if (const auto driver = gpu::Driver::load()) {
      info.driver =
          fmt::format("{}.{}", (*driver)->version() / 1000, (*driver)->version() % 1000 / 10);
      info.devices = (*driver)->devices();
    } else {
      note(driver.error());
    }
    if (const auto cublas = gpu::Cublas::version()) {
      info.cublas = *cublas;
    } else {
      note(cublas.error());
    }
    if (const auto lt = gpu::cublasLtVersion()) {
      info.cublasLt = *lt;
    } else {
      note(lt.error());
    }
    if (!info.devices.empty()) {
      if (const auto nvml = gpu::Nvml::open(info.devices.front().bus)) {
        info.driverVersion = (*nvml)->driverVersion();
      } else {
        note(nvml.error());
      }
      if (const auto cupti = gpu::Cupti::present(); !cupti) note(cupti.error());
    }
    send(resultLine(id, toJson(info)));
  }

  Result<std::shared_ptr<const gpu::Nvrtc>> nvrtc() {
    const std::lock_guard lock(nvrtcMutex_);
    if (!nvrtc_) {
      auto loaded = gpu::Nvrtc::load();
      if (!loaded) return tl::unexpected(loaded.error());
      nvrtc_ = *loaded;
    }
    return nvrtc_;
  }

  void compile(const json& id, const json& params, const Lane::Cancelled& cancelled) {
    const auto request = compileRequestFrom(params);
    if (!request) return send(errorLine(id, kInvalidParams, request.error()));
    const auto compiler = nvrtc();
    if (!compiler) return fail(id, compiler.error());
    const auto build =
        gpu::buildStage(**compiler, &cache_, *request, request->arch, gpu::SourceLines::Left);
    if (cancelled()) return fail(id, {Trouble::Cancelled, "the request was cancelled"});
    if (!build) return fail(id, build.error());
    CompileFacts facts;
    facts.resources = build->resources;
    facts.remarks = build->remarks;
    if (facts.remarks.size() > kMostRemarks) facts.remarks.resize(kMostRemarks);
    facts.dynamicShared = build->dynamicShared;
    facts.loop = build->loop;
    if (build->rewriting) {
      facts.rewritten = build->rewriting->done();
      facts.whyNotRewritten = build->rewriting->whyNot;
    }
    facts.arch = build->arch;
    facts.nvrtc = build->nvrtc;
    facts.fingerprint = build->fingerprint;
    facts.milliseconds = build->milliseconds;
    facts.cached = build->cached;
    send(resultLine(id, toJson(facts)));
  }

  void disassemble(const json& id, const json& params, const Lane::Cancelled& cancelled) {
    const auto request = compileRequestFrom(params);
    if (!request) return send(errorLine(id, kInvalidParams, request.error()));
    // Before anything is compiled for it.
    const auto reader = sass::ListingReader::find();
    if (!reader) return fail(id, reader.error());
    const auto compiler = nvrtc();
    if (!compiler) return fail(id, compiler.error());
    const auto code = gpu::disassembleStage(**compiler, &cache_, *reader, *request, request->arch);
    if (cancelled()) return fail(id, {Trouble::Cancelled, "the request was cancelled"});
    if (!code) return fail(id, code.error());
    const std::string line = resultLine(id, toJson(*code));
    if (line.size() >= kLongestLine) {
      return fail(id, {Trouble::Unsupported,
                       fmt::format("the listing of {} instructions is too long for the window: use "
                                   "the command tileloom sass",
                                   code->listing.instructions.size())});
    }
    send(line);
  }

  Result<std::shared_ptr<const gpu::Driver>> driver() {
    if (!driver_) {
      auto loaded = gpu::Driver::load();
      if (!loaded) return tl::unexpected(loaded.error());
      driver_ = *loaded;
    }
    return driver_;
  }

  Result<gpu::Bench*> bench(int device) {
    if (bench_ && benchDevice_ == device) return bench_.get();
    bench_.reset();
    if (const auto loaded = driver(); !loaded) return tl::unexpected(loaded.error());
    const auto compiler = nvrtc();
    if (!compiler) return tl::unexpected(compiler.error());
    auto made = gpu::Bench::open(driver_, device, *compiler, &cache_);
    if (!made) return tl::unexpected(made.error());
    bench_ = std::move(*made);
    benchDevice_ = device;
    return bench_.get();
  }

  void measure(const json& id, const json& params, const Lane::Cancelled& cancelled) {
    const auto request = measureRequestFrom(params);
    if (!request) return send(errorLine(id, kInvalidParams, request.error()));
    const auto ready = bench(request->device);
    if (!ready) return fail(id, ready.error());
    const auto compiler = nvrtc();
    if (!compiler) return fail(id, compiler.error());
    const auto build =
        gpu::buildStage(**compiler, &cache_, *request,
                        gpu::architectureOf((*ready)->context().device()), gpu::SourceLines::Left);
    if (!build) return fail(id, build.error());
    auto told = Clock::now() - kProgressEvery;
    auto record = gpu::measureSpeed(**ready, *build, request->problem, request->options,
                                    [&](const runs::RunRecord& r) {
                                      if (Clock::now() - told >= kProgressEvery) {
                                        told = Clock::now();
                                        send(progressLine(id, toJson(r)));
                                      }
                                      return !cancelled();
                                    });
    if (!record) return fail(id, record.error());
    std::string missing;
    if (request->counters) {
      const auto counted =
          gpu::readCounters(**ready, *build, request->problem, runs::liveCounters(),
                            request->options.limitMs, [&cancelled] { return !cancelled(); });
      if (counted) {
        record->counters = counted->counters;
        record->achievedOccupancy = counted->achievedOccupancy;
      } else if (counted.error().trouble == Trouble::Cancelled ||
                 isFatal(counted.error().trouble)) {
        return fail(id, counted.error());
      } else {
        missing = counted.error().text;
      }
    }
    json answer = toJson(*record);
    if (!missing.empty()) answer[kCountersMissing] = missing;
    send(resultLine(id, answer));
  }

  // In a process of its own: see once.h.
  void sample(const json& id, const json& params, const Lane::Cancelled& cancelled) {
    const auto request = sampleRequestFrom(params);
    if (!request) return send(errorLine(id, kInvalidParams, request.error()));
    const auto samples = sampleInChild(program_, *request, cancelled);
    if (cancelled()) return fail(id, {Trouble::Cancelled, "the request was cancelled"});
    if (!samples) return fail(id, samples.error());
    const std::string line = resultLine(id, toJson(*samples));
    if (line.size() >= kLongestLine) {
      return fail(id, {Trouble::Unsupported,
                       "the samples are of too many instructions for the window: use the command "
                       "tileloom stalls"});
    }
    send(line);
  }

  void loop(const json& id, const json& params, const Lane::Cancelled& cancelled) {
    const auto request = loopRequestFrom(params);
    if (!request) return send(errorLine(id, kInvalidParams, request.error()));
    const auto gpu = driver();
    if (!gpu) return fail(id, gpu.error());
    const auto compiler = nvrtc();
    if (!compiler) return fail(id, compiler.error());
    bench_.reset();  // the memory is needed
    gpu::LoopOptions how;
    how.limitMs = request->limitMs;
    const auto times = gpu::measureLoop(*gpu, request->device, **compiler, &cache_, *request, how,
                                        [&](int) { return !cancelled(); });
    if (!times) return fail(id, times.error());
    send(resultLine(id, json(toJson(*times))));
  }

  void ceilings(const json& id, const json& params, const Lane::Cancelled& cancelled) {
    const auto request = ceilingsRequestFrom(params);
    if (!request) return send(errorLine(id, kInvalidParams, request.error()));
    const auto gpu = driver();
    if (!gpu) return fail(id, gpu.error());
    const auto compiler = nvrtc();
    if (!compiler) return fail(id, compiler.error());
    bench_.reset();  // the memory is needed
    gpu::CeilingOptions how;
    how.limitMs = request->limitMs;
    const auto found = gpu::measureCeilings(*gpu, request->device, **compiler, &cache_, how,
                                            [&](std::string_view) { return !cancelled(); });
    if (!found) return fail(id, found.error());
    send(resultLine(id, toJson(*found)));
  }

  int output_;
  std::string version_;
  std::string program_;
  gpu::CompileAhead& ahead_;
  std::mutex outputMutex_;
  std::mutex nvrtcMutex_;
  std::shared_ptr<const gpu::Nvrtc> nvrtc_;
  const gpu::BuildCache cache_;
  // Used by the measuring lane only.
  std::shared_ptr<const gpu::Driver> driver_;
  std::unique_ptr<gpu::Bench> bench_;
  int benchDevice_ = -1;

  Lane hello_;
  Lane compile_;
  Lane disassemble_;  // of its own: sliders wait for registers only
  Lane measure_;      // all that needs the GPU to itself
};

}  // namespace

int runWorker(int input, int output, std::string_view version, std::string_view program) {
  signal(SIGPIPE, SIG_IGN);  // a write reports that the reader is gone
  // Before the lanes' threads; like them never destroyed.
  auto* const ahead = new gpu::CompileAhead(gpu::CompileAhead::usualProcesses());
  const int ours = dup(output);
  dup2(STDERR_FILENO, output);
  // Never destroyed: the lanes may be in the middle of something that takes long, and the process
  // ends.
  auto* const server = new Server(ours, version, program, *ahead);
  std::string pending;
  char block[65536];
  while (true) {
    const ssize_t n = read(input, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0);
    pending.append(block, static_cast<std::size_t>(n));
    std::size_t begin = 0;
    for (std::size_t end = pending.find('\n'); end != std::string::npos;
         end = pending.find('\n', begin)) {
      const std::string line = pending.substr(begin, end - begin);
      begin = end + 1;
      if (line.size() > kLongestLine) server->tooLong();
      if (line.find_first_not_of(" \t\r") != std::string::npos) server->take(line);
    }
    pending.erase(0, begin);
    if (pending.size() > kLongestLine) server->tooLong();
  }
}

}  // namespace tileloom::worker
