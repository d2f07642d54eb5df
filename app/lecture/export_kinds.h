// SPDX-License-Identifier: GPL-3.0-or-later
// The file kinds of a lecture export, one list for the command line and the window.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom::lecture {

enum class ExportKind : std::uint8_t { Slides, Handout, Html, Film, Pictures };

// Whether such a file has the notes for the speaker.
enum class NotesIn : std::uint8_t { Never, WhenAsked, UnlessRefused };

// Texts are marked for translation in the context "tileloom::ExportKinds".
struct ExportKindRow {
  ExportKind kind;
  std::string_view name;                       // of --kind
  const char* title;                           // in the window
  const char* what;                            // one line without a full stop
  std::span<const std::string_view> suffixes;  // the first is the usual one; none: a folder
  NotesIn notes;
  int width, height;  // of the window in its pictures: pixels, by default
};

std::span<const ExportKindRow> exportKinds();
const ExportKindRow& rowOf(ExportKind kind);
// nullptr: no kind has this name.
const ExportKindRow* exportKindNamed(std::string_view name);

QString titleOf(const ExportKindRow& row);
QString whatOf(const ExportKindRow& row);
// "NAME.mp4 or NAME.gif", or "a folder".
QString filesOf(const ExportKindRow& row);

// A requested export.
struct ExportAsked {
  std::optional<ExportKind> kind;  // std::nullopt: the first kind that writes files of this name
  QString out;                     // the file or the folder
  std::optional<bool> notes;       // std::nullopt: the default of the kind
};

struct ExportChoice {
  ExportKind kind = ExportKind::Slides;
  bool notes = false;
  bool operator==(const ExportChoice&) const = default;
};

// The error is one sentence without a full stop on conflicting choices.
tl::expected<ExportChoice, QString> exportChoice(const ExportAsked& asked);

}  // namespace tileloom::lecture
