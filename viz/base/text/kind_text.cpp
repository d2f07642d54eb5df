// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/kind_text.h"

#include <QCoreApplication>

namespace tileloom {
namespace {

struct Kinds {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Kinds)
};

}  // namespace

QString kindWords(emulator::Kind kind, const std::string& array) {
  const QString words = Kinds::tr(emulator::kindRow(kind).words);
  return words.contains(QLatin1String("%1")) ? words.arg(QString::fromStdString(array)) : words;
}

QString kindSentence(emulator::Kind kind) {
  const char* const sentence = emulator::kindRow(kind).sentence;
  return *sentence == '\0' ? QString() : Kinds::tr(sentence);
}

}  // namespace tileloom
