// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/export_kinds.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <array>

#include "viz/base/text/text.h"

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ExportKinds)
};

constexpr std::array<std::string_view, 1> kPdf = {"pdf"}, kHtml = {"html"};
constexpr std::array<std::string_view, 2> kFilm = {"mp4", "gif"};

constexpr std::array<ExportKindRow, 5> kKinds = {{
    {ExportKind::Slides, "slides", QT_TRANSLATE_NOOP("tileloom::ExportKinds", "Slides (PDF)"),
     QT_TRANSLATE_NOOP("tileloom::ExportKinds",
                       "one step per page as vector graphics, without notes and answers"),
     kPdf, NotesIn::Never, 1280, 720},
    {ExportKind::Handout, "handout", QT_TRANSLATE_NOOP("tileloom::ExportKinds", "Handout (PDF)"),
     QT_TRANSLATE_NOOP("tileloom::ExportKinds",
                       "A4 with picture, text and question of each step, and the answers on "
                       "separate pages; notes are optional"),
     kPdf, NotesIn::UnlessRefused, 1280, 720},
    {ExportKind::Html, "html", QT_TRANSLATE_NOOP("tileloom::ExportKinds", "Web page (HTML)"),
     QT_TRANSLATE_NOOP("tileloom::ExportKinds",
                       "one file with all pictures; answers unfold; notes are optional"),
     kHtml, NotesIn::WhenAsked, 1920, 1080},
    {ExportKind::Film, "film", QT_TRANSLATE_NOOP("tileloom::ExportKinds", "Film (MP4, GIF)"),
     QT_TRANSLATE_NOOP("tileloom::ExportKinds", "as the audience sees it; needs ffmpeg"), kFilm,
     NotesIn::Never, 1920, 1080},
    {ExportKind::Pictures,
     "pictures",
     QT_TRANSLATE_NOOP("tileloom::ExportKinds", "Pictures (PNG)"),
     QT_TRANSLATE_NOOP("tileloom::ExportKinds", "a folder with a picture per step"),
     {},
     NotesIn::Never,
     1920,
     1080},
}};

bool writes(const ExportKindRow& row, const QString& suffix) {
  if (row.suffixes.empty()) return suffix.isEmpty();
  return std::ranges::any_of(row.suffixes,
                             [&](std::string_view each) { return toQString(each) == suffix; });
}

// The kinds that can have notes.
QString kindsWithNotes() {
  QStringList names;
  for (const ExportKindRow& row : kKinds)
    if (row.notes != NotesIn::Never) names += QStringLiteral("--kind ") + toQString(row.name);
  return names.join(Words::tr(" or "));
}

}  // namespace

std::span<const ExportKindRow> exportKinds() {
  return kKinds;
}

const ExportKindRow& rowOf(ExportKind kind) {
  return *std::ranges::find(kKinds, kind, &ExportKindRow::kind);
}

const ExportKindRow* exportKindNamed(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, name, &ExportKindRow::name);
  return found == kKinds.end() ? nullptr : found;
}

QString titleOf(const ExportKindRow& row) {
  return Words::tr(row.title);
}

QString whatOf(const ExportKindRow& row) {
  return Words::tr(row.what);
}

QString filesOf(const ExportKindRow& row) {
  if (row.suffixes.empty()) return Words::tr("a folder");
  QStringList names;
  for (const std::string_view suffix : row.suffixes)
    names += QStringLiteral("NAME.") + toQString(suffix);
  return names.join(Words::tr(" or "));
}

tl::expected<ExportChoice, QString> exportChoice(const ExportAsked& asked) {
  const QString suffix = QFileInfo(asked.out).suffix().toLower();
  const auto* row = asked.kind ? &rowOf(*asked.kind)
                               : std::ranges::find_if(kKinds, [&](const ExportKindRow& each) {
                                   return writes(each, suffix);
                                 });
  if (row == kKinds.end()) {
    return tl::unexpected(
        Words::tr("\"%1\" does not say what to write: end it in .pdf, .html, .mp4 or .gif, or name "
                  "a folder, without a suffix, for a PNG per step")
            .arg(shownFile(asked.out)));
  }
  const QString name = toQString(row->name);
  if (!writes(*row, suffix)) {
    return tl::unexpected(row->suffixes.empty()
                              ? Words::tr("\"%1\" is written into a folder: leave the suffix of "
                                          "\"%2\" out")
                                    .arg(name, shownFile(asked.out))
                              : Words::tr("\"%1\" is written into %2, and \"%3\" ends otherwise: "
                                          "name such a file, or choose another kind")
                                    .arg(name, filesOf(*row), shownFile(asked.out)));
  }
  if (asked.notes && row->notes == NotesIn::Never) {
    return tl::unexpected(*asked.notes
                              ? Words::tr("\"%1\" has no notes: leave --notes out, or write %2")
                                    .arg(name, kindsWithNotes())
                              : Words::tr("\"%1\" has no notes: leave --no-notes out").arg(name));
  }
  return ExportChoice{row->kind, asked.notes.value_or(row->notes == NotesIn::UnlessRefused)};
}

}  // namespace tileloom::lecture
