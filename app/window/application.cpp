// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/application.h"

#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLoggingCategory>

#include "app/services/measuring/spare_memory.h"
#include "app/window/frame/outlined_style.h"

namespace tileloom {

namespace {

// An installed folder brings its own font configuration: compute nodes often have none, and
// fontconfig would complain.
void useInstalledFonts() {
  const QFileInfo program(QStringLiteral("/proc/self/exe"));
  const QString own =
      QFileInfo(program.symLinkTarget()).path() + QStringLiteral("/../share/tileloom/fonts.conf");
  const bool system = QFile::exists(QStringLiteral("/etc/fonts/fonts.conf"));
  if (!system && QFile::exists(own) && qEnvironmentVariableIsEmpty("FONTCONFIG_FILE"))
    qputenv("FONTCONFIG_FILE", QFile::encodeName(own));
}

}  // namespace

Application::Application(const ApplicationSetup& setup) {
  keepLittleSpareMemory();
  useInstalledFonts();
  if (setup.platform == Platform::Offscreen) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Qt's messages about a session without a desktop do not help a user who renders a picture.
    QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false\nqt.*.warning=false"));
  }
  m_application = std::make_unique<QApplication>(m_count, m_arguments);
  QApplication::setApplicationName(QStringLiteral("Tileloom"));
  QApplication::setDesktopFileName(QStringLiteral("tileloom"));  // which has the icon
  QApplication::setApplicationVersion(QStringLiteral(TILELOOM_VERSION));
  // Only Fusion takes every colour from the palette, so that a theme applies everywhere.
  QApplication::setStyle(new OutlinedStyle);
  // Fonts of an installed folder, for machines without fonts.
  const QDir fonts(QApplication::applicationDirPath() + QStringLiteral("/../share/tileloom/fonts"));
  for (const QFileInfo& file : fonts.entryInfoList(QDir::Files)) {
    QFontDatabase::addApplicationFont(file.filePath());
  }
  QFont font = QApplication::font();
  if (QFontDatabase::families().contains(QStringLiteral("Inter")))
    font.setFamily(QStringLiteral("Inter"));
  if (font.pointSizeF() < 10.0) font.setPointSizeF(10.0);
  // Latin letters need no shaping, which took a fifth of a frame's time. Scripts that need it are
  // still shaped.
  font.setStyleStrategy(QFont::PreferNoShaping);
  QApplication::setFont(font);
  const Look look = setup.look.value_or(Theme::of(QApplication::palette()).look);
  QApplication::setPalette(Theme::make(look).palette());
}

bool displayAvailable() {
  return !qEnvironmentVariableIsEmpty("DISPLAY") ||
         !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
         !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

}  // namespace tileloom
