"""Random LLVM IR for NVPTX: random-ir.py SEED [FUNCTIONS] >OUT

Kernels and device functions that are valid and compute nothing useful. Control flow is random_cfg.py's; many PHIs, which
swap, rotate and repeat each other; integers of 1 to 64 bits, floating point, pointers and vectors; inline assembly
with several results, tied inputs in any order, early-clobber results, predicates and poison; direct, recursive and
indirect calls, calls that do not return; loads and stores of all address spaces, volatile and atomic ones; atomic operations
of all kinds, orders and scopes, copies with cp.async and ldmatrix on named variables (random_names.py); selects and
switches; with debug information for every other module.

What it does not make: aggregates in memory and byval parameters, exceptions, stack maps, asm goto, textures and
surfaces, products of matrices, variadic functions, dynamic allocas, convergence tokens, types wider than 128
bits, integers of odd widths. Nothing that a front end would make is likely: the tests of LLVM and the kernels of the
corpus are for that.
"""

import random
import sys

import random_names
from random_cfg import Cfg

INTS = {"i16": 16, "i32": 32, "i64": 64}
FLOATS = ["float", "double"]
VECTORS = {"<2 x i32>": "i32", "<4 x float>": "float", "<2 x i64>": "i64", "<2 x float>": "float"}
CONSTRAINT = {"i1": "b", "i16": "h", "i32": "r", "i64": "l", "float": "f", "double": "d"}
SCALARS = ["i1", "i16", "i32", "i64", "float", "double"]
TYPES = SCALARS + ["i32"] * 6 + ["i64", "float", "float"] + list(VECTORS)


class Module:
    def __init__(self, seed, functions):
        self.rng = random.Random(seed)
        self.debug = seed % 2 == 1
        # How often a step is one with named variables, and whether there are copies, which older processors lack.
        self.names = self.rng.choice([0, 0.05, 0.15, 0.3])
        self.copies = self.names > 0 and self.rng.random() < 0.5
        self.metadata = []
        self.signatures = []
        for i in range(functions):
            kernel = self.rng.random() < 0.3
            types = [self.rng.choice(SCALARS) for _ in range(self.rng.randrange(5))]
            result = "void" if kernel else self.rng.choice(SCALARS + ["<4 x float>", "void"])
            self.signatures.append(("f%d" % i, kernel, result, ["ptr"] + types))

    def node(self, text):
        self.metadata.append(text)
        return len(self.metadata) - 1

    def text(self):
        out = ['target triple = "nvptx64-nvidia-cuda"']
        if self.debug:
            self.file = self.node('!DIFile(filename: "r.cu", directory: "/")')
            self.unit = self.node(
                "distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !%d, emissionKind: FullDebug)" % self.file
            )
            self.type = self.node("!DISubroutineType(types: !{})")
            self.int = self.node('!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)')
        out.append("@global = addrspace(1) global [64 x i32] zeroinitializer")
        out.append("@shared = internal addrspace(3) global [64 x float] undef")
        out += [random_names.DEFINITIONS] + [random_names.COPIES] * self.copies
        for signature in self.signatures:
            out.append(Function(self, signature).text())
        out.append(DECLARATIONS)
        if self.debug:
            version = self.node('!{i32 2, !"Debug Info Version", i32 3}')
            out.append("!llvm.dbg.cu = !{!%d}\n!llvm.module.flags = !{!%d}" % (self.unit, version))
        out += ["!%d = %s" % n for n in enumerate(self.metadata)]
        return "\n".join(out) + "\n"


DECLARATIONS = """declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.umin.i32(i32, i32)
declare float @llvm.fma.f32(float, float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.trap()
declare void @llvm.dbg.value(metadata, metadata, metadata)"""


