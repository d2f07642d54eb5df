// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/common/actions.h"

#include <QCoreApplication>
#include <QMenu>
#include <algorithm>
#include <optional>

#include "app/window/common/fixed_keys.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::MainWindow)
};

constexpr const char* kUsual = "usualKey";  // property of an action

QString plain(QString text) {
  text.remove(u'&');
  text.remove(u'…');
  return text;
}

QString group() {
  return QStringLiteral("keys/");
}

// Settings know paths by slashes.
std::string settingOf(QString name) {
  return (group() + name.replace(u'/', u'_')).toStdString();
}

void collect(const QMenu& menu, const QString& path, std::vector<NamedAction>& into) {
  if (menu.property(kFilledLater).toBool()) return;
  for (QAction* action : menu.actions()) {
    if (action->isSeparator()) continue;
    if (const QMenu* inner = action->menu()) {
      const QString own = plain(action->text()) + QStringLiteral(" › ");
      collect(*inner, inner->property(kFoldsOnly).toBool() ? path : path + own, into);
      continue;
    }
    // The text of Undo changes with the step; its key is kept under a fixed name.
    const QString fixed = action->property("fixedName").toString();
    NamedAction named{path + (fixed.isEmpty() ? plain(action->text()) : fixed), action};
    named.keptBy = {named.name};
    if (const QString lasting = action->property(kLastingName).toString(); !lasting.isEmpty())
      named.keptBy.prepend(lasting);
    if (const QString earlier = action->property(kEarlierText).toString(); !earlier.isEmpty())
      named.keptBy += path + plain(earlier);
    if (!action->property(kUsual).isValid())
      action->setProperty(kUsual, QVariant::fromValue(action->shortcut()));
    named.usual = action->property(kUsual).value<QKeySequence>();
    into.push_back(std::move(named));
  }
}

}  // namespace

QMenu& addFolded(QMenu& menu, const QString& title) {
  QMenu& folded = *menu.addMenu(title);
  folded.setProperty(kFoldsOnly, true);
  return folded;
}

std::vector<NamedAction> actionsOf(const QMenuBar& menus) {
  std::vector<NamedAction> all;
  for (const QAction* top : menus.actions()) {
    if (top->menu() != nullptr)
      collect(*top->menu(), plain(top->text()) + QStringLiteral(" › "), all);
  }
  return all;
}

const NamedAction* holderOf(const std::vector<NamedAction>& actions, const QKeySequence& key) {
  const auto found = std::ranges::find_if(actions, [&key](const NamedAction& a) {
    return !key.isEmpty() && a.action->shortcuts().contains(key);
  });
  return found != actions.end() ? &*found : nullptr;
}

void loadKeys(const std::vector<NamedAction>& actions, const Settings& settings) {
  for (const NamedAction& a : actions) {
    std::optional<QString> kept;
    for (const QString& name : a.keptBy) {
      if (!kept) kept = settings.text(settingOf(name));
    }
    if (!kept) continue;
    const auto key = QKeySequence::fromString(*kept, QKeySequence::PortableText);
    // Qt runs neither action of a key that two actions have.
    const NamedAction* holder = holderOf(actions, key);
    if (holder == nullptr || holder->action == a.action) a.action->setShortcut(key);
  }
}

void saveKeys(const std::vector<NamedAction>& actions, Settings& settings) {
  for (const NamedAction& a : actions) {
    for (const QString& name : a.keptBy) settings.remove(settingOf(name));
    if (a.action->shortcut() != a.usual) {
      settings.set(settingOf(a.keptBy.front()),
                   a.action->shortcut().toString(QKeySequence::PortableText));
    }
  }
}

QString keySheet(const std::vector<NamedAction>& actions) {
  struct Row {
    QString name, keys;
  };
  std::vector<Row> rows;
  for (const NamedAction& a : actions) {
    QStringList keys;
    for (const QKeySequence& key : a.action->shortcuts())
      keys += key.toString(QKeySequence::NativeText);
    rows.push_back({a.name, keys.join(Words::tr(" or "))});
  }
  for (const FixedKey& fixed : fixedKeys())
    rows.push_back({fixed.name, fixed.key.toString(QKeySequence::NativeText)});
  QString html = QStringLiteral("<h2>%1</h2><table cellspacing=\"0\" cellpadding=\"3\">")
                     .arg(Words::tr("Tileloom: keys").toHtmlEscaped());
  QString menu;
  for (const Row& row : rows) {
    const qsizetype cut = row.name.indexOf(QStringLiteral(" › "));
    if (const QString its = row.name.left(cut); its != menu) {
      menu = its;
      html += QStringLiteral("<tr><td colspan=\"2\"><br/><b>%1</b></td></tr>")
                  .arg(menu.toHtmlEscaped());
    }
    html += QStringLiteral("<tr><td>%1</td><td><b>%2</b></td></tr>")
                .arg(row.name.mid(cut + 3).toHtmlEscaped(), row.keys.toHtmlEscaped());
  }
  return html + QStringLiteral("</table>");
}

}  // namespace tileloom
