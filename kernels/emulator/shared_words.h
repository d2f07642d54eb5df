// SPDX-License-Identifier: GPL-3.0-or-later
// The pool of words that all threads of the process share, where several of them make traces: its
// limit then applies to the process (WordPool::kKeptWords). Defined in trace.cpp.
#pragma once

#include <cstddef>
#include <memory>

namespace tileloom::emulator {

class WordPool;

std::shared_ptr<WordPool> sharedWords();
// Bytes that finished traces have returned, for the next one.
std::size_t freeSharedBytes();
std::size_t mostFreeSharedBytes();
// Frees them.
void clearSharedWords();

}  // namespace tileloom::emulator
