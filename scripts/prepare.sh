# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the other scripts: answers --help, installs missing packages, and configures and builds.
set -euo pipefail
# The first lines of a script are its help, which needs nothing else.
case ${1:-} in
  -h | --help)
    awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
    exit 0
    ;;
esac
started_in=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'tileloom: %s\n' "$*" >&2; }

install_packages() {
  local wanted missing=() package
  local optional='/# ci$/d'
  [ -z "${TILELOOM_CI:-}" ] || optional=''
  mapfile -t wanted < <(sed -e "$optional" -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^[[:space:]]*$/d' scripts/packages-debian.txt)
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "this is not Debian; these are its names for what Tileloom needs: ${wanted[*]}"
    local tool
    for tool in cmake ninja c++; do
      command -v "$tool" >/dev/null || { say "$tool is missing: install it and try again"; exit 1; }
    done
    return
  fi
  for package in "${wanted[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      say "these packages are missing and need root to install: ${missing[*]}"
      exit 1
    }
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# clang alone is not enough: its sanitizers are in a separate package.
has_clang_sanitizers() {
  local program status=0
  program=$(mktemp)
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -x c++ -fsanitize=fuzzer,address,undefined - -o "$program" >/dev/null 2>&1 || status=1
  rm -f "$program"
  return $status
}

# configure PRESET [CMake options]: makes build/PRESET ready to be built.
configure() {
  local preset=$1
  shift
  if [ "$preset" = asan ] && ! has_clang_sanitizers; then
    [ -z "${TILELOOM_CI:-}" ] || { say "clang++ has no sanitizers here"; exit 1; }
    say "clang and its sanitizers (Debian: clang, libclang-rt-14-dev) are missing: GCC takes twice as long, and builds no fuzz targets"
    set -- -DCMAKE_CXX_COMPILER=c++ -DTILELOOM_FUZZ=OFF "$@"
  fi
  # Line tables take a sixth of the compiler's time, which the check does not have: its reports name functions, and the
  # same test on a developer's machine names lines.
  if [ "$preset" = asan ] && [ -n "${TILELOOM_CI:-}" ]; then
    set -- -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 "$@"
  fi
  cmake --preset "$preset" "$@" >"build-$preset.log" 2>&1 || {
    cat "build-$preset.log" >&2
    say "configuring failed"
    exit 1
  }
  rm -f "build-$preset.log"
}

# build PRESET [CMake options]: configures and builds into build/PRESET.
build() {
  say "building ($1)"
  configure "$@"
  cmake --build --preset "$1"
}

# compile_commands: writes build/sources/compile_commands.json, which has the command of each source, alone and without
# precompiled headers. Nothing is built there.
compile_commands() {
  cmake -S . -B build/sources -G Ninja -DBUILD_TESTING=ON >/dev/null || { say "configuring failed"; exit 1; }
}
