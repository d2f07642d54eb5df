// SPDX-License-Identifier: GPL-3.0-or-later
// What can go wrong between this program and a GPU, in a form that decides what happens next.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom {

enum class Trouble {
  Missing,      // a library or a device is not there
  Unsupported,  // it is there and cannot do this
  BadRequest,   // an illegal tile, an unknown architecture, …
  Compilation,  // NVRTC refused the source
  OutOfMemory,  // the context is still good
  WrongResult,  // the kernel ran and its result is not that of cuBLAS
  Lost,         // the context is unusable: only a new process can continue
  TimedOut,     // the kernel still runs: only the end of the process stops it
  Cancelled,
  Failed,  // anything else; the context is still good
};

std::string_view name(Trouble trouble);       // "out-of-memory": as the worker's messages say it
Trouble troubleNamed(std::string_view name);  // Failed for an unknown name

// After these a process cannot use the GPU any more.
constexpr bool isFatal(Trouble t) {
  return t == Trouble::Lost || t == Trouble::TimedOut;
}

struct Error {
  Trouble trouble = Trouble::Failed;
  std::string text;  // one sentence without a full stop: what, where, what to do
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Trouble trouble, std::string text) {
  return tl::unexpected<Error>(Error{trouble, std::move(text)});
}

}  // namespace tileloom
