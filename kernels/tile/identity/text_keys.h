// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of records from before 2026-11-30. Until then a record named its text by a hash, under
// "source_hash", and lines were lines of that text. The table resources/fingerprints/ has the
// fingerprint of such a text's code, and the places of its tokens, so that records of earlier
// versions are read like new ones. scripts/rekey.py wrote the table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/embedded_file.h"
#include "kernels/tile/identity/code_places.h"
#include "kernels/tile/identity/fingerprint.h"

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

// The hash of earlier versions: of a stage's source and the device files that it includes, with
// their comments.
std::string textKeyOf(const CodeText& code);

// The replacement for the fingerprint of a record whose text is no longer known: no rung has it, so
// the record is stale. "text:" and the key.
std::string staleKey(std::string_view textKey);
bool isStaleKey(std::string_view text);

// The member "fingerprint" of a record of this stage, or the replacement for its "source_hash". A
// record without either is an error unless there is a `usual`.
std::string fingerprintFrom(JsonReader& reader, std::string_view stage,
                            std::optional<std::string_view> usual = std::nullopt);
// Empty for an empty key.
std::string fingerprintFromTextKey(std::string_view stage, std::string_view textKey);

}  // namespace tileloom
