"""Named variables of NVPTX's address spaces, and operations on them: for random-ir.py, random-walks.py and random-grid.py.

An instruction names the variable in an operand of its own, with or without a constant: its address is not a register, and the first register that it
reads is a value. So what is stored, exchanged and compared here is often a sum of the same register as that of the operation before, with another
constant, which a pass that takes it for an address would fold.
"""

GLOBAL, SHARED = "ptr addrspace(1)", "ptr addrspace(3)"
SIZES = {"i16": 2, "i32": 4, "float": 4, "i64": 8, "double": 8}
ATOMIC = ["i32", "i32", "i64", "i64", "float", "double"]
# Kinds that all LLVMs have an instruction for, and a few that become a loop of compare-and-swap.
KINDS = {
    "i32": ["add", "sub", "xchg", "and", "or", "xor", "min", "max", "umin", "umax", "uinc_wrap", "udec_wrap", "cmpxchg", "cmpxchg"],
    "i64": ["add", "sub", "xchg", "and", "or", "xor", "min", "max", "umin", "umax", "cmpxchg", "cmpxchg"],
    "float": ["fadd", "fadd", "xchg"],
    "double": ["fadd", "fadd", "xchg"],
}
LOOPS = {"i32": ["nand"], "i64": ["nand", "uinc_wrap", "udec_wrap"], "float": ["fsub", "fmax"], "double": ["fsub", "fmin"]}
ORDERS = ["monotonic", "monotonic", "monotonic", "acquire", "release", "acq_rel", "seq_cst"]
SCOPES = ["", "", "", 'syncscope("block") ', 'syncscope("device") ']
# By name of the array or structure: the element's type, and for each use of it the indices.
RECORD = "{ i32, [3 x i64], float, double, i16 }"
RECORD_FIELDS = [("i32", "0"), ("i64", "1, i32 0"), ("i64", "1, i32 2"), ("float", "2"), ("double", "3"), ("i16", "4")]
NUM_RECORDS, NUM_ELEMENTS, COPIED_BYTES = 4, 8, 256

DEFINITIONS = "\n".join(
    ["%%named = type %s" % RECORD]
    + ["@%s_%d_%s = internal addrspace(%d) global %s %s, align 16" % (what, space, ty.strip("%"), space, shape % ty, first)
       for space, first in [(1, "zeroinitializer"), (3, "undef")]
       for what, shape, types in [("one", "%s", SIZES), ("many", "[8 x %s]", SIZES), ("records", "[4 x %s]", ["%named"])]
       for ty in types]
    + ["@many_4_%s = internal addrspace(4) constant [8 x %s] [%s], align 16"
       % (ty, ty, ", ".join("%s %s" % (ty, "%d.5" % (i * i) if ty in ("float", "double") else 7000 - 999 * i) for i in range(8)))
       for ty in SIZES]
    + ["@dynamic = external addrspace(3) global [0 x i8], align 16",
       "@copied = internal addrspace(3) global [%d x i8] undef, align 16" % COPIED_BYTES,
       ""]
)
COPIES = """declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
"""


def place(rng, ty, spaces, index=None, dynamic=True):
    """A place of this type in a named variable of one of these spaces: (type of the pointer, the expression). `index`, if given: makes an
    instruction of the text of a getelementptr, for an element whose index is not known, and gets the number of elements."""
    space = rng.choice(spaces)
    pointer = "ptr addrspace(%d)" % space
    kinds = ["many"] if space == 4 else ["one", "many", "records"] + ["dynamic"] * (dynamic and space == 3)
    kind = rng.choice(kinds)
    element = rng.randrange(NUM_ELEMENTS)
    if kind == "dynamic":
        return pointer, "getelementptr (%s, %s @dynamic, i32 %d)" % (ty, pointer, element)
    name = "@%s_%d_%s" % (kind, space, "named" if kind == "records" else ty)
    if kind == "one":
        return pointer, name
    if kind == "many":
        if index and rng.random() < 0.4:
            return pointer, index("getelementptr [8 x %s], %s %s, i32 0, %%s" % (ty, pointer, name), NUM_ELEMENTS)
        return pointer, "getelementptr ([8 x %s], %s %s, i32 0, i32 %d)" % (ty, pointer, name, element)
    path = rng.choice([path for field, path in RECORD_FIELDS if field == ty])
    if index and rng.random() < 0.4:
        return pointer, index("getelementptr [4 x %%%%named], %s %s, i32 0, %%s, i32 %s" % (pointer, name, path), NUM_RECORDS)
    return pointer, "getelementptr ([4 x %%named], %s %s, i32 0, i32 %d, i32 %s)" % (pointer, name, element % NUM_RECORDS, path)


def operation(rng, ty, pointer, values, new, loops=True):
    """One atomic operation; returns the name of what was there. `values`: gives a value of the type; `new`: makes an instruction of a text and
    returns its name. Of compare-and-swap either operand may be a constant."""
    kind = rng.choice(LOOPS[ty] if loops and rng.random() < 0.1 else KINDS[ty])
    scope, order = rng.choice(SCOPES), rng.choice(ORDERS)
    if kind != "cmpxchg":
        return new(ty, "atomicrmw %s %s, %s %s %s%s" % (kind, pointer, ty, values(), scope, order))
    expected, value = values(), values()
    chosen = rng.random()
    if chosen < 0.5:
        value = str(rng.choice([0, 1, 7]))
    elif chosen < 0.65:
        expected = str(rng.choice([0, 1, 7]))
    failure = rng.choice(["monotonic", "acquire"] if order not in ("monotonic", "release") else ["monotonic"])
    pair = new(None, "cmpxchg %s, %s %s, %s %s %s%s %s" % (pointer, ty, expected, ty, value, scope, order, failure))
    return new(ty, "extractvalue { %s, i1 } %s, 0" % (ty, pair))


class Near:
    """Values near each other: sums of one value and different constants, each a register of its own."""

    def __init__(self, rng, ty, base, new):
        if ty == "i64" and rng.random() < 0.5:
            # Most are extended from 32 bits, and tell little of their high halves.
            base = new(None, "xor i64 %s, %d" % (base, rng.randrange(1 << 62)))
        self.rng, self.ty, self.base, self.new = rng, ty, base, new
        self.constants = rng.sample([4, 8, 12, 16, 20, 32, 64, -4, 128, 4096, 1 << 20], 8)

    def value(self):
        if self.ty in ("float", "double"):
            return self.base
        return self.new(None, "add %s %s, %d" % (self.ty, self.base, self.constants.pop() if self.constants else 1))


def copy(rng, pointer, offset, size, new):
    """A copy to a place in @copied from this many bytes after a pointer into global memory: (the place, the text). `size`: how many of 16 bytes are
    copied, if some are left out."""
    kind, count = rng.choice([("ca", 4), ("ca", 8), ("ca", 16), ("ca", 16), ("cg", 16), ("s", 16)])
    source = new(None, "getelementptr i8, %s %s, i64 %d" % (GLOBAL, pointer, offset))
    at = rng.randrange(COPIED_BYTES // 16) * 16 if rng.random() < 0.6 else 0
    to = "getelementptr (i8, %s @copied, i32 %d)" % (SHARED, at) if at else "@copied"
    name = "cp.async.%s.shared.global.%d%s" % ("ca" if kind == "s" else kind, count, ".s" if kind == "s" else "")
    more = ", i32 %s" % size if kind == "s" else ""
    return at, "call void @llvm.nvvm.%s(%s %s, %s %s%s)" % (name, SHARED, to, GLOBAL, source, more)
