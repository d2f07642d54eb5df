// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of files that a lecture becomes: the one list of them, for the command line and for the
// window.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom::lecture {

enum class ExportKind : std::uint8_t { Slides, Handout, Html, Film, Pictures };

// Whether the notes for the speaker stand in such a file.
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
// nullptr: there is none of this name.
const ExportKindRow* exportKindNamed(std::string_view name);

QString titleOf(const ExportKindRow& row);
QString whatOf(const ExportKindRow& row);
// "NAME.mp4 or NAME.gif", or "a folder".
QString filesOf(const ExportKindRow& row);

// What somebody asks for.
struct ExportAsked {
  std::optional<ExportKind> kind;  // std::nullopt: the first kind that writes such a file
  QString out;                     // the file or the folder
  std::optional<bool> notes;       // std::nullopt: as is usual in this kind
};

struct ExportChoice {
  ExportKind kind = ExportKind::Slides;
  bool notes = false;
  bool operator==(const ExportChoice&) const = default;
};

// The error is one sentence without a full stop on what does not go together.
tl::expected<ExportChoice, QString> exportChoice(const ExportAsked& asked);

}  // namespace tileloom::lecture
