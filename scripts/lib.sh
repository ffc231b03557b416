# shellcheck shell=bash
# Functions shared by the scripts in this folder; to be sourced, not run.
# Sourcing it changes no option and no folder, and writes nothing.

# The LLVM versions that the project supports, in the order of interest.
# shellcheck disable=SC2034
supported=(17 18 19 20 21 22)

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

# loads_here GLOB: whether this machine's own processes can load one of the libraries. Those of the
# trees that setup unpacks from a newer distribution they cannot.
loads_here() {
    python3 - "$1" <<'PYTHON' 2>/dev/null
import ctypes, glob, sys
def loads(path):
    try:
        return bool(ctypes.CDLL(path))
    except OSError:
        return False
sys.exit(not any(map(loads, glob.glob(sys.argv[1]))))
PYTHON
}

# The cargo feature of LLVM N, named as in inkwell.
feature() {
    case $1 in
        17) echo llvm17-0 ;;
        *) echo "llvm$1-1" ;;
    esac
}
