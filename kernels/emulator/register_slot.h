// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <type_traits>

#include "kernels/emulator/provenance.h"

namespace tileloom::emulator {

// The value in a register, and its origin.
struct RegisterSlot {
  float value = 0;
  Provenance provenance;
};

// Room for values that are written before they are read: it is not cleared, as most of it stays
// unused where a word has few elements.
template <class T, std::size_t Count>
class Room {
 public:
  Room() {}  // NOLINT: "= default" would clear it where an aggregate is initialised
  T* data() { return reinterpret_cast<T*>(bytes_); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
  alignas(T) std::byte bytes_[sizeof(T) * Count];
};

}  // namespace tileloom::emulator
