// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/contents_menu.h"

#include <QCoreApplication>

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ContentsMenu)
};

}  // namespace

QString plainEntry(QString name) {
  return name.replace(u'&', QLatin1String("&&"));
}

QMenu* contentsMenu(QWidget& parent, const lecture::Lecture& lecture, std::size_t present,
                    const lecture::TileFacts& facts, const LectureAnswers& answers,
                    const std::function<void(std::size_t)>& pick) {
  auto* menu = new QMenu(&parent);
  menu->setObjectName(QStringLiteral("lectureContentsMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (std::size_t i = 0; i < lecture.steps.size(); ++i) {
    const QString headline =
        QString::fromStdString(lecture::filled(lecture.steps[i].headline, facts));
    QAction* step = menu->addAction(plainEntry(Words::tr("%1  %2").arg(i + 1).arg(headline)), menu,
                                    [pick, i] { pick(i); });
    step->setCheckable(true);
    step->setChecked(answers.finished(lecture, i));
    if (i != present) continue;
    QFont bold = menu->font();
    bold.setBold(true);
    step->setFont(bold);
    menu->setActiveAction(step);
  }
  return menu;
}

}  // namespace tileloom
