// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/help_menu.h"

#include <QApplication>
#include <QCoreApplication>
#include <QMenuBar>
#include <QMessageBox>

#include "app/lecture/lecture_files.h"
#include "app/window/common/settings.h"
#include "app/window/common/tell.h"
#include "app/window/last_touched.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/menus/command_palette.h"
#include "app/window/menus/explain_page.h"
#include "app/window/menus/keys_dialog.h"
#include "app/window/menus/palette_commands.h"
#include "app/window/window.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::HelpMenu)
};

}  // namespace

void addHelpMenu(Window& window, const std::function<std::vector<NamedAction>()>& commands) {
  QMainWindow& frame = window.frame();
  auto* help = frame.menuBar()->addMenu(Words::tr("&Help"));
  new LastTouched(window);
  help->addAction(Words::tr("&What am I looking at?"), QKeySequence(Qt::Key_F1), &frame,
                  [&window] { explainHere(window); });
  QAction* tour = help->addAction(Words::tr("&Show me around"), &frame, [&window] {
    const QString wrong = window.lecture().openNamed(toQString(lecture::kShowMeAround),
                                                     LectureMode::Manner::Learning, 0);
    if (!wrong.isEmpty()) tellProblem(window.frame(), Words::tr("Show me around"), wrong);
  });
  tour->setWhatsThis(Words::tr("A tour of two minutes: a tutorial, an introduction"));
  help->addAction(Words::tr("&Command palette…"), QKeySequence(Qt::CTRL | Qt::Key_K), &frame,
                  [&frame, commands] { (new CommandPalette(commands(), &frame))->show(); });
  help->addAction(Words::tr("&Glossary…"), &frame, [&window] { openGlossary(window); });
  help->addAction(Words::tr("&Keys…"), &frame, [&frame] {
    auto* dialog = new KeysDialog(actionsOf(*frame.menuBar()), &frame);
    QObject::connect(dialog, &KeysDialog::changed, &frame, [&frame] {
      Settings kept;
      saveKeys(actionsOf(*frame.menuBar()), kept);
    });
    dialog->open();
  });
  help->addSeparator();
  help->addAction(Words::tr("&About Tileloom"), &frame, [&window] {
    QMessageBox box(&window.frame());
    box.setWindowTitle(Words::tr("About Tileloom"));
    box.setIconPixmap(window.frame().windowIcon().pixmap(64));
    box.setTextFormat(Qt::RichText);
    box.setText(
        Words::tr("<b>Tileloom %1</b><p>See GPU matrix multiplication as the hardware runs it. "
                  "Every picture is a recording of the kernel's real source.<p>"
                  "Free software under the GNU General Public License, version 3 or later.")
            .arg(QApplication::applicationVersion()));
    box.exec();
  });
}

}  // namespace tileloom
