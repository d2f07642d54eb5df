// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of records from before 2026-11-30. Until then a record named the text that it was made
// from by a hash of it, under "source_hash", and lines were lines of that text. The table
// resources/fingerprints/ says which fingerprint the code of such a text has, and where its tokens
// stood, so that records of earlier versions are read like new ones. scripts/rekey.py has made it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/embedded_file.h"
#include "kernels/tile/code_places.h"
#include "kernels/tile/fingerprint.h"

namespace tileloom {

class JsonReader;

namespace tile {
std::span<const EmbeddedFile> textKeyFiles();
}

struct TextKey {
  std::string stage;        // id
  std::string text;         // the hash of its text
  std::string fingerprint;  // of the same code
  CodePlaces places;        // in that text
};
std::span<const TextKey> textKeys();
// nullptr: the table does not know this text of the stage.
const TextKey* textKeyNamed(std::string_view stage, std::string_view text);

// The hash that earlier versions took of a text: of a stage's source and of the device files that
// it includes, with their comments.
std::string textKeyOf(const CodeText& code);

// What stands in for the fingerprint of a record whose text is not known any more: no rung has it,
// so that the record is stale. "text:" and the key.
std::string staleKey(std::string_view textKey);
bool isStaleKey(std::string_view text);

// The member "fingerprint" of a record of this stage, or what stands for its "source_hash". A
// record without either is a complaint where there is no `usual`.
std::string fingerprintFrom(JsonReader& reader, std::string_view stage,
                            std::optional<std::string_view> usual = std::nullopt);
// Empty for an empty key.
std::string fingerprintFromTextKey(std::string_view stage, std::string_view textKey);

}  // namespace tileloom
