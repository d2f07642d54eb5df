// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/draft_words.h"

#include <QCoreApplication>

#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr FieldName kFields[] = {
    {"lecture title", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Title")},
    {"lecture about", QT_TRANSLATE_NOOP("tileloom::DraftWords", "What it teaches")},
    {"lecture level", QT_TRANSLATE_NOOP("tileloom::DraftWords", "For whom")},
    {"step headline", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Headline")},
    {"step text", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Text")},
    {"step notes", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Notes for the speaker")},
    {"step minutes", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Minutes")},
    {"question asks", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Question")},
    {"question choices", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Choices")},
    {"question right", QT_TRANSLATE_NOOP("tileloom::DraftWords", "The correct choice")},
    {"question number", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Or the correct number")},
    {"question hint", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Hint")},
    {"question answer", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Answer")},
    {"task asks", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Task")},
    {"task until", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Met when")},
    {"task hint", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Hint")},
    {"task answer", QT_TRANSLATE_NOOP("tileloom::DraftWords", "Answer")},
};

QString quoted(const QString& text) {
  return u'"' + text + u'"';
}

}  // namespace

std::span<const FieldName> fieldNames() {
  return kFields;
}

QString fieldName(const FieldName& field) {
  return QCoreApplication::translate("tileloom::DraftWords", field.label);
}

QString inWordsOfFields(QString sentence) {
  for (const FieldName& field : kFields) {
    const QStringList parts = toQString(field.member).split(u' ');
    const QString name = quoted(fieldName(field)), member = quoted(parts[1]);
    sentence.replace(QStringLiteral("the %1's %2").arg(parts[0], member), name);
    // One sentence names both the choices and the correct one.
    if (member == QLatin1String("\"choices\"") || member == QLatin1String("\"right\""))
      sentence.replace(member, name);
  }
  return sentence;
}

}  // namespace tileloom
