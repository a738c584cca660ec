# clang-tidy over what changed: for scripts/test. Source it after setup.sh from the repository's root.

# More than this many sources of one change are a move or a rewrite, and would take longer than all tests.
tidy_most=16

# tidy_base [BASE]: the commit that changes are counted from. Without BASE where this branch left its upstream, or, where
# there is none or nothing was committed since, the last commit but one.
tidy_base() {
  local base=${1:-}
  if [ -n "$base" ]; then
    git rev-parse --verify --quiet "$base^{commit}" || die "--tidy=$base: no such commit"
    return 0
  fi
  base=$(git merge-base HEAD '@{upstream}' 2>/dev/null) || base=
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then base=$(git rev-parse --verify --quiet HEAD~1 || true); fi
  # The first commit of all, or a clone of depth 1: everything is new.
  echo "${base:-$(git hash-object -t tree /dev/null)}"
}

# tidy_changed BASE: the sources below tuner/ whose content changed since BASE or is not committed yet; one that was only
# moved did not. For a header, the source of its name, else one that includes it.
tidy_changed() {
  {
    git diff --name-status --find-renames --diff-filter=AMR "$1" -- 'tuner/*.cpp' 'tuner/*.h' ':!tuner/*/shared/*' | grep -v '^R100' | awk -F'\t' '{print $NF}'
    git ls-files --others --exclude-standard -- 'tuner/*.cpp' 'tuner/*.h' ':!tuner/*/shared/*'
  } | while IFS= read -r file; do
    case $file in
      *.cpp) echo "$file" ;;
      *) if [ -e "${file%.h}.cpp" ]; then echo "${file%.h}.cpp"
         else git grep -l -F "\"${file#tuner/}\"" -- 'tuner/*.cpp' | head -n 1 || true; fi ;;
    esac
  done | sort -u
}

# tidy [BASE|all]: fails on any finding of .clang-tidy's list.
tidy() {
  local base sources chosen
  if [ "${1:-}" = all ]; then
    sources=$(git ls-files 'tuner/*.cpp' ':!tuner/*/shared/*')
    chosen=$sources
    say "clang-tidy: all $(wc -l <<<"$sources") sources"
  else
    base=$(tidy_base "${1:-}")
    sources=$(tidy_changed "$base")
    [ -n "$sources" ] || { say "clang-tidy: no source below tuner/ changed since $(git rev-parse --short "$base")"; return 0; }
    # Spread over the list, so that no folder is left out for its name.
    chosen=$(awk -v most="$tidy_most" '{ line[NR] = $0 } END {
      if (NR < most) most = NR
      for (i = 0; i < most; ++i) print line[int(i * NR / most) + 1] }' <<<"$sources")
    say "clang-tidy: $(wc -l <<<"$chosen") of $(wc -l <<<"$sources") sources that changed since $(git rev-parse --short "$base") (every source: scripts/test --tidy=all)"
  fi
  install_packages clang-tidy
  # Clang cannot read what GCC precompiled; the dev preset precompiles nothing. GCC reports its own warnings, some of
  # which Clang does not recognise by name: only the checks listed in .clang-tidy make this fail.
  configure dev
  xargs -P "$(nproc)" -n 2 clang-tidy -p build/dev --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-error <<<"$chosen" 2> >(grep -v 'warnings\{0,1\} generated[.]$' >&2) || die "clang-tidy found something; it is above"
}
