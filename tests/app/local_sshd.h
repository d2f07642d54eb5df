// SPDX-License-Identifier: GPL-3.0-or-later
// An ssh server of the test's own: on a free port of 127.0.0.1, as the user who runs the test, with
// keys and files in a temporary folder. It lives as long as this object. The commands that it runs
// find `tileloom` in their PATH and the fake GPU where they look for one.
#pragma once

#include <arpa/inet.h>
#include <pwd.h>
#include <shadow.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <optional>

#include "tests/gpu/fake.h"
#include "tests/support/patience.h"

namespace tileloom::test {

// A port of 127.0.0.1 without a listener. No other process can take it while this lives.
class DeafPort {
 public:
  DeafPort() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket_, any, size) != 0 || getsockname(socket_, any, &size) != 0) qFatal("no port");
    number_ = ntohs(address.sin_port);
  }
  DeafPort(const DeafPort&) = delete;
  DeafPort& operator=(const DeafPort&) = delete;
  ~DeafPort() { close(socket_); }
  int number() const { return number_; }

 private:
  int socket_, number_ = 0;
};

class LocalSshd {
 public:
  // Why this machine cannot have one, in a sentence; empty if it can.
  static QString whyNot() {
    if (program().isEmpty() || tool("ssh").isEmpty() || tool("ssh-keygen").isEmpty())
      return QStringLiteral("sshd or ssh is not installed: install openssh-server, openssh-client");
    const passwd* user = getpwuid(geteuid());
    if (user == nullptr || QString(user->pw_shell).contains(QRegularExpression("nologin|false")))
      return QStringLiteral("the user who runs this test has no shell, so sshd refuses logins");
    if (geteuid() != 0) return {};
    // What the package's service does before it starts sshd.
    if (!QDir("/run/sshd").exists() && !QDir().mkdir("/run/sshd"))
      return QStringLiteral("/run/sshd is missing and cannot be made: sshd as root needs it");
    const spwd* shadow = getspnam(user->pw_name);
    if (shadow != nullptr && shadow->sp_pwdp[0] == '!')
      return QStringLiteral("this user's account is locked, so sshd refuses logins");
    return {};
  }

  // What went wrong while it was started; empty if it listens.
  QString start() {
    for (const char* key : {"host", "user", "stranger"}) {
      if (run(tool("ssh-keygen"), {"-q", "-t", "ed25519", "-N", "", "-f", file(key)}) != 0)
        return QStringLiteral("ssh-keygen failed");
    }
    put("authorized_keys", read("user.pub"));
    put("banner", "This machine is the property of a test.\n");
    QDir(folder_.path()).mkdir("home");
    // Newer versions shut out an address for its failed log-ins, older ones do not know the word.
    bool lenient = true;
    for (int attempt = 0; attempt < 5; ++attempt) {
      port_ = DeafPort().number();
      const QByteArray here = "[127.0.0.1]:" + QByteArray::number(port_) + ' ';
      put("known_hosts", here + read("host.pub"));
      put("other_hosts", here + read("stranger.pub"));
      put("sshd_config", serverConfig() + (lenient ? "PerSourcePenalties no\n" : ""));
      put("ssh_config", clientConfig());
      server_.setProcessChannelMode(QProcess::MergedChannels);
      server_.start(program(), {"-D", "-e", "-f", file("sshd_config")});
      QByteArray said;
      while (server_.state() != QProcess::NotRunning && server_.waitForReadyRead(kPatience)) {
        said += server_.readAll();
        if (said.contains("Server listening on 127.0.0.1")) return {};
      }
      said += server_.readAll();
      if (said.contains("Bad configuration option")) {
        lenient = false;
      } else if (!said.contains("Address already in use")) {  // another process was quicker
        return QStringLiteral("sshd does not start: ") + QString::fromUtf8(said);
      }
    }
    return QStringLiteral("sshd does not start");
  }

  ~LocalSshd() {
    for (const Process& p : descendants()) ::kill(p.id, SIGKILL);
    server_.kill();
    server_.waitForFinished(kPatience);
  }

  // ssh to it as "gpu" (or, with a key that opens nothing, as "stranger"; with another machine's
  // key in the list of known hosts, as "impostor"), or to "deaf", where nothing listens.
  QStringList ssh(const QString& host, const QStringList& remote) const {
    return QStringList{tool("ssh"), "-F", file("ssh_config"), host} + remote;
  }
  QString file(const QString& name) const { return folder_.filePath(name); }

