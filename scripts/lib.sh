# shellcheck shell=bash
# Functions shared by the scripts in this folder; to be sourced, not run.
# Sourcing it changes no option and no folder, and writes nothing.

# The LLVM versions that the project supports, in the order of interest.
# shellcheck disable=SC2034
supported=(17 18 19 20 21 22 23)

# The root of the checkout, an absolute path.
root_dir() {
    (cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
}

# A line for the reader, on stderr.
note() {
    printf '%s\n' "$*" >&2
}

# The same, and the end.
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# have_llvm N: whether scripts/setup has made LLVM N available.
have_llvm() {
    local dir
    dir="$(root_dir)/build/llvm-$1"
    [[ -f $dir/.setup && -x $dir/bin/llc ]]
}

# llvm_prefix N: the absolute path of build/llvm-N.
llvm_prefix() {
    have_llvm "$1" || die "LLVM $1 is not set up: run scripts/setup $1"
    printf '%s\n' "$(root_dir)/build/llvm-$1"
}

# The supported versions that are set up, one a line.
available_llvms() {
    local n
    for n in "${supported[@]}"; do
        if have_llvm "$n"; then printf '%s\n' "$n"; fi
    done
}

# library_path N: where a process of this machine finds LLVM N's libraries and what they need, as for
# LD_LIBRARY_PATH. A tree unpacked from a newer distribution has its own C library, which would break
# the process: there it is LLVM's folder alone.
library_path() {
    local prefix dir
    prefix=$(llvm_prefix "$1")
    printf '%s' "$prefix/lib"
    if [[ ! -e $prefix/root/usr/lib/llvm-$1/bin/ld.so ]]; then
        for dir in "$prefix"/root/usr/lib/*-linux-gnu "$prefix"/root/lib/*-linux-gnu; do
            if [[ -d $dir ]]; then printf ':%s' "$dir"; fi
        done
    fi
    printf '%s\n' "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}

# loads_here N GLOB: whether a process of this machine can load one of these libraries of LLVM N.
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

# use_libclang N: has bindgen find a libclang, unless LIBCLANG_PATH names one. Any version will do for our header, which is C; of the
# trees that setup unpacks only those of this distribution have one that cargo's processes can load.
use_libclang() {
    local own
    [[ -z ${LIBCLANG_PATH:-} ]] || return 0
    for own in "$1" 19 22; do
        if have_llvm "$own" && loads_here "$own" "libclang[-.]*so*"; then
            LD_LIBRARY_PATH=$(library_path "$own")
            LIBCLANG_PATH=$(llvm_prefix "$own")/lib
            export LIBCLANG_PATH LD_LIBRARY_PATH
            return
        fi
    done
    note "no libclang under build/ can be loaded here: bindgen looks for the system's (scripts/setup 19 brings one)"
}

# The cargo feature of LLVM N, named as in inkwell.
feature() {
    case $1 in
        17) echo llvm17-0 ;;
        *) echo "llvm$1-1" ;;
    esac
}

# How llvm-sys finds LLVM N: a variable named after its major and minor version.
llvm_sys_variable() {
    echo "LLVM_SYS_$(feature "$1" | tr -dc 0-9)_PREFIX=$(llvm_prefix "$1")"
}