class Function:
    def __init__(self, module, signature):
        self.m, self.rng = module, module.rng
        self.name, self.kernel, self.result, self.parameters = signature
        self.count = 0
        self.scope = None

    def dbg(self):
        if self.scope is None:
            return ""
        if self.rng.random() < 0.5 or not self.locations:
            text = "!DILocation(line: %d, column: %d, scope: !%d)"
            text %= (self.rng.randrange(1, 90), self.rng.randrange(1, 9), self.scope)
            self.locations.append(self.m.node(text))
        return ", !dbg !%d" % self.rng.choice(self.locations)

    def emit(self, text):
        self.lines.append("  " + text + self.dbg())

    def new(self, ty, text):
        """An instruction with a result."""
        value = "%%v%d" % self.count
        self.count += 1
        self.emit("%s = %s" % (value, text))
        self.add(ty, value)
        return value

    def add(self, ty, value):
        self.values.setdefault(ty, []).append(value)

    def constant(self, ty):
        if self.rng.random() < 0.1:
            return self.rng.choice(["poison", "undef"])
        if ty == "i1":
            return self.rng.choice(["true", "false"])
        if ty in INTS:
            return str(self.rng.choice([0, 1, -1, 2, 7, 31, self.rng.randrange(30000)]))
        if ty in FLOATS:
            return self.rng.choice(["0.0", "1.0", "-2.5"])
        return "zeroinitializer" if ty != "ptr" else "null"

    def value(self, ty, values=None):
        known = (self.values if values is None else values).get(ty, [])
        if not known or self.rng.random() < 0.08:
            return self.constant(ty)
        # Mostly recent ones, sometimes any: both short and long ranges.
        return self.rng.choice(known[-6:] if self.rng.random() < 0.6 else known)

    def pointer(self):
        if self.rng.random() < 0.3 and self.locals:
            return "ptr", self.rng.choice(self.locals)
        index = self.rng.randrange(64)
        where = self.rng.choice(["parameter", "parameter", "global", "shared"])
        if where == "global":
            return "ptr addrspace(1)", "getelementptr (i32, ptr addrspace(1) @global, i32 %d)" % index
        if where == "shared":
            return "ptr addrspace(3)", "getelementptr (float, ptr addrspace(3) @shared, i32 %d)" % index
        return "ptr", self.new("ptr", "getelementptr i32, ptr %%a0, i32 %s" % self.value("i32"))

    def asm(self):
        rng = self.rng
        outs = [rng.choice(SCALARS[1:] + ["i32"] * 4) for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 5, 9]))]
        if rng.random() < 0.1:
            outs = ["i32"] * 24
        constraints = []
        for ty in outs:
            early = "&" if rng.random() < 0.2 else ""
            constraints.append("=%s%s" % (early, CONSTRAINT[ty]))
        inputs = [(str(i), ty) for i, ty in enumerate(outs) if rng.random() < 0.6]
        inputs += [(None, rng.choice(SCALARS)) for _ in range(rng.choice([0, 0, 1, 2]))]
        rng.shuffle(inputs)
        arguments = []
        same = {}
        places = ["", ""]
        for number, (tied, ty) in enumerate(inputs, len(outs)):
            # A tied operand is in its result's register, under whose name assembly reads it.
            places[tied is None] += " $%s" % (tied or number)
            constraints.append(tied or CONSTRAINT[ty])
            value = same.get(ty) if rng.random() < 0.3 else None
            same[ty] = value = value or self.value(ty)
            arguments.append("%s %s" % (ty, value))
        if rng.random() < 0.2:
            constraints.append("~{memory}")
        result = "void" if not outs else outs[0] if len(outs) == 1 else "{ %s }" % ", ".join(outs)
        effect = "sideeffect " if not outs or rng.random() < 0.4 else ""
        results = "".join(" %s$%d" % ("&" * ("&" in c), i) for i, c in enumerate(constraints[:len(outs)]))
        # The text names the operands for ptx-compare equal (tools/ptx-emu/src/ptx/parse.rs).
        text = 'call %s asm %s"// %sasm%s <-%s :%s", "%s"(%s)' % (
            result, effect, "volatile " * bool(effect), results, places[0], places[1], ",".join(constraints),
            ", ".join(arguments),
        )
        if not outs:
            self.emit(text)
        elif len(outs) == 1:
            self.new(outs[0], text)
        else:
            whole = self.new(result, text)
            for i, ty in enumerate(outs):
                if rng.random() < 0.8:
                    self.new(ty, "extractvalue %s %s, %d" % (result, whole, i))

    def call(self):
        rng = self.rng
        callee, kernel, result, parameters = rng.choice(self.m.signatures)
        if kernel:
            return
        target = "@" + callee
        if rng.random() < 0.15:
            target = self.new("ptr", "select i1 %s, ptr @%s, ptr %%a0" % (self.value("i1"), callee))
        arguments = ["%s %s" % (t, self.value(t)) for t in parameters]
        noreturn = " noreturn" if rng.random() < 0.03 else ""
        text = "call %s %s(%s)%s" % (result, target, ", ".join(arguments), noreturn)
        self.emit(text) if result == "void" else self.new(result, text)

    def kept(self, ty, text):
        """An instruction with a result that later ones may read; without a type only its name is known."""
        return self.new(ty or "none", text)

    def place(self, ty, spaces):
        """A place in a named variable, with a constant or a variable index."""

        def index(text, number):
            masked = self.new("none", "and i32 %s, %d" % (self.value("i32"), number - 1))
            return self.new("none", text % ("i32 " + masked))

        return random_names.place(self.rng, ty, spaces, index)

    def operand(self, ty):
        """A value that an atomic operation may have: any, one of several near each other, an address."""
        rng = self.rng
        if ty in INTS and rng.random() < 0.1:
            pointer, name = self.place(ty, [1, 3])
            return self.new("none", "ptrtoint %s %s to %s" % (pointer, name, ty))
        return self.near[ty].value() if ty in self.near and rng.random() < 0.7 else self.value(ty)

    def named(self):
        """Loads, stores, atomic operations and copies of named variables."""
        rng = self.rng
        what = rng.random()
        ty = rng.choice(list(random_names.SIZES))
        if what < 0.15:
            self.new(ty, "load %s, %s %s" % ((ty,) + self.place(ty, [1, 3, 4])))
        elif what < 0.3:
            self.emit("store %s %s, %s %s" % ((ty, self.value(ty)) + self.place(ty, [1, 3])))
        elif what < 0.4 and self.m.copies:
            base = self.new("none", "addrspacecast ptr %a0 to ptr addrspace(1)")
            near = self.new("none", "sext i32 %s to i64" % self.value("i32"))
            base = self.new("none", "getelementptr i32, ptr addrspace(1) %s, i64 %s" % (base, near))
            for _ in range(rng.choice([1, 2, 3])):
                size = self.new("none", "and i32 %s, 15" % self.value("i32"))
                at, text = random_names.copy(rng, base, 16 * rng.randrange(4), size, self.kept)
                self.emit(text)
            if rng.random() < 0.5:
                self.emit("call void @llvm.nvvm.cp.async.wait.all()")
                self.new("i32", "load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @copied, i32 %d)" % at)
        elif what < 0.5 and self.m.copies:
            number, result = rng.choice([("x1", "i32"), ("x2.trans", "{ i32, i32 }"), ("x4", "{ i32, i32, i32, i32 }")])
            text = "call %s @llvm.nvvm.ldmatrix.sync.aligned.m8n8.%s.b16.p3(%s %s)"
            whole = self.kept("i32" if number == "x1" else None, text % ((result, number) + self.place("i32", [3])))
            if number != "x1":
                self.new("i32", "extractvalue %s %s, 1" % (result, whole))
        else:
            ty = rng.choice(random_names.ATOMIC)
            self.near = {t: random_names.Near(rng, t, self.value(t), self.kept) for t in (ty, "i64")}
            where = self.place(ty, [1, 3])
            for _ in range(rng.choice([1, 2, 2, 3])):
                random_names.operation(rng, ty, "%s %s" % where, lambda: self.operand(ty), self.kept)
                where = where if rng.random() < 0.6 else self.place(ty, [1, 3])

    def step(self):
        rng = self.rng
        if rng.random() < self.m.names:
            return self.named()
        what = rng.random()
        ty = rng.choice(list(INTS) + ["i32"] * 3)
        if what < 0.25:
            op = rng.choice(["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "add nsw"])
            self.new(ty, "%s %s %s, %s" % (op, ty, self.value(ty), self.value(ty)))
        elif what < 0.33:
            ty = rng.choice(FLOATS + ["float"])
            op = rng.choice(["fadd", "fmul", "fsub", "fadd contract"])
            self.new(ty, "%s %s %s, %s" % (op, ty, self.value(ty), self.value(ty)))
        elif what < 0.41:
            op = rng.choice(["eq", "ne", "slt", "ult", "sgt"])
            self.new("i1", "icmp %s %s %s, %s" % (op, ty, self.value(ty), self.value(ty)))
        elif what < 0.47:
            ty = rng.choice(TYPES)
            self.new(ty, "select i1 %s, %s %s, %s %s" % (self.value("i1"), ty, self.value(ty), ty, self.value(ty)))
        elif what < 0.53:
            to = rng.choice([t for t in INTS if t != ty])
            op = rng.choice(["zext", "sext"]) if INTS[to] > INTS[ty] else "trunc"
            self.new(to, "%s %s %s to %s" % (op, ty, self.value(ty), to))
        elif what < 0.56:
            a, b = rng.choice([("i32", "float"), ("float", "i32"), ("i64", "double"), ("<2 x i32>", "i64")])
            self.new(b, "bitcast %s %s to %s" % (a, self.value(a), b))
        elif what < 0.62:
            ty, element = rng.choice(list(VECTORS.items()))
            lanes = int(ty[1])
            if rng.random() < 0.5:
                text = "extractelement %s %s, i32 %d"
                self.new(element, text % (ty, self.value(ty), rng.randrange(lanes)))
            else:
                text = "insertelement %s %s, %s %s, i32 %d"
                self.new(ty, text % (ty, self.value(ty), element, self.value(element), rng.randrange(lanes)))
        elif what < 0.70:
            space, pointer = self.pointer()
            ty = rng.choice(TYPES[1:])
            volatile = "volatile " if rng.random() < 0.1 else ""
            self.new(ty, "load %s%s, %s %s, align 16" % (volatile, ty, space, pointer))
        elif what < 0.76:
            space, pointer = self.pointer()
            ty = rng.choice(TYPES[1:])
            self.emit("store %s %s, %s %s, align 16" % (ty, self.value(ty), space, pointer))
        elif what < 0.77:
            space, pointer = self.pointer()
            self.new("i32", "atomicrmw add %s %s, i32 %s monotonic" % (space, pointer, self.value("i32")))
        elif what < 0.82:
            self.new(*rng.choice([
                ("i32", "call i32 @llvm.ctpop.i32(i32 %s)" % self.value("i32")),
                ("i32", "call i32 @llvm.umin.i32(i32 %s, i32 %s)" % (self.value("i32"), self.value("i32"))),
                ("float", "call float @llvm.fma.f32(float %s, float %s, float %s)"
                 % (self.value("float"), self.value("float"), self.value("float"))),
                ("i32", "call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"),
            ]))
        elif what < 0.86:
            self.call()
        elif what < 0.89 and self.scope is not None and self.values.get("i32"):
            value = rng.choice(["i32 " + rng.choice(self.values["i32"]), "i32 7"])
            text = "call void @llvm.dbg.value(metadata %s, metadata !%d, metadata !DIExpression())"
            self.emit(text % (value, rng.choice(self.variables)))
        else:
            self.asm()

    def terminator(self, targets, condition):
        rng = self.rng
        if not targets:
            if rng.random() < 0.1:
                self.emit("call void @llvm.trap()")
                self.emit("unreachable")
            elif self.result == "void":
                self.emit("ret void")
            else:
                self.emit("ret %s %s" % (self.result, self.value(self.result)))
        elif len(targets) == 1:
            self.emit("br label %%b%d" % targets[0])
        elif len(targets) == 2:
            self.emit("br i1 %s, label %%b%d, label %%b%d" % (condition, targets[0], targets[1]))
        else:
            step = rng.choice([1, 1, 37])
            cases = " ".join("i32 %d, label %%b%d" % (i * step, t) for i, t in enumerate(targets[:-1]))
            self.emit("switch i32 %s, label %%b%d [ %s ]" % (self.value("i32"), targets[-1], cases))

    def text(self):
        rng = self.rng
        cfg = Cfg(rng, rng.choice([1, 1, 2, 4, 6, 6, 10, 16, 30]), [1, 2, 2, 2, 3, 7])
        subprogram = ""
        if self.m.debug and rng.random() < 0.8:
            text = 'distinct !DISubprogram(name: "%s", scope: !%d, file: !%d, line: 1, type: !%d, unit: !%d, ' \
                   "spFlags: DISPFlagDefinition)"
            self.scope = self.m.node(text % (self.name, self.m.file, self.m.file, self.m.type, self.m.unit))
            self.locations = []
            text = '!DILocalVariable(name: "%s", scope: !%d, file: !%d, line: 2, type: !%d)'
            names = ["x", "y", "z"]
            self.variables = [self.m.node(text % (n, self.scope, self.m.file, self.m.int)) for n in names]
            subprogram = " !dbg !%d" % self.scope
        at_end, phis, bodies = {}, {}, {}
        for b in cfg.order_of_all():
            self.lines, self.values = [], {}
            if b == 0:
                for i, ty in enumerate(self.parameters):
                    self.add(ty, "%%a%d" % i)
                self.locals = []
                for i in range(rng.choice([0, 0, 1])):
                    self.emit("%%local%d = alloca [4 x i32], align 16" % i)
                    self.locals.append("%%local%d" % i)
            elif b in cfg.order:
                # The values of all dominators can be read where the nearest one's can.
                above = max(cfg.dominators[b] - {b}, key=lambda d: len(cfg.dominators[d]))
                self.values = {t: list(v) for t, v in at_end[above].items()}
            phis[b] = []
            if cfg.preds[b]:
                for _ in range(rng.choice([0, 1, 2, 5, 12])):
                    ty = rng.choice(TYPES)
                    phis[b].append((ty, "%%p%d_%d" % (b, len(phis[b]))))
                    self.add(*phis[b][-1])
            for _ in range(rng.choice([0, 1, 3, 8, 20])):
                self.step()
            condition = self.value("i1") if len(cfg.succs[b]) == 2 else None
            if len(cfg.succs[b]) == 2 and condition in ("poison", "undef"):
                condition = "true"
            self.terminator(cfg.succs[b], condition)
            at_end[b], bodies[b] = self.values, self.lines
        lines = []
        for b in range(cfg.blocks):
            lines.append("b%d:" % b)
            for ty, name in phis[b]:
                sources, own = {}, [n for t, n in phis[b] if t == ty]
                for p in sorted(set(cfg.preds[b])):
                    # PHIs of the same block: they swap and rotate around a loop.
                    rotates = rng.random() < 0.4 and b in cfg.dominators[p] and p in cfg.order
                    sources[p] = rng.choice(own) if rotates else self.value(ty, at_end[p])
                pairs = ", ".join("[ %s, %%b%d ]" % (sources[p], p) for p in cfg.preds[b])
                lines.append("  %s = phi %s %s%s" % (name, ty, pairs, self.dbg()))
            lines += bodies[b]
        parameters = ", ".join("%s %%a%d" % (t, i) for i, t in enumerate(self.parameters))
        head = "define %s%s @%s(%s)%s {" % ("ptx_kernel " * self.kernel, self.result, self.name, parameters, subprogram)
        return "\n".join([head] + lines + ["}"])


def generate(seed, functions=8):
    return Module(seed, functions).text()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8))