  struct Process {
    pid_t id;
    QByteArray name;
  };
  // What the server has started, and what that has started.
  QList<Process> descendants() const {
    QList<Process> found, all;
    QHash<pid_t, pid_t> parents;
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs)) {
      Process p{entry.toInt(), {}};
      if (p.id <= 0) continue;
      const QList<QByteArray> fields = stat(p.id, p.name);
      if (fields.size() < 2 || fields[0] == "Z") continue;
      parents[p.id] = fields[1].toInt();
      all += p;
    }
    for (const Process& p : all) {
      pid_t up = parents.value(p.id);
      while (up > 1 && up != server_.processId()) up = parents.value(up);
      if (up > 1) found += p;
    }
    return found;
  }
  // Of those, the ones with this name.
  QList<pid_t> descendants(const char* name) const {
    QList<pid_t> ids;
    for (const Process& p : descendants()) {
      if (p.name.startsWith(name)) ids += p.id;
    }
    return ids;
  }
  // Also true of a process that has ended and has not been waited for.
  static bool isGone(pid_t id) {
    QByteArray name;
    const QList<QByteArray> fields = stat(id, name);
    return fields.isEmpty() || fields[0] == "Z";
  }

 private:
  // The state, the parent, …: what follows the name in /proc/ID/stat.
  static QList<QByteArray> stat(pid_t id, QByteArray& name) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(id));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray line = file.readAll();
    const qsizetype begin = line.indexOf('('), end = line.lastIndexOf(')');
    if (begin < 0 || end < 0) return {};
    name = line.mid(begin + 1, end - begin - 1);
    return line.mid(end + 2).split(' ');
  }

  static QString tool(const char* name) {
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(name, {"/usr/sbin", "/sbin"}) : found;
  }
  static QString program() { return tool("sshd"); }  // it wants to be called by its whole path

  static int run(const QString& what, const QStringList& arguments) {
    QProcess process;
    process.start(what, arguments);
    return process.waitForFinished(kPatience) ? process.exitCode() : -1;
  }
  void put(const QString& name, const QByteArray& text) const {
    QFile out(file(name));
    if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size()) qFatal("no room");
  }
  QByteArray read(const QString& name) const {
    QFile in(file(name));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
  }

  QByteArray serverConfig() const {
    QByteArray variables;
    const auto set = [&](const char* name, const QString& value) {
      variables += " \"" + QByteArray(name) + '=' + value.toUtf8() + '"';
    };
    for (const char* name : {"TILELOOM_LIBCUDA", "TILELOOM_CUBLAS", "TILELOOM_CUBLASLT",
                             "TILELOOM_NVML", "TILELOOM_NVRTC"}) {
      set(name, TILELOOM_FAKE_CUDA);
    }
    set("PATH", QFileInfo(TILELOOM_PROGRAM).path() + ":/usr/bin:/bin");
    set("HOME", file("home"));  // a shell's own start-up files stay out of this
    set("TILELOOM_CACHE", file("cache"));
    // The fake lives in the worker; a sanitizer's runtime must not mind the plain library.
    set("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0");
    return QStringLiteral(
               "ListenAddress 127.0.0.1\nPort %1\nHostKey \"%2\"\nAuthorizedKeysFile \"%3\"\n"
               "PidFile \"%4\"\nBanner \"%5\"\nPubkeyAuthentication yes\n"
               "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
               "PermitRootLogin prohibit-password\nUsePAM no\nStrictModes no\nPermitUserRC no\n"
               "X11Forwarding no\nPrintMotd no\n")
               .arg(port_)
               .arg(file("host"), file("authorized_keys"), file("sshd.pid"), file("banner"))
               .toUtf8() +
           "SetEnv" + variables + '\n';
  }
  QByteArray clientConfig() const {
    return QStringLiteral(
               "Host deaf\nPort %1\nHost stranger\nIdentityFile \"%2\"\n"
               "Host impostor\nUserKnownHostsFile \"%3\"\nHost * !stranger\n"
               "IdentityFile \"%4\"\nHost *\nHostName 127.0.0.1\nPort %5\nUser %6\n"
               "IdentitiesOnly yes\nIdentityAgent none\nBatchMode yes\n"
               "StrictHostKeyChecking yes\nUserKnownHostsFile \"%7\"\n"
               "GlobalKnownHostsFile none\n")
        .arg(deaf_.number())
        .arg(file("stranger"), file("other_hosts"), file("user"))
        .arg(port_)
        .arg(getpwuid(geteuid())->pw_name, file("known_hosts"))
        .toUtf8();
  }

  DeafPort deaf_;
  QTemporaryDir folder_;
  QProcess server_;
  int port_ = 0;
};

}  // namespace tileloom::test
