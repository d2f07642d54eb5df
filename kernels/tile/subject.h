// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at: a kernel, with a tile, in a format. Windows, requests, records and caches name
// it by this one value, so that none of them can leave out a part.
//
//   const Subject subject = standardSubject(stage);           // its default tile, its usual format
//   const Launched launch{{&stage, tile, Format::Fp16}, {4096, 4096, 4096}};
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom {

// A kernel that is not a rung: the hash of its file, and the name of its entry there.
struct KernelFile {
  std::string sha256;  // 64 hex digits
  std::string entry;
  bool operator==(const KernelFile&) const = default;
};

// Which kernel: a rung of a ladder, one of a file, or none.
class KernelRef {
 public:
  KernelRef() = default;
  KernelRef(const Stage* rung) : rung_(rung) {}  // nullptr: none
  explicit KernelRef(KernelFile file)
      : file_(std::make_shared<const KernelFile>(std::move(file))) {}

  bool known() const { return rung_ != nullptr || file_ != nullptr; }
  const Stage* rung() const { return rung_; }             // nullptr: it is from a file, or none
  const KernelFile* file() const { return file_.get(); }  // nullptr: a rung, or none
  bool operator==(const KernelRef& other) const {
    if (rung_ != other.rung_ || !file_ != !other.file_) return false;
    return file_ == other.file_ || *file_ == *other.file_;
  }

 private:
  const Stage* rung_ = nullptr;
  std::shared_ptr<const KernelFile> file_;  // shared: subjects are copied often
};

// The kernel can be set only together with a tile and a format, so that none of them is left out.
class Subject {
 public:
  Subject() = default;  // none
  Subject(KernelRef which, const TileShape& shape, Format elements)
      : tile(shape), format(elements), kernel_(std::move(which)) {}

  TileShape tile;                // of a rung; legal or not
  Format format = Format::Fp32;  // of the elements of A, B and C; one of the rung's

  const KernelRef& kernel() const { return kernel_; }
  const Stage* rung() const { return kernel_.rung(); }  // as KernelRef::rung()
  Subject with(const TileShape& other) const { return {kernel_, other, format}; }
  // A request or record derives from Subject; it takes over another one by assigning to this.
  Subject& subject() { return *this; }
  const Subject& subject() const { return *this; }
  bool operator==(const Subject&) const = default;

 private:
  KernelRef kernel_;
};

// The tile in the rung's usual format.
inline Subject usualSubject(const Stage& rung, const TileShape& tile) {
  return {&rung, tile, rung.usualFormat()};
}
// The rung's default tile in its usual format.
inline Subject standardSubject(const Stage& rung) {
  return usualSubject(rung, rung.standardTile());
}

// Several tiles of a rung in one format.
inline std::vector<Subject> subjectsOf(const Stage& rung, Format format,
                                       std::span<const TileShape> tiles) {
  std::vector<Subject> all;
  for (const TileShape& tile : tiles) all.push_back({&rung, tile, format});
  return all;
}

// A subject that is compiled for a GPU.
struct Target : Subject {
  Architecture arch;
};

// A subject that is launched on a problem.
struct Launched : Subject {
  Problem problem;
  bool operator==(const Launched&) const = default;
};

}  // namespace tileloom
