# Shared by scripts/quickstart and scripts/test: brings a fresh Debian or Ubuntu to where the project builds.
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
                nlohmann-json3-dev libmd-dev zlib1g-dev libbenchmark-dev "$@")
  local package
  for package in "${wanted[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
  done
}

# install_packages [PACKAGE...]: the build's packages and those named.
install_packages() {
  command -v dpkg-query >/dev/null 2>&1 || {
    say "not a Debian or Ubuntu: the packages below are expected to be installed already"
    say "g++ >= 11, cmake >= 3.21, ninja, yaml-cpp, fmt, SQLite, CLI11, nlohmann-json, libmd, zlib, Google Benchmark, $*"
    return 0
  }
  local missing
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  say "installing: $missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  as_root apt-get update -q >/dev/null 2>&1 || say "apt-get update failed; trying with the old package list"
  # shellcheck disable=SC2086
  as_root apt-get install -y -q --no-install-recommends $missing >"${TMPDIR:-/tmp}/warpwright-apt.log" 2>&1 ||
    { tail -n 20 "${TMPDIR:-/tmp}/warpwright-apt.log" >&2; die "apt-get could not install: $missing"; }
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
  scripts/fetch_cuda
}

# The chart library that is built into the program, as one script under .deps/charts.
# ensure_charts [OPTION of scripts/fetch_charts...]
ensure_charts() {
  python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
  scripts/fetch_charts "$@"
}

# A browser for the tests of the report's page. Says why where there is none to be had; those tests then skip.
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
  local log="${TMPDIR:-/tmp}/warpwright-configure.log"
  cmake --preset "$preset" "$@" >"$log" 2>&1 || { tail -n 30 "$log" >&2; die "cmake could not configure preset $preset"; }
}
