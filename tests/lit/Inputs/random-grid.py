"""Random whole kernels for NVPTX, defined and free of races: random-grid.py SEED [KERNELS] >OUT

A grid of threads that runs such a kernel leaves the same memory, however it is compiled: that is what
`ptx-compare equal --grid` compares. So everything here has one meaning. Every thread writes to its own 256 bytes of
`%out`; what it reads there, it may have written before. The other buffers are only read, at any address. Threads meet
in atomics that commute and whose results no thread reads (each operation has addresses of its own), in tiles of shared
memory (barrier, write one's own element, barrier, read anybody's), in shuffles and votes of full warps. Named variables (random_names.py) belong to one thread, which writes them before it reads
them: that of shared memory to the first one of each block, that of global memory to the first one of all; or they are sums,
to which all threads add between barriers. Barriers, shuffles and votes stand only where all threads of the block come by: a
value knows whether it is the same for the whole block, and the control flow whether it hangs on others. No `undef`, no `poison`, no shift too far, no division by
zero, no `inbounds` or `nsw` that is not true; conversions of floating point to integers are PTX's own.

Loops, in one another, guarded or not, tested at the top or at the bottom, left and continued in the middle, from
inner loops too; induction variables of integers and pointers, steps known and unknown, positive and negative; chains
of additions, multiplications, shifts and masks of 32-bit indices, sign- or zero-extended; structures, arrays, vectors;
ifs with shared branches, switches with cases that fall through; arrays in local memory; tables in constant and global
memory; structures by value; calls of device functions; pointers that may be of either address space.

Blocks have at most 1024 threads and one dimension. Kernels in which threads meet say how many threads a block has, in
full warps. Loops end: counts are constants, or masked.
"""

import random
import sys

import random_names

SIZES = {"i8": 1, "i16": 2, "half": 2, "i32": 4, "float": 4, "i64": 8, "double": 8}
VECTORS = {
    "<2 x i32>": ("i32", 2), "<4 x i32>": ("i32", 4), "<2 x i64>": ("i64", 2), "<2 x float>": ("float", 2),
    "<4 x float>": ("float", 4), "<2 x double>": ("double", 2), "<4 x i8>": ("i8", 4), "<2 x i16>": ("i16", 2),
}
for _vector, (_element, _lanes) in VECTORS.items():
    SIZES[_vector] = SIZES[_element] * _lanes
INTS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = ["half", "float", "double"]
# The types of what is computed: mostly narrow ones of common use.
TYPES = ["i32"] * 6 + ["i64", "i64", "float", "float", "float", "double", "i16", "i8"] + list(VECTORS)
GLOBAL, SHARED, CONSTANT, GENERIC = "ptr addrspace(1)", "ptr addrspace(3)", "ptr addrspace(4)", "ptr"
# In bytes: %own of each thread; and how many times a statement may run in a thread.
OWN, MAX_RUNS = 256, 300
# Of shared memory, one for each type; the largest block has 1024 threads.
TILES = ["i32", "float", "i64", "i16", "<2 x float>"]
# `add` and `max` at one address would not commute: each has its own part of the buffer.
ATOMICS = ["add", "max", "min", "umax", "umin", "or", "and", "xor"]
# Structures: a name, and the fields as (type, path of indices).
STRUCTS = {
    "%S": ("{ i8, i32, [3 x i16], double, <2 x float> }",
           [("i8", "0"), ("i32", "1"), ("i16", "2, i64 1"), ("i16", "2, i64 2"), ("double", "3"), ("<2 x float>", "4")]),
    "%T": ("{ float, [2 x %U], i64 }",
           [("float", "0"), ("i32", "1, i64 0, i32 0"), ("i16", "1, i64 1, i32 1"), ("i64", "2")]),
    "%U": ("{ i32, i16 }", [("i32", "0"), ("i16", "1")]),
}
STRUCT_ALIGN = {"%S": 8, "%T": 8, "%U": 4}

