"""Random loops through memory for NVPTX: random-walks.py SEED [FUNCTIONS] >OUT

Loops, alone or in one another, with induction variables of 32 and 64 bits, sums of these and of what the loop does
not change, before the step and after it, and other readers of both, which take them for addresses or exchange them with
named variables (random_names.py); variables begin with parameters, with
sums that are there or nearly there, as in a pipelined loop, and with the sums of the loop around. What does not
change is loaded, extended, multiplied, shifted or masked, or made of parameters. Kernels and functions; loads and
stores, volatile ones too, of both address spaces; inline assembly; comparisons.

Loops end after a number of iterations, and every variable steps once in each.
"""

import random
import sys

import random_names

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


class Walk:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.names = rng.choice([0, 0, 0.1, 0.3])
        self.lines, self.count, self.labels = [], 0, 0
        # By type: values that nothing changes, which may be read anywhere; sums that later loops may begin with.
        self.still = {"i64": ["%step", "%m"], "i32": ["%step32", "%n"], "ptr addrspace(1)": ["%p", "%d"]}
        self.found = {"i64": [], "i32": []}

    def emit(self, text):
        self.lines.append("  " + text)

    def new(self, text):
        self.count += 1
        self.emit("%%v%d = %s" % (self.count, text))
        return "%%v%d" % self.count

    def label(self, what):
        self.labels += 1
        return "%s%d" % (what, self.labels)

    def begin_block(self, label):
        self.lines.append(label + ":")

    def unchanging(self):
        """One more value before the loops."""
        rng = self.rng
        narrow, wide = self.still["i32"], self.still["i64"]
        kind = rng.randrange(9)
        if kind == 0:
            wide.append(self.new("load volatile i64, ptr addrspace(1) %d"))
        elif kind == 1:
            narrow.append(self.new("load volatile i32, ptr addrspace(1) %d"))
        elif kind == 2:
            narrow.append(self.new("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"))
        elif kind == 3:
            shifted = self.new("shl i32 %s, %d" % (rng.choice(narrow), rng.randrange(1, 5)))
            narrow.append(self.new("and i32 %s, %d" % (shifted, rng.choice([8, 24, 56, 248]))))
        elif kind == 4:
            bits = self.new("and i32 %s, %d" % (rng.choice(narrow), rng.choice([1, 3, 7, 31])))
            narrow.append(self.new("shl i32 %s, %d" % (bits, rng.randrange(1, 5))))
        elif kind == 5:
            wide.append(self.new("%s i32 %s to i64" % (rng.choice(["sext", "zext"]), rng.choice(narrow))))
        elif kind == 6:
            wide.append(self.new("mul i64 %s, %d" % (rng.choice(wide), rng.choice([2, 4, 12, 64, 100]))))
        elif kind == 7:
            values = rng.choice([narrow, wide])
            ty = "i32" if values is narrow else "i64"
            values.append(self.new("add %s %s, %s" % (ty, rng.choice(values), rng.choice(values + ["16", "4096"]))))
        else:
            values = rng.choice([narrow, wide])
            ty = "i32" if values is narrow else "i64"
            values.append(self.new("mul %s %s, %s" % (ty, rng.choice(values), rng.choice(values))))

    def named(self, ty, value):
        """A named variable in shared or global memory gets a value, or is compared with it and another one near it."""
        rng = self.rng
        shared = rng.random() < 0.7

        def index(text, number):
            masked = self.new("and i32 %s, %d" % (rng.choice(self.still["i32"]), number - 1))
            return self.new(text % ("i32 " + masked))

        pointer, place = random_names.place(rng, ty, [3 if shared else 1], index)
        near = self.new("add %s %s, %d" % (ty, value, rng.choice([4, 8, -16, 4096])))
        for _ in range(rng.choice([1, 2])):
            was = random_names.operation(rng, ty, "%s %s" % (pointer, place), lambda: rng.choice([value, near]), lambda _, text: self.new(text), False)
            self.emit("store volatile %s %s, ptr addrspace(1) %%d" % (ty, was))

    def read(self, ty, value):
        """Makes a reader of a value: an address, most times."""
        rng = self.rng
        if rng.random() < self.names:
            return self.named(ty, value)
        kind = rng.random()
        if ty == "i32":
            if kind < 0.3:
                value = self.new("sext i32 %s to i64" % value)
            elif kind < 0.5:
                less = self.new("icmp slt i32 %s, %s" % (value, rng.choice(["%n", "77"])))
                more = self.new("zext i1 %s to i32" % less)
                self.emit("store volatile i32 %s, ptr addrspace(1) %%d" % more)
                return
            elif kind < 0.65:
                self.emit('call void asm sideeffect "// volatile asm <- $0 :", "r"(i32 %s)' % value)
                return
            elif kind < 0.8:
                self.emit("store volatile i32 %s, ptr addrspace(1) %%d" % value)
                return
            else:
                shared = self.new("inttoptr i32 %s to ptr addrspace(3)" % value)
                self.emit("store volatile i32 %d, ptr addrspace(3) %s" % (rng.randrange(100), shared))
                return
        if kind < 0.15:
            self.emit('call void asm sideeffect "// volatile asm <- $0 :", "l"(i64 %s)' % value)
        elif kind < 0.25:
            self.emit("store volatile i64 %s, ptr addrspace(1) %%d" % value)
        else:
            pointer = self.new("inttoptr i64 %s to ptr addrspace(1)" % value)
            if rng.random() < 0.3:
                pointer = self.new("getelementptr i8, ptr addrspace(1) %s, i64 %d" % (pointer, rng.choice([4, 128])))
            volatile = rng.choice(["volatile ", ""])
            if rng.random() < 0.5:
                loaded = self.new("load %si32, ptr addrspace(1) %s" % (volatile, pointer))
                self.emit("store volatile i32 %s, ptr addrspace(1) %%d" % loaded)
            else:
                self.emit("store %si32 %d, ptr addrspace(1) %s" % (volatile, rng.randrange(100), pointer))

    def added(self, ty, a, b):
        both = [a, b]
        self.rng.shuffle(both)
        return self.new("add %s %s, %s" % (ty, both[0], both[1]))

    def loop(self, entry, depth):
        """A loop, entered from a block; the block after it."""
        rng = self.rng
        head, latch, out = self.label("loop"), self.label("latch"), self.label("out")
        variables = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            ty = rng.choice(["i64", "i64", "i64", "i32"])
            step = rng.choice([self.still[ty][0], rng.choice(self.still[ty]), "128", "-4"])
            first = rng.choice(self.still[ty] + self.found[ty][-4:])
            variables.append([ty, first, step])
        # The distances of this loop, few for each variable; most are read by nothing else.
        alone = rng.choice([0.95, 0.6])
        sums = []
        for i, (ty, _, _) in enumerate(variables):
            for _ in range(rng.choice([1, 2, 2, 3, 5])):
                own = rng.random() < alone
                more = self.new("load volatile %s, ptr addrspace(1) %%d" % ty) if own else rng.choice(self.still[ty])
                sums.append((i, more))
        if rng.random() < 0.5:
            # The first iteration is peeled: variables begin a constant or a step further on.
            for i, more in sums:
                ty, first, step = variables[i]
                if rng.random() < 0.7:
                    ahead = self.added(ty, first, more)
                    self.read(ty, ahead)
                    self.found[ty].append(ahead)
            for variable in variables:
                if rng.random() < 0.6:
                    by = rng.choice([variable[2], "256"])
                    variable[1] = self.added(variable[0], variable[1], by)
        self.emit("br label %%%s" % head)
        self.begin_block(head)
        names = []
        phis = len(self.lines)
        for _ in variables:
            self.count += 1
            names.append("%%v%d" % self.count)
        turn = "%%turn_%s" % head
        work = list(sums) + [None] * len(variables) + ["other"] * rng.choice([0, 0, 0, 0, 1])
        rng.shuffle(work)
        steps, to_step = {}, list(range(len(variables)))

        def make_step():
            i = to_step.pop(0)
            ty, _, step = variables[i]
            steps[i] = self.added(ty, names[i], step)

        def do(piece):
            if piece == "other":
                i = rng.randrange(len(variables))
                self.read(variables[i][0], rng.choice([names[i], steps.get(i, names[i])]))
                return
            i, more = piece
            ty = variables[i][0]
            of = steps[i] if i in steps and rng.random() < 0.7 else names[i]
            value = self.added(ty, of, more)
            self.found[ty].append(value)
            for _ in range(rng.choice([1, 1, 2])):
                self.read(ty, value)

        known = {t: len(v) for t, v in self.found.items()}
        if rng.random() < 0.25:
            # Some are not computed in every iteration.
            then, join = self.label("then"), self.label("join")
            flag = self.new("load volatile i32, ptr addrspace(1) %d")
            self.emit("br i1 %s, label %%%s, label %%%s" % (self.new("icmp eq i32 %s, 0" % flag), then, join))
            self.begin_block(then)
            seldom = [p for p in work[: len(work) // 2] if p]
            work = work[len(work) // 2 :]
            for piece in seldom:
                do(piece)
            for ty, size in known.items():
                del self.found[ty][size:]
            self.emit("br label %%%s" % join)
            self.begin_block(join)
            work += [None] * (len(to_step) - work.count(None))
        if depth < 2 and rng.random() < 0.3:
            half = len(work) // 2
            for piece in work[:half]:
                do(piece) if piece else make_step()
            inner = self.label("inner")
            self.emit("br label %%%s" % inner)
            self.begin_block(inner)
            self.loop(inner, depth + 1)
            work = work[half:]
        for piece in work:
            if piece is None and to_step:
                make_step()
            elif piece is not None:
                do(piece)
        while to_step:
            make_step()
        self.emit("br label %%%s" % latch)
        self.begin_block(latch)
        self.emit("%s_next = add i32 %s, 1" % (turn, turn))
        limit = rng.choice(["%n", "3", "17"])
        self.emit("%s_more = icmp ult i32 %s_next, %s" % (turn, turn, limit))
        self.emit("br i1 %s_more, label %%%s, label %%%s" % (turn, head, out))
        lines = ["  %s = phi i32 [ 0, %%%s ], [ %s_next, %%%s ]" % (turn, entry, turn, latch)]
        for i, (ty, first, _) in enumerate(variables):
            pairs = ["[ %s, %%%s ]" % (first, entry), "[ %s, %%%s ]" % (steps[i], latch)]
            rng.shuffle(pairs)
            lines.append("  %s = phi %s %s" % (names[i], ty, ", ".join(pairs)))
        self.lines[phis:phis] = lines
        self.begin_block(out)
        for i, (ty, _, _) in enumerate(variables):
            if rng.random() < 0.15:
                self.read(ty, rng.choice([names[i], steps[i]]))
        return out

    def text(self):
        rng = self.rng
        self.begin_block("entry")
        for _ in range(rng.randrange(2, 10)):
            self.unchanging()
        wide = self.new("ptrtoint ptr addrspace(1) %p to i64")
        self.still["i64"] += [wide, wide]
        at = "entry"
        for _ in range(rng.choice([1, 1, 2])):
            at = self.loop(at, 0)
        for ty in ["i32", "i64"]:
            for value in rng.sample(self.still[ty], min(len(self.still[ty]), rng.choice([0, 0, 1]))):
                self.read(ty, value)
        self.emit("ret void")
        kernel = rng.choice(["ptx_kernel ", ""])
        head = "define %svoid @%s(ptr addrspace(1) %%p, ptr addrspace(1) %%d, i64 %%step, i64 %%m, i32 %%step32, i32 %%n) {"
        return "\n".join([head % (kernel, self.name)] + self.lines + ["}"])


def generate(seed, functions=8):
    rng = random.Random(seed)
    return HEAD + random_names.DEFINITIONS + "\n".join(Walk(rng, "w%d" % i).text() for i in range(functions)) + "\n"


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8))
