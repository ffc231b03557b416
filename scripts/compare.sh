# shellcheck shell=bash
# Functions shared by the scripts that run llc with the plugin; to be sourced after lib.sh.

# The comment at the top of the calling script.
usage() {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
}

# plugin HOST: the plugin's path, once it is built for it.
plugin() {
  local lib name
  lib="$(root_dir)/build/lib"
  name=$(library_name "$1")
  [[ -f $lib/libptxpasses.so && -f $lib/$name ]] ||
    die "the plugin is not built for LLVM $1: run scripts/build $1"
  printf '%s\n' "$lib/libptxpasses.so"
}

# Builds the comparison tool, target/release/ptx-compare, and the library that it puts in the place of a GPU's driver; quick when there is nothing to do. With PTX_PORTABLE_TOOL in the environment it is the
# portable one: scripts/test has its steps run what users install, and so builds it once.
build_compare() {
  local root
  root=$(root_dir)
  # In the root, as cargo reads the .cargo/config.toml and rust-toolchain.toml of its current folder.
  (
    cd "$root"
    if [[ -z ${PTX_PORTABLE_TOOL:-} ]]; then
      CARGO_TARGET_DIR=target told "building ptx-compare" compile_compare
      exit
    fi
    build_portable_compare
    # One at a time: two steps that both saw the old file would rename a link onto its own file, which mv refuses.
    mkdir -p target/release
    exec 9>target/release/.ptx-compare.lock
    flock 9
    for made in "$portable_compare" "$portable_hook"; do
      file=target/release/${made##*/}
      if ! [[ $file -ef $made ]]; then
        ln -f "$made" "$file.$BASHPID"
        mv -f "$file.$BASHPID" "$file"
      fi
    done
  )
}

# build_portable_compare: the same for any Linux, as scripts/build --portable builds the plugin. Its path is $portable_compare, that of its library $portable_hook, from the root.
# shellcheck disable=SC2034 # scripts/wheel and scripts/install read it
portable_compare=build/portable/target/tool/release/ptx-compare portable_hook=build/portable/target/tool/release/libptx_hook.so
build_portable_compare() {
  use_portable_linker
  CARGO_TARGET_DIR=build/portable/target/tool told "building ptx-compare" compile_compare
}
# compile_compare: without LTO, which takes as long as all else. What is hot is compiled as one part (Cargo.toml), so it loses nothing.
compile_compare() {
  CARGO_PROFILE_RELEASE_LTO=off cargo build --release --quiet --package ptx-compare --package gpu-hook
}

# asks_help ARGUMENTS...: whether they ask for help; a compile command after `--` does not count.
asks_help() {
  local argument
  [[ ${1:-} != help ]] || return 0
  for argument in "$@"; do
    case $argument in
      -h | --help) return 0 ;;
      --) return 1 ;;
    esac
  done
  return 1
}

# run_compare ARGUMENTS...: runs the comparison tool in the caller's directory. For help it is not built.
run_compare() {
  local tool
  tool=$(root_dir)/target/release/ptx-compare
  if ! asks_help "$@"; then
    build_compare
  elif [[ ! -x $tool ]]; then
    note "The tool's options: once it is built, which any command but --help does."
    return
  fi
  "$tool" "$@"
}