DECLARATIONS = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.f2i.rz(float)
declare i32 @llvm.nvvm.f2ui.rz(float)
declare i64 @llvm.nvvm.f2ll.rz(float)
declare i32 @llvm.nvvm.d2i.rz(double)
declare i64 @llvm.nvvm.d2ll.rz(double)
"""


class Scope:
    """Values that may be read here: `values` by type, as (name, is the same in the whole block); `small`: integers
    whose range is known, as (type, name, uniform, lowest, highest); `pointers` into memory that no thread writes, as
    (type, name, alignment, uniform)."""

    def __init__(self):
        self.values, self.small, self.pointers = {}, [], []

    def copy(self):
        other = Scope()
        other.values = {t: list(v) for t, v in self.values.items()}
        other.small, other.pointers = list(self.small), list(self.pointers)
        return other

    def diverged(self):
        """The same, as it is after a loop that threads leave at different times."""
        other = Scope()
        other.values = {t: [(n, False) for n, _ in v] for t, v in self.values.items()}
        other.small = [(t, n, False, a, b) for t, n, _, a, b in self.small]
        other.pointers = [(t, n, a, False) for t, n, a, _ in self.pointers]
        return other


class Loop:
    """A loop that is being written: who may leave it in the middle, and the edges that do."""

    def __init__(self, out, latch, leaves):
        self.out, self.latch, self.leaves = out, latch, leaves
        self.outs, self.latches = [], []


class Body:
    """A kernel or a device function."""

    def __init__(self, module, name):
        self.m, self.rng, self.name = module, module.rng, name
        self.lines, self.entry = [], []
        self.count = self.labels = 0
        self.scope = Scope()
        self.at = "entry"
        self.loops, self.depth, self.runs = [], 0, 1
        self.converged = True
        self.synchronizes = False
        self.locals = []

    def emit(self, text):
        self.lines.append("  " + text)

    def fresh(self):
        self.count += 1
        return "%%v%d" % self.count

    def add(self, ty, name, uniform):
        self.scope.values.setdefault(ty, []).append((name, uniform))

    def new(self, ty, uniform, text, keep=True):
        """An instruction with a result."""
        name = self.fresh()
        self.emit("%s = %s" % (name, text))
        if keep:
            self.add(ty, name, uniform)
        return name

    def small(self, ty, name, uniform, low, high):
        """Keeps an integer in this range, for indices."""
        self.scope.small.append((ty, name, uniform, low, high))
        self.add(ty, name, uniform)

    def label(self, kind):
        self.labels += 1
        return "%s%d" % (kind, self.labels)

    def begin(self, label):
        self.lines.append(label + ":")
        self.at = label

    def constant(self, ty):
        rng = self.rng
        if ty == "i1":
            return rng.choice(["true", "false"])
        if ty in INTS:
            wide = INTS[ty] > 16
            return str(rng.choice([0, 1, -1, 2, 7, 31, 100, rng.randrange(30000 if wide else 120), -65536 if wide else -3]))
        if ty in FLOATS:
            return rng.choice(["0.0", "1.0", "-2.5", "0.5", "-0.0", "1024.0"])
        element, lanes = VECTORS[ty]
        return "<%s>" % ", ".join("%s %s" % (element, self.constant(element)) for _ in range(lanes))

    def get(self, ty, uniform=False):
        """A value, as (name, uniform); if it has to be uniform, one that is."""
        known = self.scope.values.get(ty, [])
        if uniform:
            known = [v for v in known if v[1]]
        if not known or self.rng.random() < 0.07:
            return self.constant(ty), True
        return self.rng.choice(known[-6:] if self.rng.random() < 0.6 else known)

    def condition(self, uniform=False):
        """A condition that differs between threads, most times."""
        rng = self.rng
        known = [v for v in self.scope.values.get("i1", []) if v[1] or not uniform]
        if known and rng.random() < 0.3:
            return rng.choice(known)
        ty = rng.choice(["i32", "i32", "i64", "i16"])
        a, b = self.get(ty, uniform), self.get(ty, uniform)
        if rng.random() < 0.4:
            bit = self.new(ty, a[1], "and %s %s, %d" % (ty, a[0], rng.choice([1, 2, 4, 12])), False)
            return self.new("i1", a[1], "icmp eq %s %s, 0" % (ty, bit)), a[1]
        op = rng.choice(["eq", "ne", "slt", "ult", "sgt", "uge"])
        return self.new("i1", a[1] and b[1], "icmp %s %s %s, %s" % (op, ty, a[0], b[0])), a[1] and b[1]

    def seeds(self, from_threads, pointers):
        """Begins with values of most types, so that little is folded."""
        rng = self.rng
        self.new("i16", False, "trunc i32 %s to i16" % from_threads)
        self.new("i8", False, "trunc i32 %s to i8" % from_threads)
        self.new("i1", False, "icmp slt i32 %s, %d" % (from_threads, rng.randrange(40)))
        self.new("i64", False, "sext i32 %s to i64" % from_threads)
        self.new("float", False, "sitofp i32 %s to float" % from_threads)
        wide = self.new("i64", False, "and i64 %s, 63" % self.get("i64")[0], False)
        for ty in rng.sample(["i32", "double", "half", "float", "i16"] + list(VECTORS), 5):
            space, pointer = rng.choice([p for p in pointers if p[2] >= SIZES[ty]] or [(None, None, 0, False)])[:2]
            if pointer and (ty != "half" or self.m.halves):
                place = self.new(space, False, "getelementptr %s, %s %s, i64 %s" % (ty, space, pointer, wide), False)
                self.new(ty, False, "load %s, %s %s, align %d" % (ty, space, place, SIZES[ty]))

    # Arithmetic.

    def integer(self):
        rng = self.rng
        ty = rng.choice(["i32"] * 5 + list(INTS))
        bits = INTS[ty]
        (a, ua), (b, ub) = self.get(ty), self.get(ty)
        uniform = ua and ub
        kind = rng.random()
        if kind < 0.5:
            op = rng.choice(["add", "add", "sub", "mul", "and", "or", "xor"])
            self.new(ty, uniform, "%s %s %s, %s" % (op, ty, a, b))
        elif kind < 0.68:
            op = rng.choice(["shl", "lshr", "ashr"])
            by = str(rng.randrange(bits))
            if rng.random() < 0.4:
                by = self.new(ty, ub, "and %s %s, %d" % (ty, b, bits - 1), False)
            else:
                uniform = ua
            self.new(ty, uniform, "%s %s %s, %s" % (op, ty, a, by))
        elif kind < 0.78:
            op = rng.choice(["udiv", "urem", "sdiv", "srem"])
            by = str(rng.choice([2, 3, 7, 10, 16, 100]))
            if op[0] == "u" and rng.random() < 0.4:
                by = self.new(ty, ub, "or %s %s, 1" % (ty, b), False)
            else:
                uniform = ua
            self.new(ty, uniform, "%s %s %s, %s" % (op, ty, a, by))
        elif kind < 0.9:
            op = rng.choice(["umin", "umax", "smin", "smax"])
            self.new(ty, uniform, "call %s %s(%s %s, %s %s)" % (ty, self.m.intrinsic(op, ty, 2), ty, a, ty, b))
        elif kind < 0.96:
            # Not bswap: LLVM 19's machine code for it is not valid.
            op = rng.choice(["ctpop", "bitreverse"]) if bits > 8 else "ctpop"
            self.new(ty, ua, "call %s %s(%s %s)" % (ty, self.m.intrinsic(op, ty, 1), ty, a))
        else:
            ty = rng.choice(["i32", "i64"])
            values = [self.get(ty) for _ in range(3)]
            arguments = ", ".join("%s %s" % (ty, v) for v, _ in values)
            text = "call %s %s(%s)" % (ty, self.m.intrinsic(rng.choice(["fshl", "fshr"]), ty, 3), arguments)
            self.new(ty, all(u for _, u in values), text)

    def floating(self):
        rng = self.rng
        ty = rng.choice(["float"] * 4 + ["double"] * 2 + (["half"] if self.m.halves else []))
        values = [self.get(ty) for _ in range(3)]
        names = [n for n, _ in values]
        two, three = values[0][1] and values[1][1], all(u for _, u in values)
        kind = rng.random()
        if kind < 0.6:
            op = rng.choice(["fadd", "fmul", "fsub", "fadd contract", "fmul contract"])
            self.new(ty, two, "%s %s %s, %s" % (op, ty, names[0], names[1]))
        elif kind < 0.75:
            arguments = ", ".join("%s %s" % (ty, n) for n in names)
            self.new(ty, three, "call %s %s(%s)" % (ty, self.m.intrinsic("fma", ty, 3), arguments))
        elif kind < 0.85:
            op = rng.choice(["olt", "oeq", "une", "ogt", "uno", "ult"])
            self.new("i1", two, "fcmp %s %s %s, %s" % (op, ty, names[0], names[1]))
        elif kind < 0.93 or ty == "half":
            self.new(ty, values[0][1], "fneg %s %s" % (ty, names[0]))
        elif kind < 0.97:
            op = rng.choice(["minnum", "maxnum"])
            text = "call %s %s(%s %s, %s %s)" % (ty, self.m.intrinsic(op, ty, 2), ty, names[0], ty, names[1])
            self.new(ty, two, text)
        else:
            self.new(ty, two, "fdiv %s %s, %s" % (ty, names[0], names[1]))

    def divisions(self):
        """By one number, with operations between them."""
        rng = self.rng
        ty = rng.choice(["float", "float", "double"])
        by, uniform = self.get(ty)
        for _ in range(rng.choice([1, 2, 2, 3])):
            a, u = rng.choice([self.get(ty), self.get(ty), ("1.0", True)])
            self.new(ty, u and uniform, "fdiv %s %s, %s" % (ty, a, by))
            if rng.random() < 0.5:
                rng.choice([self.floating, self.load, self.integer])()

    def convert(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.6:
            ty, to = rng.sample(list(INTS), 2)
            a, u = self.get(ty)
            op = rng.choice(["zext", "sext"]) if INTS[to] > INTS[ty] else "trunc"
            self.new(to, u, "%s %s %s to %s" % (op, ty, a, to))
        elif kind < 0.7:
            ty, to = rng.choice([("i32", "float"), ("i64", "double"), ("i32", "double"), ("i64", "float"), ("i16", "float")])
            a, u = self.get(ty)
            self.new(to, u, "%s %s %s to %s" % (rng.choice(["sitofp", "uitofp"]), ty, a, to))
        elif kind < 0.8:
            ty, op, to = rng.choice([("float", "fpext", "double"), ("double", "fptrunc", "float")]
                                    + [("half", "fpext", "float"), ("float", "fptrunc", "half")] * self.m.halves)
            a, u = self.get(ty)
            self.new(to, u, "%s %s %s to %s" % (op, ty, a, to))
        elif kind < 0.87:
            ty, to, op = rng.choice([("float", "i32", "f2i"), ("float", "i32", "f2ui"), ("float", "i64", "f2ll"),
                                     ("double", "i32", "d2i"), ("double", "i64", "d2ll")])
            a, u = self.get(ty)
            self.new(to, u, "call %s @llvm.nvvm.%s.rz(%s %s)" % (to, op, ty, a))
        elif kind < 0.95:
            ty, to = rng.choice([("i32", "float"), ("float", "i32"), ("i64", "double"), ("double", "i64"),
                                 ("<2 x i32>", "i64"), ("i64", "<2 x float>"), ("<4 x i8>", "i32"), ("i32", "<2 x i16>")])
            a, u = self.get(ty)
            self.new(to, u, "bitcast %s %s to %s" % (ty, a, to))
        else:
            a, u = self.get("i1")
            self.new("i32", u, "%s i1 %s to i32" % (rng.choice(["zext", "sext"]), a))

    def vector(self):
        rng = self.rng
        ty = rng.choice(list(VECTORS))
        element, lanes = VECTORS[ty]
        a, u = self.get(ty)
        kind = rng.random()
        if kind < 0.45:
            self.new(element, u, "extractelement %s %s, i32 %d" % (ty, a, rng.randrange(lanes)))
        elif kind < 0.8:
            b, ub = self.get(element)
            self.new(ty, u and ub, "insertelement %s %s, %s %s, i32 %d" % (ty, a, element, b, rng.randrange(lanes)))
        else:
            b, ub = self.get(ty)
            op = rng.choice(["fadd", "fmul"] if element in FLOATS else ["add", "xor", "mul", "sub"])
            self.new(ty, u and ub, "%s %s %s, %s" % (op, ty, a, b))

    def choose(self):
        ty = self.rng.choice(TYPES)
        c, uc = self.get("i1")
        (a, ua), (b, ub) = self.get(ty), self.get(ty)
        self.new(ty, uc and ua and ub, "select i1 %s, %s %s, %s %s" % (c, ty, a, ty, b))

    # Addresses.

    def ranged(self, limit):
        """An integer in a known range, which is below the limit on both sides: (type, name, uniform, low, high)."""
        rng = self.rng
        fits = [v for v in self.scope.small if -limit < v[3] and v[4] < limit]
        if not fits or rng.random() < 0.15:
            ty = rng.choice(["i32", "i32", "i64"])
            a, u = self.get(ty)
            mask = rng.choice([m for m in [3, 15, 28, 255, 4095, 65535, 1 << 20] if m < limit])
            return ty, self.new(ty, u, "and %s %s, %d" % (ty, a, mask), False), u, 0, mask
        chosen = rng.choice(fits[-5:] if rng.random() < 0.6 else fits)
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            ty, name, uniform, low, high = chosen
            kind = rng.randrange(7)
            flags = " nsw" if rng.random() < 0.5 and ty != "i16" else ""
            if kind == 0:
                by = rng.choice([1, 2, -1, 16, 100, -1000])
                text, low, high = "add%s %s %s, %d" % (flags, ty, name, by), low + by, high + by
            elif kind == 1:
                by = rng.choice([2, 3, 5, 12, 100, -1, -4])
                text, (low, high) = "mul%s %s %s, %d" % (flags, ty, name, by), sorted([low * by, high * by])
            elif kind == 2:
                by = rng.randrange(1, 6)
                text, low, high = "shl%s %s %s, %d" % (flags, ty, name, by), low << by, high << by
            elif kind == 3 and low >= 0:
                by = rng.choice([1, 2, 3, 8])
                text, high = "%s %s %s, %d" % (rng.choice(["or", "xor"]), ty, name, by), high | 15
                low = 0
            elif kind == 4:
                others = [v for v in fits if v[0] == ty]
                if not others:
                    continue
                _, other, u, low2, high2 = rng.choice(others)
                uniform = uniform and u
                text, low, high = "add%s %s %s, %s" % (flags, ty, name, other), low + low2, high + high2
            elif kind == 5 and low >= 0:
                by = rng.randrange(1, 4)
                text, low, high = "lshr %s %s, %d" % (ty, name, by), low >> by, high >> by
            elif kind == 6:
                others = [v for v in fits if v[0] == ty]
                if not others:
                    continue
                _, other, u, low2, high2 = rng.choice(others)
                uniform = uniform and u
                text, low, high = "sub%s %s %s, %s" % (flags, ty, name, other), low - high2, high - low2
            else:
                continue
            if -limit < low and high < limit:
                chosen = ty, self.new(ty, uniform, text, False), uniform, low, high
                if rng.random() < 0.3:
                    self.small(*chosen)
        return chosen

    def index(self, limit):
        """An index, as (its text with the type, uniform, name as i64)."""
        rng = self.rng
        ty, name, uniform, low, _ = self.ranged(limit)
        if ty == "i64" or rng.random() < 0.15:
            return "%s %s" % (ty, name), uniform
        op = "zext" if low >= 0 and rng.random() < 0.5 else "sext"
        return "i64 " + self.new("i64", uniform, "%s %s %s to i64" % (op, ty, name), rng.random() < 0.2), uniform

    def wrapped(self):
        """An index of 32 bits from anything, which may wrap around."""
        rng = self.rng
        (a, ua), (b, ub) = self.get("i32"), self.get("i32")
        name = self.new("i32", ua and ub, "%s i32 %s, %s" % (rng.choice(["add", "mul", "sub"]), a, b))
        if rng.random() < 0.5:
            name = self.new("i32", ua and ub, "add i32 %s, %d" % (name, rng.choice([1, 4, -1, 64])), False)
        op = rng.choice(["sext", "zext"])
        return "i64 " + self.new("i64", ua and ub, "%s i32 %s to i64" % (op, name), False), ua and ub

    def offset(self, space, pointer, size):
        """A pointer, further on by an index times a size: (name, uniform of the index)."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.12 and size <= 4:
            index, u = self.wrapped()
        else:
            index, u = self.index(1 << 22)
        element = {1: "i8", 2: "i16", 4: rng.choice(["i32", "float"]), 8: rng.choice(["i64", "double"]), 16: "<4 x i32>"}[size]
        if kind < 0.5:
            return self.new(space, u, "getelementptr %s, %s %s, %s" % (element, space, pointer, index), False), u
        if kind < 0.6:
            second, u2 = self.index(64)
            text = "getelementptr [%d x %s], %s %s, %s, %s" % (rng.choice([3, 4, 32]), element, space, pointer, index, second)
            return self.new(space, u and u2, text, False), u and u2
        # Bytes: the index is multiplied before or after its extension.
        if not index.startswith("i64"):
            index = "i64 " + self.new("i64", u, "sext %s to i64" % index, False)
        by = rng.choice([size, size, size * 3])
        if by & by - 1 == 0 and rng.random() < 0.5:
            scaled = self.new("i64", u, "shl %s, %d" % (index, by.bit_length() - 1), False)
        else:
            scaled = self.new("i64", u, "mul %s, %d" % (index, by), False)
        if kind < 0.85:
            return self.new(space, u, "getelementptr i8, %s %s, i64 %s" % (space, pointer, scaled), False), u
        whole = self.new("i64", u, "ptrtoint %s %s to i64" % (space, pointer), False)
        whole = self.new("i64", u, "add i64 %s, %s" % (whole, scaled), False)
        return self.new(space, u, "inttoptr i64 %s to %s" % (whole, space), False), u

    def load(self):
        """Loads from memory that no thread writes."""
        rng = self.rng
        if not self.scope.pointers:
            return self.integer()
        known = self.scope.pointers
        space, pointer, align, u = rng.choice(known[-4:] if rng.random() < 0.4 else known)
        if rng.random() < 0.2 and align >= 4:
            struct = rng.choice([s for s in STRUCTS if STRUCT_ALIGN[s] <= align])
            ty, path = rng.choice(STRUCTS[struct][1])
            index, ui = self.index(1 << 20)
            text = "getelementptr %s, %s %s, %s, i32 %s" % (struct, space, pointer, index, path)
            place, align = self.new(space, u and ui, text, False), SIZES[ty]
        else:
            ty = rng.choice([t for t in TYPES + ["half"] * self.m.halves if SIZES[t] <= align])
            place, ui = self.offset(space, pointer, SIZES[ty])
            align = SIZES[ty]
        if rng.random() < 0.2:
            self.scope.pointers.append((space, place, align, u and ui))
        for again in range(rng.choice([1, 1, 1, 2, 3])):
            if again:
                by = SIZES[ty] * rng.choice([1, 2, -1, 16, 1000, 1 << 20])
                place = self.new(space, u and ui, "getelementptr i8, %s %s, i64 %d" % (space, place, by), False)
            volatile = "volatile " if rng.random() < 0.1 else ""
            self.new(ty, u and ui, "load %s%s, %s %s, align %d" % (volatile, ty, space, place, align))
        return None

    def pointer_step(self):
        """One more pointer: moved on, of the other address space, or one of two."""
        rng = self.rng
        if not self.scope.pointers:
            return
        space, pointer, align, u = rng.choice(self.scope.pointers)
        kind = rng.random()
        if kind < 0.4:
            size = rng.choice([s for s in [1, 2, 4, 8, 16] if s <= align])
            place, ui = self.offset(space, pointer, size)
            self.scope.pointers.append((space, place, size, u and ui))
        elif kind < 0.6 and space == GLOBAL:
            cast = self.new(GENERIC, u, "addrspacecast %s %s to ptr" % (space, pointer), False)
            self.scope.pointers.append((GENERIC, cast, align, u))
        else:
            others = [p for p in self.scope.pointers if p[0] == space]
            other = rng.choice(others)
            c, uc = self.get("i1")
            text = "select i1 %s, %s %s, %s %s" % (c, space, pointer, space, other[1])
            uniform = uc and u and other[3]
            self.scope.pointers.append((space, self.new(space, uniform, text, False), min(align, other[2]), uniform))

    def table(self):
        rng = self.rng
        space, name, ty, size = rng.choice(self.m.tables)
        a, u = self.get("i32")
        index = self.new("i32", u, "and i32 %s, %d" % (a, size - 1), False)
        wide = self.new("i64", u, "zext i32 %s to i64" % index, False)
        text = "getelementptr inbounds [%d x %s], %s @%s, i64 0, i64 %s" % (size, ty, space, name, wide)
        self.new(ty, u, "load %s, %s %s" % (ty, space, self.new(space, u, text, False)))

    def local(self):
        """Reads or writes an array of this thread's own."""
        rng = self.rng
        if len(self.locals) < 2 and rng.random() < 0.5 or not self.locals:
            ty, size, name = rng.choice(["i32", "float", "i64", "i8", "i16"]), rng.choice([4, 8]), "%%local%d" % len(self.locals)
            self.entry.append("  %s = alloca [%d x %s], align 8" % (name, size, ty))
            for i in range(size):
                self.entry.append("  %s.%d = getelementptr inbounds [%d x %s], ptr %s, i64 0, i64 %d" % (name, i, size, ty, name, i))
                self.entry.append("  store %s %s, ptr %s.%d" % (ty, self.constant(ty), name, i))
            self.locals.append((ty, size, name))
        ty, size, name = rng.choice(self.locals)
        for _ in range(rng.choice([1, 2, 3])):
            a, _ = self.get("i32")
            index = self.new("i32", False, "and i32 %s, %d" % (a, size - 1), False)
            wide = self.new("i64", False, "zext i32 %s to i64" % index, False)
            place = self.new(GENERIC, False, "getelementptr inbounds [%d x %s], ptr %s, i64 0, i64 %s" % (size, ty, name, wide), False)
            if rng.random() < 0.5:
                self.emit("store %s %s, ptr %s" % (ty, self.get(ty)[0], place))
            else:
                self.new(ty, False, "load %s, ptr %s" % (ty, place))

    def call(self):
        rng = self.rng
        if not self.m.functions or self.runs > 40:
            return self.integer()
        name, result, parameters = rng.choice(self.m.functions)
        arguments = []
        for ty in parameters:
            if ty != GENERIC:
                arguments.append("%s %s" % (ty, self.get(ty)[0]))
                continue
            space, pointer, align, _ = rng.choice([p for p in self.scope.pointers if p[2] >= 8] or self.scope.pointers)
            assert align >= 8
            if space == GLOBAL:
                pointer = self.new(GENERIC, False, "addrspacecast %s %s to ptr" % (space, pointer), False)
            arguments.append("ptr " + pointer)
        self.new(result, False, "call %s @%s(%s)" % (result, name, ", ".join(arguments)))
        return None

    # Control flow.

    def meet(self, label, edges, before, uniform):
        """Begins a block that has these edges, as (block, scope at its end), with PHIs of what they bring. `before` is
        the scope of a block that comes before all."""
        rng = self.rng
        self.begin(label)
        if len(edges) == 1:
            self.scope = edges[0][1].copy() if uniform else edges[0][1].diverged()
            return
        self.scope = before.copy()
        kept, phis = self.scope, []
        for _ in range(rng.choice([0, 1, 2, 3, 5])):
            ty = rng.choice(TYPES + ["i1"])
            incoming, same = [], uniform
            for block, scope in edges:
                self.scope = scope
                value, u = self.get(ty)
                incoming.append("[ %s, %%%s ]" % (value, block))
                same = same and u
            self.scope = kept
            phis.append((ty, self.fresh(), same))
            self.emit("%s = phi %s %s" % (phis[-1][1], ty, ", ".join(incoming)))
        for phi in phis:
            self.add(*phi)
        if rng.random() < 0.3 and before.pointers:
            space = rng.choice(before.pointers)[0]
            chosen = [(b, rng.choice([p for p in s.pointers if p[0] == space])) for b, s in edges]
            name = self.fresh()
            self.emit("%s = phi %s %s" % (name, space, ", ".join("[ %s, %%%s ]" % (p[1], b) for b, p in chosen)))
            self.scope.pointers.append((space, name, min(p[2] for _, p in chosen), uniform and all(p[3] for _, p in chosen)))

    def arm(self, label, edges, before, target, converged):
        """A branch of an if or a switch, which ends with a branch to `target`: its edge there, or none."""
        self.meet(label, edges, before, converged)
        inside, self.converged = self.converged, self.converged and converged
        self.depth += 1
        self.steps(self.rng.choice([1, 2, 4]))
        self.depth -= 1
        left = self.rng.random() < 0.3 and self.leave()
        if not left:
            self.emit("br label %%%s" % target)
        self.converged = inside
        return [] if left else [(self.at, self.scope)]

    def leave(self):
        """Ends the block and goes to the end of a loop that may be left here, or to its next iteration."""
        rng = self.rng
        # A loop that all threads leave at once may be left only where all come by.
        may = [loop for loop in self.loops if loop.leaves == "some" or loop.leaves == "all" and self.converged]
        # All loops inside it are left, too.
        inner = next((i for i, loop in reversed(list(enumerate(self.loops))) if loop not in may), -1)
        may = self.loops[inner + 1:]
        if not may:
            return False
        loop = may[-1] if rng.random() < 0.7 else rng.choice(may)
        if rng.random() < 0.35:
            loop.latches.append((self.at, self.scope.copy()))
            self.emit("br label %%%s" % loop.latch)
        else:
            loop.outs.append((self.at, self.scope.copy()))
            self.emit("br label %%%s" % loop.out)
        return True

    def branch(self):
        """If, with or without an else, with one or two conditions."""
        rng = self.rng
        c, u = self.condition(uniform=self.synchronizes and rng.random() < 0.4)
        then, other, join = self.label("then"), self.label("else"), self.label("join")
        before = self.scope.copy()
        edges_then, edges_other = [], []
        self.emit("br i1 %s, label %%%s, label %%%s" % (c, then, other))
        if rng.random() < 0.25:
            # Both: the else is reached from two blocks.
            edges_other.append((self.at, before))
            self.meet(then, [(self.at, before)], before, u)
            self.simple()
            c2, u2 = self.condition(uniform=u)
            u = u and u2
            then = self.label("both")
            self.emit("br i1 %s, label %%%s, label %%%s" % (c2, then, other))
            edges_then.append((self.at, self.scope.copy()))
            edges_other.append(edges_then[0])
        else:
            edges_then.append((self.at, before))
            edges_other.append((self.at, before))
        edges = self.arm(then, edges_then, before, join, u)
        if rng.random() < 0.5 or not edges:
            self.meet(other, edges_other, before, u)
            self.emit("br label %%%s" % join)
            edges.append((self.at, self.scope))
        else:
            edges += self.arm(other, edges_other, before, join, u)
        self.meet(join, edges, before, u)

    def switch(self):
        rng = self.rng
        value, u = self.get("i32")
        value = self.new("i32", u, "and i32 %s, %d" % (value, rng.choice([3, 7])), False)
        arms = rng.choice([2, 3, 4])
        labels, join = [self.label("case") for _ in range(arms)], self.label("join")
        step = rng.choice([1, 1, 2])
        cases = " ".join("i32 %d, label %%%s" % (i * step, at) for i, at in enumerate(labels))
        self.emit("switch i32 %s, label %%%s [ %s ]" % (value, join, cases))
        before, head = self.scope.copy(), self.at
        edges, falls = [(head, before)], []
        for i, label in enumerate(labels):
            through = i + 1 < arms and rng.random() < 0.25
            ends = self.arm(label, [(head, before)] + falls, before, labels[i + 1] if through else join, u)
            falls = ends if through else []
            edges += [] if through else ends
        self.meet(join, edges, before, u)

    def trips(self):
        """How often a loop runs: (i32, uniform, least, most)."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.35:
            count = rng.randrange(1, 6)
            return str(count), True, count, count
        uniform = kind < 0.75
        value = self.get("i32", True)[0] if kind < 0.6 and uniform else self.trip_parameter if uniform else self.get("i32")[0]
        mask, more = rng.choice([1, 3, 3, 7, 6]), rng.choice([0, 0, 0, 1, 2])
        count = self.new("i32", uniform, "and i32 %s, %d" % (value, mask), False)
        if more:
            count = self.new("i32", uniform, "add nuw nsw i32 %s, %d" % (count, more), False)
        return count, uniform, more, mask + more

    def loop(self):
        rng = self.rng
        count, uniform, least, most = self.trips()
        if self.runs * most > MAX_RUNS:
            return
        head, latch, out = self.label("loop"), self.label("latch"), self.label("out")
        leaves = rng.choice(["none", "none", "all", "some"])
        uniform = uniform and leaves != "some"
        loop = Loop(out, latch, leaves)
        bottom = rng.random() < 0.6
        if bottom and least == 0:
            loop.outs.append((self.at, self.scope.copy()))
            inside = self.label("inside")
            zero = self.new("i1", uniform, "icmp eq i32 %s, 0" % count, False)
            self.emit("br i1 %s, label %%%s, label %%%s" % (zero, out, inside))
            self.begin(inside)
        before, entered = self.scope.copy(), self.converged
        variables = [self.variable(most, uniform) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
        carried = [(ty, self.get(ty)[0]) for ty in rng.choices(TYPES, k=rng.choice([0, 1, 2, 3]))]
        front = self.at
        self.emit("br label %%%s" % head)
        self.begin(head)
        phis = len(self.lines)
        wide = rng.random() < 0.2
        ty = "i64" if wide else "i32"
        turn, turned = self.fresh(), self.fresh()
        down = rng.random() < 0.25
        bound = count
        if wide:
            # Before the loop.
            bound = self.fresh()
            self.lines.insert(phis - 2, "  %s = zext i32 %s to i64" % (bound, count))
            phis += 1
        names = [self.fresh() for _ in variables]
        for (kind, _, _, same, low, high, align), name in zip(variables, names, strict=True):
            if kind.startswith("ptr"):
                self.scope.pointers.append((kind, name, align, same))
            elif low is not None:
                self.small(kind, name, same, low, high)
            else:
                self.add(kind, name, same)
        own = [self.fresh() for _ in carried]
        for (kind, _), name in zip(carried, own, strict=True):
            self.add(kind, name, False)
        self.small(ty, turn, uniform, 0, most)
        self.converged = entered and uniform
        self.runs *= most
        self.depth += 1
        self.loops.append(loop)
        if not bottom:
            test = "icmp ne %s %s, 0" % (ty, turn) if down else "icmp ult %s %s, %s" % (ty, turn, bound)
            more, body = self.new("i1", uniform, test, False), self.label("body")
            loop.outs.append((self.at, self.scope.copy()))
            self.emit("br i1 %s, label %%%s, label %%%s" % (more, body, out))
            self.begin(body)
        # Variables step at the beginning, or at the end.
        stepped = {}
        for i in range(len(variables)):
            if rng.random() < 0.4:
                stepped[i] = self.step(variables[i], names[i])
        self.steps(rng.choice([2, 3, 5, 8]))
        loop.latches.append((self.at, self.scope.copy()))
        self.emit("br label %%%s" % latch)
        self.begin(latch)
        # What the next iteration gets, by edge.
        nexts = []
        for kind, _ in carried:
            incoming = []
            for block, scope in loop.latches:
                self.scope = scope
                incoming.append((self.get(kind)[0], block))
            if len(incoming) == 1:
                nexts.append(incoming[0][0])
                continue
            nexts.append(self.fresh())
            self.emit("%s = phi %s %s" % (nexts[-1], kind, ", ".join("[ %s, %%%s ]" % i for i in incoming)))
        if len(loop.latches) > 1:
            self.scope = before.copy()
            for (kind, _, _, same, _, _, _), name in zip(variables, names, strict=True):
                if not kind.startswith("ptr"):
                    self.add(kind, name, same)
        for i in range(len(variables)):
            if i not in stepped:
                stepped[i] = self.step(variables[i], names[i])
        self.emit("%s = add nsw %s %s, %d" % (turned, ty, turn, -1 if down else 1))
        if bottom:
            test = "icmp ne %s %s, 0" % (ty, turned)
            if not down:
                test = "icmp %s %s %s, %s" % (rng.choice(["ult", "slt", "ne"]), ty, turned, bound)
            more = self.new("i1", False, test, False)
            loop.outs.append((self.at, self.scope.copy()))
            self.emit("br i1 %s, label %%%s, label %%%s" % (more, head, out))
        else:
            self.emit("br label %%%s" % head)
        lines = ["  %s = phi %s [ %s, %%%s ], [ %s, %%%s ]" % (turn, ty, bound if down else "0", front, turned, latch)]
        for i, variable in enumerate(variables):
            text = "  %s = phi %s [ %s, %%%s ], [ %s, %%%s ]"
            lines.append(text % (names[i], variable[0], variable[1], front, stepped[i], latch))
        for (kind, first), name, value in zip(carried, own, nexts, strict=True):
            lines.append("  %s = phi %s [ %s, %%%s ], [ %s, %%%s ]" % (name, kind, first, front, value, latch))
        rng.shuffle(lines)
        self.lines[phis:phis] = lines
        self.loops.pop()
        self.depth -= 1
        self.runs //= most
        self.meet(out, loop.outs, before, entered and uniform)
        self.converged = entered

    def variable(self, most, uniform):
        """An induction variable: (type, first, step, uniform, low, high, alignment)."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.3 and self.scope.pointers:
            space, pointer, align, u = rng.choice(self.scope.pointers)
            size = rng.choice([s for s in [1, 2, 4, 8, 16] if s <= align])
            if rng.random() < 0.5:
                step = "i64 %d" % (size * rng.choice([1, 1, 2, -1, 32, 1000]))
            else:
                index, us = self.index(1 << 16)
                if not index.startswith("i64"):
                    index = "i64 " + self.new("i64", us, "sext %s to i64" % index, False)
                step, u = "i64 " + self.new("i64", us, "mul %s, %d" % (index, size), False), u and us
            return space, pointer, step, u and uniform, None, None, size
        if kind < 0.75:
            ty, first, u, low, high = self.ranged(1 << 16)
            if rng.random() < 0.5:
                by = rng.choice([1, 1, 2, 4, -1, -4, 64, 100])
                return ty, first, str(by), u and uniform, low + min(0, by * most), high + max(0, by * most), 0
            steps = [v for v in self.scope.small if v[0] == ty and -(1 << 14) < v[3] and v[4] < 1 << 14]
            if steps:
                _, step, us, a, b = rng.choice(steps)
                return ty, first, step, u and us and uniform, low + min(0, a * most), high + max(0, b * most), 0
        ty = rng.choice(["i32", "i32", "i64", "i16"])
        (first, u), (step, us) = self.get(ty), self.get(ty)
        return ty, first, step, u and us and uniform, None, None, 0

    def step(self, variable, name):
        ty, _, step, uniform, low, high, align = variable
        if ty.startswith("ptr"):
            stepped = self.new(ty, uniform, "getelementptr i8, %s %s, %s" % (ty, name, step), False)
            self.scope.pointers.append((ty, stepped, align, uniform))
            return stepped
        if low is None:
            op = self.rng.choice(["add", "add", "add", "sub", "mul", "xor"])
            return self.new(ty, uniform, "%s %s %s, %s" % (op, ty, name, step))
        stepped = self.new(ty, uniform, "add %s %s, %s" % (ty, name, step), False)
        self.small(ty, stepped, uniform, low - (1 << 14), high + (1 << 14))
        return stepped

    # Shapes that front ends and LLVM make, and that a pass looks for.

    def counted(self, carried, body):
        """A loop that runs at least once, with values that it carries, as (type, first). `body` gets their names and
        gives the next ones. Returns the last ones; `None` if the loop would run too often."""
        count, uniform, least, most = self.trips()
        if least == 0:
            count = self.new("i32", uniform, "add nuw nsw i32 %s, 1" % count, False)
            most += 1
        if self.runs * most > MAX_RUNS:
            return None
        before, entered = self.scope.copy(), self.converged
        head, out, front = self.label("round"), self.label("out"), self.at
        self.emit("br label %%%s" % head)
        self.begin(head)
        phis = len(self.lines)
        turn, turned, names = self.fresh(), self.fresh(), [self.fresh() for _ in carried]
        self.small("i32", turn, uniform, 0, most)
        self.converged = entered and uniform
        self.runs *= most
        nexts = body(names)
        self.runs //= most
        self.converged = entered
        self.emit("%s = add nuw nsw i32 %s, 1" % (turned, turn))
        more = self.new("i1", uniform, "icmp ult i32 %s, %s" % (turned, count), False)
        self.emit("br i1 %s, label %%%s, label %%%s" % (more, head, out))
        lines = ["  %s = phi i32 [ 0, %%%s ], [ %s, %%%s ]" % (turn, front, turned, self.at)]
        for (ty, first), name, value in zip(carried, names, nexts, strict=True):
            lines.append("  %s = phi %s [ %s, %%%s ], [ %s, %%%s ]" % (name, ty, first, front, value, self.at))
        self.rng.shuffle(lines)
        self.lines[phis:phis] = lines
        self.begin(out)
        self.scope = before
        for (ty, _), value in zip(carried, nexts, strict=True):
            if not ty.startswith("ptr"):
                self.add(ty, value, False)
        return nexts

    def source(self, align):
        """A pointer with at least this alignment, in global memory if there is one: (type, name)."""
        known = [p for p in self.scope.pointers if p[2] >= align]
        in_global = [p for p in known if p[0] == GLOBAL]
        return self.rng.choice(in_global or known)[:2]

    def side_by_side(self):
        """Pointers that walk through a loop with distances that do not change."""
        rng = self.rng
        if not [p for p in self.scope.pointers if p[2] >= 8]:
            return
        space, pointer = self.source(8)
        distances = []
        for _ in range(rng.choice([1, 2, 3, 4])):
            index, u = self.index(1 << 12)
            if not index.startswith("i64"):
                index = "i64 " + self.new("i64", u, "sext %s to i64" % index, False)
            distances.append(self.new("i64", u, "mul %s, 8" % index, False))
        step = rng.choice(["128", "-8", "4096"])
        if rng.random() < 0.4:
            index, u = self.index(1 << 8)
            if index.startswith("i64"):
                step = self.new("i64", u, "shl %s, 3" % index, False)
        first = self.new("i64", False, "ptrtoint %s %s to i64" % (space, pointer), False)
        ahead = rng.random() < 0.5

        def body(names):
            at, sum_ = names
            walked = self.new("i64", False, "add i64 %s, %s" % (at, step), False) if ahead else at
            for distance in distances:
                by = self.new("i64", False, "add i64 %s, %s" % (rng.choice([at, walked]), distance), False)
                place = self.new(space, False, "inttoptr i64 %s to %s" % (by, space), False)
                loaded = self.new("i32", False, "load i32, %s %s, align 4" % (space, place))
                sum_ = self.new("i32", False, "%s i32 %s, %s" % (rng.choice(["add", "xor"]), sum_, loaded), False)
            if not ahead:
                walked = self.new("i64", False, "add i64 %s, %s" % (at, step), False)
            return [walked, sum_]

        self.counted([("i64", first), ("i32", self.get("i32")[0])], body)

    def neighbours(self):
        """Elements near each other, each with an address of its own, as unrolled loops have them."""
        rng = self.rng
        ty = rng.choice(["i32", "float", "i64", "i16", "double"])
        if not [p for p in self.scope.pointers if p[2] >= SIZES[ty]]:
            return
        space, pointer = self.source(SIZES[ty])
        kind, name, _, low, _ = self.ranged(1 << 18)
        start = self.new(kind, False, "shl %s %s, %d" % (kind, name, rng.choice([2, 3])), False)
        if rng.random() < 0.4:
            kind2, other, _, low2, _ = self.ranged(1 << 16)
            if kind2 == kind:
                other = self.new(kind, False, "shl %s %s, 3" % (kind, other), False)
                start, low = self.new(kind, False, "add %s %s, %s" % (kind, start, other), False), min(low, low2, low + low2)
        for by in rng.sample(range(8), rng.choice([2, 3, 4])):
            op = rng.choice(["add", "or", "xor"]) if by < 4 else "add"
            index = self.new(kind, False, "%s %s %s, %d" % (op, kind, start, by), False)
            if kind == "i32":
                index = self.new("i64", False, "%s i32 %s to i64" % ("sext" if low < 0 else rng.choice(["sext", "zext"]), index), False)
            place = self.new(space, False, "getelementptr %s, %s %s, i64 %s" % (ty, space, pointer, index), False)
            self.new(ty, False, "load %s, %s %s, align %d" % (ty, space, place, SIZES[ty]))

    def key_schedule(self):
        """Cheap values before a loop, which are read in a part of it, while what they are made of is live, too."""
        rng = self.rng
        key = self.get("i32")[0]
        keys = [self.new("i32", False, "%s i32 %s, %d" % (rng.choice(["add", "xor", "and", "shl"]), key, i), False)
                for i in rng.sample(range(1, 31), rng.choice([4, 12, 20]))]
        if rng.random() < 0.5:
            # Predicates, of which there are few.
            keys = [self.new("i32", False, "select i1 %s, i32 %s, i32 %d" % (
                        self.new("i1", False, "icmp ult i32 %s, %d" % (key, rng.randrange(1, 3000)), False), key, i), False)
                    if rng.random() < 0.5 else key for i, key in enumerate(keys)]

        def body(names):
            sum_, other = names
            few, join, front = self.label("few"), self.label("join"), self.at
            bit = self.new("i32", False, "and i32 %s, %d" % (sum_, rng.choice([1, 2, 6])), False)
            zero = self.new("i1", False, "icmp eq i32 %s, 0" % bit, False)
            self.emit("br i1 %s, label %%%s, label %%%s" % (zero, few, join))
            self.begin(few)
            inside = sum_
            for value in keys:
                inside = self.new("i32", False, "%s i32 %s, %s" % (rng.choice(["add", "mul", "xor"]), inside, value), False)
            self.emit("br label %%%s" % join)
            self.begin(join)
            merged = self.new("i32", False, "phi i32 [ %s, %%%s ], [ %s, %%%s ]" % (inside, few, sum_, front), False)
            merged = self.new("i32", False, "add i32 %s, %s" % (merged, key), False)
            return [merged, self.new("i32", False, "xor i32 %s, %s" % (other, merged), False)]

        self.counted([("i32", self.get("i32")[0]), ("i32", self.get("i32")[0])], body)

    def late(self):
        """Many values, which wait after a branch until one is computed of all."""
        rng = self.rng
        ty = rng.choice(["i32", "float", "i64", "double"])
        if not [p for p in self.scope.pointers if p[2] >= 8]:
            return
        space, pointer = self.source(8)
        index, _ = self.index(1 << 16)
        values = []
        for i in range(rng.choice([4, 8, 16])):
            place = self.new(space, False, "getelementptr %s, %s %s, %s" % (ty, space, pointer, index), False)
            place = self.new(space, False, "getelementptr %s, %s %s, i64 %d" % (ty, space, place, i * 3), False)
            values.append(self.new(ty, False, "load %s, %s %s, align %d" % (ty, space, place, SIZES[ty]), False))
        self.branch()
        while len(values) > 1:
            op = rng.choice(["fadd", "fmul"] if ty in FLOATS else ["add", "xor", "mul"])
            values.append(self.new(ty, False, "%s %s %s, %s" % (op, ty, values.pop(0), values.pop(0)), False))
        self.add(ty, values[0], False)

    def pipelined(self):
        """A loop that loads one iteration ahead, and carries what it has loaded."""
        rng = self.rng
        ty = rng.choice([t for t in VECTORS if SIZES[t] <= 8 or VECTORS[t][0] != "i8"] + ["<2 x half>"] * 4 * self.m.halves)
        size = SIZES.get(ty, 4)
        if not [p for p in self.scope.pointers if p[2] >= size]:
            return
        space, pointer = self.source(size)
        begun = self.new(ty, False, "load %s, %s %s, align %d" % (ty, space, pointer, size), False)
        word = {4: "i32", 8: "i64", 16: "i128"}[size]

        def body(names):
            at, loaded, sum_ = names
            further = self.new(space, False, "getelementptr i8, %s %s, i64 %d" % (space, at, size * rng.choice([1, 1, 5])), False)
            ahead = self.new(ty, False, "load %s, %s %s, align %d" % (ty, space, further, size), False)
            op = "fadd" if "half" in ty or VECTORS[ty][0] in FLOATS else "add"
            if rng.random() < 0.5:
                loaded = self.new(ty, False, "%s %s %s, %s" % (op, ty, loaded, ahead), False)
            bits = self.new(word, False, "bitcast %s %s to %s" % (ty, loaded, word), False)
            if word != "i32":
                bits = self.new("i32", False, "trunc %s %s to i32" % (word, bits), False)
            return [further, ahead, self.new("i32", False, "add i32 %s, %s" % (sum_, bits), False)]

        self.counted([(space, pointer), (ty, begun), ("i32", self.get("i32")[0])], body)

    def accumulators(self):
        """A loop with many sums, as in a product of matrices."""
        rng = self.rng
        ty = rng.choice(["float", "float", "double", "i32"])
        if not [p for p in self.scope.pointers if p[2] >= 16]:
            return
        space, pointer = self.source(16)
        wide, height = rng.choice([(2, 4), (4, 4), (4, 8)])
        firsts = [(space, pointer)] + [(ty, self.get(ty)[0]) for _ in range(wide * height)]

        def body(names):
            at, sums = names[0], names[1:]
            elements = []
            for i in range(wide + height):
                place = self.new(space, False, "getelementptr %s, %s %s, i64 %d" % (ty, space, at, i * 7), False)
                elements.append(self.new(ty, False, "load %s, %s %s, align %d" % (ty, space, place, SIZES[ty]), False))
            nexts = []
            for i, sum_ in enumerate(sums):
                a, b = elements[i % wide], elements[wide + i // wide]
                if ty == "i32":
                    b = self.new(ty, False, "mul i32 %s, %s" % (a, b), False)
                    nexts.append(self.new(ty, False, "add i32 %s, %s" % (sum_, b), False))
                else:
                    text = "call %s %s(%s %s, %s %s, %s %s)" % (ty, self.m.intrinsic("fma", ty, 3), ty, a, ty, b, ty, sum_)
                    nexts.append(self.new(ty, False, text, False))
            return [self.new(space, False, "getelementptr i8, %s %s, i64 %d" % (space, at, 64), False)] + nexts

        sums = self.counted(firsts, body)
        if sums:
            total = sums[1]
            for value in sums[2:]:
                total = self.new(ty, False, "%s %s %s, %s" % ("add" if ty == "i32" else "fadd", ty, total, value), False)
            self.add(ty, total, False)

    def simple(self):
        kinds = [self.integer] * 4 + [self.floating] * 2 + [self.convert] * 2 + [self.vector, self.choose, self.divisions] + [self.load] * 3
        self.rng.choice(kinds)()

    def kinds(self):
        """What statements there may be here."""
        kinds = [self.simple] * 12 + [self.load] * self.m.weight["load"] + [self.pointer_step, self.table]
        kinds += [self.local] * self.m.weight["local"] + [self.call] * self.m.weight["call"]
        if self.depth < 3 and self.budget > 0:
            kinds += [self.branch] * self.m.weight["branch"] + [self.loop] * self.m.weight["loop"] + [self.switch]
            kinds += [self.late] + [self.neighbours] * 2 + [self.side_by_side, self.key_schedule, self.pipelined, self.accumulators]
        return kinds

    def steps(self, number):
        for _ in range(number):
            self.budget -= 1
            self.rng.choice(self.kinds())()


class Function(Body):
    def text(self, result, parameters):
        rng = self.rng
        self.budget = 12
        self.runs, self.depth = MAX_RUNS // 20, 1
        self.converged = False
        self.trip_parameter = "5"
        for i, ty in enumerate(parameters):
            if ty == GENERIC:
                self.scope.pointers.append((ty, "%%a%d" % i, 8, False))
            else:
                self.add(ty, "%%a%d" % i, False)
        thread = self.get("i32")[0]
        if thread.startswith("%"):
            self.seeds(thread, self.scope.pointers)
        self.steps(rng.choice([2, 4, 8]))
        self.emit("ret %s %s" % (result, self.get(result)[0]))
        parameters = ", ".join("%s %%a%d" % (t, i) for i, t in enumerate(parameters))
        head = "define internal %s @%s(%s) noinline {" % (result, self.name, parameters)
        return "\n".join([head, "entry:"] + self.entry + self.lines + ["}"])


class Kernel(Body):
    def text(self):
        rng = self.rng
        self.synchronizes = rng.random() < 0.7
        self.budget = rng.choice([10, 20, 35])
        self.trip_parameter = "%n"
        self.out = rng.choice([GLOBAL, GLOBAL, GENERIC])
        parameters = [self.out + " %out", GLOBAL + " %acc", GLOBAL + rng.choice([" %in", " noalias readonly %in"]),
                      "ptr %any", "i32 %n", "i64 %m", "float %x", "i32 %k"]
        structure = rng.random() < 0.25
        if structure:
            parameters.append("ptr byval({ i32, i64, float, [4 x i32] }) align 8 %s")
        rng.shuffle(parameters)
        for ty, name in [("i32", "%n"), ("i32", "%k"), ("i64", "%m"), ("float", "%x")]:
            self.add(ty, name, True)
        self.scope.pointers += [(GLOBAL, "%in", 16, True), (GLOBAL, "%in", 16, True), (GENERIC, "%any", 16, True)]
        self.special("tid", "tid.x", 1023, False)
        self.special("ntid", "ntid.x", 1024, True)
        self.special("block", "ctaid.x", 1023, True)
        self.special("lane", "laneid", 31, False)
        self.emit("%first = mul nsw i32 %block, %ntid")
        self.emit("%id = add nsw i32 %first, %tid")
        self.small("i32", "%id", False, 0, 1 << 20)
        self.masked("%n", rng.choice([15, 255]))
        self.masked("%k", rng.choice([12, 31]))
        self.emit("%%place = mul i32 %%id, %d" % OWN)
        self.emit("%place.wide = zext i32 %place to i64")
        self.emit("%%own = getelementptr i8, %s %%out, i64 %%place.wide" % self.out)
        # However little is read from them: these are pointers, and not numbers.
        for space, pointer in [(GLOBAL, "%in"), (GENERIC, "%any"), (GLOBAL, "%acc"), (self.out, "%own")]:
            self.new("i32", pointer in ("%in", "%any"), "load volatile i32, %s %s" % (space, pointer), pointer in ("%in", "%any"))
        if structure:
            self.by_value()
        self.seeds("%id", self.scope.pointers)
        self.steps(rng.choice([6, 12, 20]))
        # Whoever is left is written.
        for _ in range(rng.choice([4, 8, 12])):
            self.store()
        self.emit("ret void")
        if self.synchronizes:
            self.m.annotations.append((self.name, "reqntidx", rng.choice([32, 64, 96, 128])))
        elif rng.random() < 0.3:
            self.m.annotations.append((self.name, "maxntidx", rng.choice([128, 1024])))
        head = "define ptx_kernel void @%s(%s) {" % (self.name, ", ".join(parameters))
        return "\n".join([head, "entry:"] + self.entry + self.lines + ["}"])

    def special(self, name, register, highest, uniform):
        self.emit("%%%s = call i32 @llvm.nvvm.read.ptx.sreg.%s()" % (name, register))
        self.small("i32", "%" + name, uniform, 0, highest)

    def masked(self, name, mask):
        value = self.new("i32", True, "and i32 %s, %d" % (name, mask), False)
        self.small("i32", value, True, 0, mask)

    def by_value(self):
        for field, ty in [("0", "i32"), ("1", "i64"), ("2", "float"), ("3, i64 2", "i32")]:
            text = "getelementptr inbounds { i32, i64, float, [4 x i32] }, ptr %%s, i64 0, i32 %s" % field
            self.new(ty, True, "load %s, ptr %s" % (ty, self.new(GENERIC, True, text, False)))
        if self.rng.random() < 0.5:
            index = self.new("i64", True, "and i64 %m, 3", False)
            text = "getelementptr inbounds { i32, i64, float, [4 x i32] }, ptr %%s, i64 0, i32 3, i64 %s" % index
            self.new("i32", True, "load i32, ptr %s" % self.new(GENERIC, True, text, False))

    def place(self, ty):
        """An address in this thread's part of %out."""
        rng = self.rng
        size = SIZES[ty]
        kind = rng.random()
        slots = OWN // size
        if kind < 0.4:
            text = "getelementptr %s, %s %%own, i64 %d" % (ty, self.out, rng.randrange(slots))
        elif kind < 0.7 or size > 8:
            a, _ = self.get("i32")
            index = self.new("i32", False, "and i32 %s, %d" % (a, slots - 1), False)
            text = "getelementptr %s, %s %%own, i32 %s" % (ty, self.out, index)
        else:
            # From the thread's number.
            index = self.new("i32", False, "mul nsw i32 %%id, %d" % slots, False)
            op, more = rng.choice(["add", "or"]), rng.randrange(slots)
            index = self.new("i32", False, "%s i32 %s, %d" % (op, index, more), False)
            index = self.new("i64", False, "%s i32 %s to i64" % (rng.choice(["sext", "zext"]), index), False)
            text = "getelementptr %s, %s %%out, i64 %s" % (ty, self.out, index)
        return self.new(self.out, False, text, False)

    def store(self):
        rng = self.rng
        ty = rng.choice(TYPES + ["half"] * self.m.halves)
        place = self.place(ty)
        volatile = "volatile " if rng.random() < 0.1 else ""
        self.emit("store %s%s %s, %s %s, align %d" % (volatile, ty, self.get(ty)[0], self.out, place, SIZES[ty]))

    def write(self, ty, value):
        """Writes a value that few others read, most times."""
        if self.rng.random() < 0.7:
            self.emit("store %s %s, %s %s, align %d" % (ty, value, self.out, self.place(ty), SIZES[ty]))

    def load_own(self):
        ty = self.rng.choice(TYPES)
        self.new(ty, False, "load %s, %s %s, align %d" % (ty, self.out, self.place(ty), SIZES[ty]))

    def atomic(self):
        rng = self.rng
        which = rng.randrange(len(ATOMICS))
        a, _ = self.get("i32")
        index = self.new("i32", False, "and i32 %s, 15" % a, False)
        index = self.new("i32", False, "or i32 %s, %d" % (index, which * 16), False)
        place = self.new(GLOBAL, False, "getelementptr i32, ptr addrspace(1) %%acc, i32 %s" % index, False)
        self.emit("atomicrmw %s ptr addrspace(1) %s, i32 %s monotonic" % (ATOMICS[which], place, self.get("i32")[0]))

    def barrier(self):
        self.emit("call void @llvm.nvvm.barrier0()")

    def element(self, ty, index):
        text = "getelementptr inbounds [1024 x %s], %s @tile.%d, i32 0, i32 %s" % (ty, SHARED, TILES.index(ty), index)
        return self.new(SHARED, False, text, False)

    def other_thread(self):
        """The number of another thread of the block."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            # Warps are full.
            return self.new("i32", False, "xor i32 %%tid, %d" % rng.randrange(1, 32), False)
        if kind < 0.5:
            a, _ = self.get("i32")
            return self.new("i32", False, "urem i32 %s, %%ntid" % a, False)
        further = self.new("i32", False, "add i32 %%tid, %d" % rng.choice([1, 7, 32, 33]), False)
        return self.new("i32", False, "urem i32 %s, %%ntid" % further, False)

    def exchange(self):
        """A tile in shared memory: all write, then all read."""
        rng = self.rng
        ty = rng.choice(TILES)
        self.barrier()
        self.emit("store %s %s, %s %s, align %d" % (ty, self.get(ty)[0], SHARED, self.element(ty, "%tid"), SIZES[ty]))
        self.barrier()
        for _ in range(rng.choice([1, 1, 2, 3])):
            place = self.element(ty, self.other_thread())
            if rng.random() < 0.3:
                # Of either address space.
                cast = self.new(GENERIC, False, "addrspacecast %s %s to ptr" % (SHARED, place), False)
                known = [p for p in self.scope.pointers if p[0] == GENERIC and p[2] >= SIZES[ty]]
                if known:
                    c, _ = self.get("i1")
                    cast = self.new(GENERIC, False, "select i1 %s, ptr %s, ptr %s" % (c, cast, rng.choice(known)[1]), False)
                self.new(ty, False, "load %s, ptr %s, align %d" % (ty, cast, SIZES[ty]))
            else:
                self.new(ty, False, "load %s, %s %s, align %d" % (ty, SHARED, place, SIZES[ty]))

    def in_warp(self):
        """A tile that the threads of a warp write and read."""
        self.barrier()
        self.emit("store i32 %s, %s %s" % (self.get("i32")[0], SHARED, self.element("i32", "%tid")))
        self.emit("call void @llvm.nvvm.bar.warp.sync(i32 -1)")
        other = self.new("i32", False, "xor i32 %%tid, %d" % self.rng.randrange(1, 32), False)
        self.new("i32", False, "load i32, %s %s" % (SHARED, self.element("i32", other)))

    def histogram(self):
        """Counts in shared memory."""
        rng = self.rng
        clear, join = self.label("clear"), self.label("cleared")
        self.barrier()
        few = self.new("i1", False, "icmp ult i32 %tid, 16", False)
        self.emit("br i1 %s, label %%%s, label %%%s" % (few, clear, join))
        before = self.scope
        self.begin(clear)
        self.emit("%%%s.place = getelementptr inbounds [16 x i32], %s @histogram, i32 0, i32 %%tid" % (clear, SHARED))
        self.emit("store i32 0, %s %%%s.place" % (SHARED, clear))
        self.emit("br label %%%s" % join)
        self.begin(join)
        self.scope = before
        self.barrier()
        op = rng.choice(ATOMICS)
        for _ in range(rng.choice([1, 2])):
            a, _ = self.get("i32")
            index = self.new("i32", False, "and i32 %s, 15" % a, False)
            place = self.new(SHARED, False, "getelementptr inbounds [16 x i32], %s @histogram, i32 0, i32 %s" % (SHARED, index), False)
            self.emit("atomicrmw %s %s %s, i32 %s monotonic" % (op, SHARED, place, self.get("i32")[0]))
        self.barrier()
        a, u = self.get("i32")
        index = self.new("i32", u, "and i32 %s, 15" % a, False)
        place = self.new(SHARED, u, "getelementptr inbounds [16 x i32], %s @histogram, i32 0, i32 %s" % (SHARED, index), False)
        self.new("i32", u, "load i32, %s %s" % (SHARED, place))

    def near(self, ty):
        """Gives values for an atomic operation, most of them near each other."""
        rng = self.rng

        def fresh(_, text):
            return self.new(ty, False, text, False)

        near = random_names.Near(rng, ty, self.get(ty)[0], fresh)
        return lambda: near.value() if rng.random() < 0.8 else self.get(ty)[0]

    def named_place(self, ty, spaces, dynamic=False):
        """A place in a named variable, with a constant or a variable index."""

        def index(text, number):
            masked = self.new("i32", False, "and i32 %s, %d" % (self.get("i32")[0], number - 1), False)
            return self.new("ptr", False, text % ("i32 " + masked), False)

        return random_names.place(self.rng, ty, spaces, index, dynamic)

    def alone(self):
        """One thread works on named variables, which no other one knows: the first thread of the block, or of the grid."""
        rng = self.rng
        space = rng.choice([3, 3, 3, 1])
        first, join, front = self.label("first"), self.label("joined"), self.at
        is_first = self.new("i1", False, "icmp eq i32 %s, 0" % ("%tid" if space == 3 else "%id"), False)
        self.emit("br i1 %s, label %%%s, label %%%s" % (is_first, first, join))
        before = self.scope.copy()
        self.begin(first)
        results = []

        def kept(ty, text):
            name = self.new(ty or "none", False, text, ty is not None)
            results.extend([(ty, name)] * (ty is not None))
            return name

        if space == 3 and self.m.copies and rng.random() < 0.4:
            self.copy(kept)
        for _ in range(rng.choice([1, 1, 2])):
            ty = rng.choice(random_names.ATOMIC)
            places = ["%s %s" % self.named_place(ty, [space]) for _ in range(rng.choice([1, 1, 2]))]
            values = self.near(ty)
            for place in places:
                self.emit("store %s %s, %s" % (ty, self.get(ty)[0] if rng.random() < 0.6 else values(), place))
            for _ in range(rng.choice([1, 2, 2, 3, 4])):
                random_names.operation(rng, ty, rng.choice(places), values, kept)
            kept(ty, "load %s, %s" % (ty, rng.choice(places)))
        for _ in range(rng.choice([0, 0, 1])):
            ty = rng.choice(list(random_names.SIZES))
            place = "%s %s" % self.named_place(ty, [space])
            self.emit("store %s %s, %s" % (ty, self.get(ty)[0], place))
            kept(ty, "load volatile %s, %s" % (ty, place))
        for ty, name in results:
            self.write(ty, name)
        self.emit("br label %%%s" % join)
        self.begin(join)
        self.scope = before
        for ty, name in results:
            merged = "phi %s [ %s, %%%s ], [ %s, %%%s ]" % (ty, name, first, self.constant(ty), front)
            self.new(ty, False, merged)

    def copy(self, kept):
        """Copies with cp.async from memory that is never written, and waits for them."""
        rng = self.rng
        index = self.new("i64", False, "and i64 %s, 63" % self.get("i64")[0], False)
        source = self.new(GLOBAL, False, "getelementptr <4 x i32>, %s %%in, i64 %s" % (GLOBAL, index), False)
        size = self.new("i32", False, "and i32 %s, 12" % self.get("i32")[0], False)
        places = []
        for _ in range(rng.choice([1, 2, 3])):
            at, text = random_names.copy(rng, source, 16 * rng.randrange(4), size, kept)
            # Two copies to one place have no order.
            if at not in places:
                self.emit(text)
                places.append(at)
        self.emit("call void @llvm.nvvm.cp.async.wait.all()")
        for at in places:
            kept("i32", "load i32, %s getelementptr (i8, %s @copied, i32 %d)" % (SHARED, SHARED, at))

    def named_sums(self):
        """All threads add to named variables of shared memory, in an order that does not matter, and read them."""
        rng = self.rng
        clear, join = self.label("clear"), self.label("cleared")
        self.barrier()
        few = self.new("i1", False, "icmp eq i32 %tid, 0", False)
        sums = []
        for _ in range(rng.choice([1, 2, 2, 3])):
            ty, kind = rng.choice([(ty, kind) for ty in ["i32", "i64"] for kind in ATOMICS] + [("float", "fadd"), ("double", "fadd")] * 3)
            # Of floating point the sums are exact. Each variable has a kind of its own.
            number = ATOMICS.index(kind) if kind in ATOMICS else 0
            sums.append((ty, kind, "getelementptr ([8 x %s], %s @sums.%s, i32 0, i32 %d)" % (ty, SHARED, ty, number)))
        self.emit("br i1 %s, label %%%s, label %%%s" % (few, clear, join))
        self.begin(clear)
        for ty, _, place in sums:
            self.emit("store %s %s, %s %s" % (ty, "0.0" if ty in FLOATS else rng.choice(["0", "1", "-1"]), SHARED, place))
        self.emit("br label %%%s" % join)
        self.begin(join)
        self.barrier()
        for ty, kind, place in sums:
            values = self.near(ty)
            for _ in range(rng.choice([1, 1, 2, 3])):
                value = values()
                if ty in FLOATS:
                    small = self.new("i32", False, "and i32 %s, 31" % self.get("i32")[0], False)
                    value = self.new(ty, False, "uitofp i32 %s to %s" % (small, ty), False)
                scope, order = rng.choice(random_names.SCOPES), rng.choice(random_names.ORDERS)
                self.emit("atomicrmw %s %s %s, %s %s %s%s" % (kind, SHARED, place, ty, value, scope, order))
        self.barrier()
        for ty, _, place in sums:
            self.write(ty, self.new(ty, True, "load %s, %s %s" % (ty, SHARED, place)))

    def matrix(self):
        """The threads of a warp read a tile as matrices, whose rows begin anywhere."""
        rng = self.rng
        self.barrier()
        self.emit("store i32 %s, %s %s" % (self.get("i32")[0], SHARED, self.element("i32", "%tid")))
        self.barrier()
        # Blocks have 32 threads at least, and as many words are written.
        mask, first = rng.choice([(0, 0), (7, 0), (3, 4), (3, 12)])
        row = self.new("i32", False, "and i32 %%tid, %d" % mask, False)
        row = self.new("i32", False, "shl i32 %s, 2" % row, False)
        place = self.element("i32", row) if rng.random() < 0.6 else "@tile.0"
        place = self.new(SHARED, False, "getelementptr i32, %s %s, i32 %d" % (SHARED, place, first), False)
        number, result = rng.choice([("x1", "i32"), ("x2.trans", "{ i32, i32 }"), ("x4", "{ i32, i32, i32, i32 }")])
        text = "call %s @llvm.nvvm.ldmatrix.sync.aligned.m8n8.%s.b16.p3(%s %s)" % (result, number, SHARED, place)
        if number == "x1":
            self.new("i32", False, text)
            return
        whole = self.new("none", False, text, False)
        self.new("i32", False, "extractvalue %s %s, 1" % (result, whole))

    def shuffle(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.2:
            text = "call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s, i32 %d, i32 31)"
            self.new("float", False, text % (self.get("float")[0], rng.choice([1, 2, 16])))
            return
        a, b = self.get("i32")[0], self.get("i32")[0]
        if kind < 0.4:
            lane = self.new("i32", False, "and i32 %s, 31" % b, False)
            self.new("i32", False, "call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %s, i32 %s, i32 31)" % (a, lane))
        else:
            mode = rng.choice(["up", "down", "bfly"])
            text = "call i32 @llvm.nvvm.shfl.sync.%s.i32(i32 -1, i32 %s, i32 %d, i32 %d)"
            self.new("i32", False, text % (mode, a, rng.choice([1, 2, 4, 8, 16]), 0 if mode == "up" else 31))

    def vote(self):
        c, _ = self.condition()
        kind = self.rng.choice(["all", "any", "uni", "ballot"])
        ty = "i32" if kind == "ballot" else "i1"
        self.new(ty, False, "call %s @llvm.nvvm.vote.%s.sync(i32 -1, i1 %s)" % (ty, kind, c))

    def finish(self):
        """Some threads are done."""
        c, _ = self.condition()
        done, rest = self.label("done"), self.label("rest")
        self.emit("br i1 %s, label %%%s, label %%%s" % (c, done, rest))
        self.begin(done)
        self.emit("ret void")
        self.begin(rest)

    def kinds(self):
        kinds = super().kinds() + [self.store] * 3 + [self.load_own] + [self.atomic] * self.m.weight["atomic"]
        kinds += [self.alone] * self.m.weight["named"]
        if self.synchronizes and self.converged:
            kinds += [self.exchange] * 2 + [self.shuffle] * 2 + [self.vote, self.histogram, self.in_warp]
            kinds += [self.named_sums] * self.m.weight["named"] + [self.matrix] * self.m.copies
        if not self.synchronizes and self.rng.random() < 0.2:
            kinds.append(self.finish)
        return kinds


class Module:
    def __init__(self, seed, kernels):
        self.rng = random.Random(seed)
        self.kernels = kernels
        self.halves = self.rng.random() < 0.3
        self.declared, self.annotations = {}, []
        self.functions = []
        self.tables = [(CONSTANT, "numbers", "i32", 16), (GLOBAL, "floats", "float", 8), (CONSTANT, "wide", "i64", 4)]
        # Some modules have much of one thing and nothing of another.
        self.weight = {k: self.rng.choice([0, 1, 1, 3]) for k in ["local", "call", "atomic"]}
        self.weight["named"] = self.rng.choice([0, 2, 5, 8])
        # cp.async and ldmatrix, which older processors lack.
        self.copies = self.weight["named"] > 0 and self.rng.random() < 0.5
        self.weight.update((k, self.rng.choice([1, 3, 5])) for k in ["load", "branch", "loop"])

    def intrinsic(self, name, ty, operands):
        name = "@llvm.%s.%s" % (name, {"half": "f16", "float": "f32", "double": "f64"}.get(ty, ty))
        self.declared[name] = "declare %s %s(%s)" % (ty, name, ", ".join([ty] * operands))
        return name

    def text(self):
        rng = self.rng
        out = ['target triple = "nvptx64-nvidia-cuda"']
        out += ["%s = type %s" % (name, fields) for name, (fields, _) in STRUCTS.items()]
        for space, name, ty, size in self.tables:
            kind = "addrspace(4) constant" if space == CONSTANT else "addrspace(1) constant"
            values = ", ".join("%s %s" % (ty, "%d.5" % rng.randrange(100) if ty == "float" else rng.randrange(1 << 31))
                               for _ in range(size))
            out.append("@%s = internal %s [%d x %s] [%s], align 8" % (name, kind, size, ty, values))
        for i, ty in enumerate(TILES):
            out.append("@tile.%d = internal addrspace(3) global [1024 x %s] undef, align 16" % (i, ty))
        out += ["@sums.%s = internal addrspace(3) global [8 x %s] undef, align 16" % (ty, ty) for ty in ["i32", "i64", "float", "double"]]
        out += [random_names.DEFINITIONS] + [random_names.COPIES] * self.copies
        out.append("@histogram = internal addrspace(3) global [16 x i32] undef, align 4")
        if self.weight["call"]:
            for i in range(rng.choice([1, 2])):
                # Not i16: the upper half of its register may be anything, and is another thing without LoopStrengthReduce.
                result = rng.choice(["i32", "i32", "float", "i64", "double", "<4 x float>"])
                parameters = [GENERIC] + rng.choices(["i32", "i64", "float", "double", "i16", "<2 x i32>"], k=rng.randrange(1, 5))
                out.append(Function(self, "f%d" % i).text(result, parameters))
                self.functions.append(("f%d" % i, result, parameters))
        for i in range(self.kernels):
            out.append(Kernel(self, "k%d" % i).text())
        out += [DECLARATIONS] + sorted(self.declared.values())
        # All versions read these; new ones make attributes of them.
        numbers = ["!%d" % i for i in range(len(self.annotations))]
        if numbers:
            out.append("!nvvm.annotations = !{%s}" % ", ".join(numbers))
        out += ['%s = !{ptr @%s, !"%s", i32 %d}' % ((i,) + a) for i, a in zip(numbers, self.annotations, strict=True)]
        return "\n".join(out) + "\n"


def generate(seed, kernels=2):
    return Module(seed, kernels).text()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2))
