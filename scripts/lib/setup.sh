# Shared by scripts/quickstart and scripts/test: brings a fresh Debian or Ubuntu to where the project builds, and builds it.
# Source it from the repository's root; it defines functions and changes nothing by itself.

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 3; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else die "installing packages needs root: run as root, or install sudo, or install these by hand: $*"
  fi
}

# Everything the build links, from the distribution. Prints what is missing.
missing_packages() {
  local wanted=(g++ cmake ninja-build python3 libyaml-cpp-dev libfmt-dev libsqlite3-dev libcli11-dev
                nlohmann-json3-dev libssl-dev zlib1g-dev libbenchmark-dev "$@")
  local package
  for package in "${wanted[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
  done
}

# log_file NAME: the output of a step, kept in the checkout: in a shared folder, another user's file would be in the way.
log_file() { mkdir -p build && echo "$PWD/build/$1.log"; }

# install_packages [PACKAGE...]: the build's packages and those named.
install_packages() {
  command -v dpkg-query >/dev/null 2>&1 || {
    say "not a Debian or Ubuntu: the packages below are expected to be installed already"
    say "g++ >= 11, cmake >= 3.21, ninja, yaml-cpp, fmt, SQLite, CLI11, nlohmann-json, OpenSSL, zlib, Google Benchmark, $*"
    return 0
  }
  local missing log
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  say "installing: $missing"
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -q >/dev/null 2>&1 || say "apt-get update failed; trying with the old package list"
  log=$(log_file apt)
  # shellcheck disable=SC2086
  as_root apt-get install -y -q --no-install-recommends $missing >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; die "apt-get could not install: $missing"; }
}

# A CUDA Toolkit (NVRTC and headers) from the system, else wheels under .deps/cuda. No GPU or driver is needed.
ensure_cuda() {
  if [ -z "${WARPWRIGHT_NO_SYSTEM_CUDA:-}" ]; then
    local folder
    for folder in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /opt/cuda; do
      [ -n "$folder" ] && [ -e "$folder/include/nvrtc.h" ] && ls "$folder"/lib64/libnvrtc.so* >/dev/null 2>&1 && return 0
    done
  fi
  python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
  scripts/dev/fetch_cuda
}

# The chart library that is built into the program, as one script under .deps/charts.
# ensure_charts [OPTION of scripts/dev/fetch_charts...]
ensure_charts() {
  python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
  scripts/dev/fetch_charts "$@"
}

# A browser for the tests of the report's page. Says why where none is available; those tests then skip.
ensure_browser() {
  command -v dpkg-query >/dev/null 2>&1 || { say "not a Debian or Ubuntu: without chromium, chromedriver and Selenium the browser tests skip"; return 0; }
  local missing package
  missing=$(for package in chromium chromium-driver python3-selenium; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
  done)
  [ -z "$missing" ] && return 0
  # Ubuntu has Chromium as a snap only, which no container can run.
  [ "$(. /etc/os-release && echo "$ID")" = ubuntu ] && { say "no Chromium package on Ubuntu: the browser tests skip"; return 0; }
  # shellcheck disable=SC2086
  install_packages $missing
}

# configure PRESET [OPTION...]: once; ninja reconfigures by itself later.
configure() {
  local preset=$1; shift
  [ -e "build/$preset/build.ninja" ] && [ $# -eq 0 ] && return 0
  local log; log=$(log_file "configure-$preset")
  cmake --preset "$preset" "$@" >"$log" 2>&1 || { tail -n 30 "$log" >&2; die "cmake could not configure preset $preset"; }
}

# build PRESET TARGET...: builds, with the compiler's output only where something fails. On a terminal ninja's own line
# counts the steps; elsewhere a line every 15 s does, so that a long build is never silent.
build() {
  local preset=$1; shift
  local folder=build/$preset log
  if [ -t 2 ]; then
    NINJA_STATUS='[%f/%t, %es] ' cmake --build "$folder" --target "$@" >&2 || die "the build failed; what the compiler said is above"
    return 0
  fi
  log=$(log_file "build-$preset")
  NINJA_STATUS='[%f/%t, %es] ' cmake --build "$folder" --target "$@" >"$log" 2>&1 &
  local pid=$! status=0 shown='' now waited=0
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    waited=$((waited + 1))
    [ $((waited % ${WARPWRIGHT_PROGRESS_SECONDS:-15})) = 0 ] || continue
    now=$(steps_of "$log")
    # The same step may take longer than that.
    [ "$now" = "$shown" ] || say "building $now"
    shown=$now
  done
  wait "$pid" || status=$?
  [ "$status" = 0 ] && return 0
  # ninja prints FAILED before the compiler's output, and stops soon after.
  if grep -q '^FAILED' "$log"; then sed -n '/^FAILED/,$p' "$log" | head -n 80 >&2; else tail -n 40 "$log" >&2; fi
  die "the build failed; the whole log is in $log"
}

# "[120/400, 61.2s]" of the newest step in ninja's output.
steps_of() { tr '\r' '\n' <"$1" | grep -o '^\[[0-9]*/[0-9]*, [0-9.]*s\]' | tail -n 1; }

# install_into PRESET PREFIX: what was built, as cmake/install.cmake lays it out, and what is left to do for the shell.
install_into() {
  local preset=$1 prefix=$2 log; log=$(log_file install)
  mkdir -p "$prefix" 2>/dev/null && [ -w "$prefix" ] ||
    die "$prefix: expected a folder that can be written, got none; give another with --install=PREFIX"
  prefix=$(cd "$prefix" && pwd)
  cmake --install "build/$preset" --prefix "$prefix" >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "cmake could not install into $prefix"; }
  say "installed $prefix/bin/warpwright; $prefix/lib/warpwright/uninstall removes it"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) say "$prefix/bin is not on PATH: add this to ~/.profile, or what your shell reads: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
  say "Tab completes in new shells (bash with bash-completion, and fish, where PREFIX is ~/.local or /usr/local); zsh needs"
  say "  fpath+=($prefix/share/zsh/site-functions)   in ~/.zshrc, before compinit; for others see warpwright completion --help"
}
