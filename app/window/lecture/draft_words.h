// SPDX-License-Identifier: GPL-3.0-or-later
// Error sentences of a draft with the labels of the editor's fields instead of the names in the
// file.
#pragma once

#include <QString>
#include <span>
#include <string_view>

namespace tileloom {

struct FieldName {
  std::string_view member;  // of the file: "question asks"
  const char* label;        // with which the label of its field begins; translated by fieldName()
};

std::span<const FieldName> fieldNames();
QString fieldName(const FieldName& field);

// "the question's "asks" is empty" becomes ""Question" is empty".
QString inWordsOfFields(QString sentence);

}  // namespace tileloom
