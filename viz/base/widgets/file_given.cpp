// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/widgets/file_given.h"

#include <QCoreApplication>

#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::FileGiven)
};

}  // namespace

tl::expected<QString, std::string> fileGiven(const std::string& name) {
  const QString given = QString::fromStdString(name);
  if (given.toStdString() == name) return given;
  return tl::unexpected(Words::tr("the name \"%1\" is not UTF-8, and the window cannot handle it: "
                                  "rename the file or the folder, or choose another name")
                            .arg(shownFile(given))
                            .toStdString());
}

}  // namespace tileloom
