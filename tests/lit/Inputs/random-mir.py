"""Random machine code for the passes out of SSA: random-mir.py SEED [phis | mixed] >OUT

In LLVM 22's names (see mir.py). A few functions in SSA: blocks in a row with branches
ahead and back, plain instructions that can move and inline assembly of which some has
side effects; inputs tied once or several times to the same register, read untied too,
undefined, early-clobber; copies and debug instructions in between. With "phis" blocks
begin with PHIs of what their predecessors have: cycles and swaps, one register read over
several edges or by several PHIs, undefined values, results that nothing reads. With
"mixed" the control flow is random_cfg.py's, values are predicates and of 16, 32 and 64
bits, and are read wherever they dominate.

What it does not make: parts of registers, bundles and physical registers, which NVPTX has
not; calls, memory, instructions with predicates other than branches, implicit operands.
"""

import random
import sys

from random_cfg import Cfg

rng = random.Random(int(sys.argv[1]))
PHIS = "phis" in sys.argv
MIXED = "mixed" in sys.argv
FUNCTIONS = 6

DEF, EARLY, USE, TIED = 2, 3, 1, 0x80000000


def flag(kind, group=None):
    word = kind | 1 << 3
    return str(word if group is None else word | TIED | group << 16)


class Function:
    def __init__(self, name):
        self.name = name
        self.count = 0
        self.lines = []

    def new(self):
        self.count += 1
        return "%%%d" % (self.count - 1)

    def emit(self, text):
        self.lines.append("    " + text)

    def asm(self, values):
        """One INLINEASM; the new values."""
        outs = rng.choice([0, 1, 1, 1, 2, 2, 3, 7])
        operands, defs, position = [], [], []
        at = 2  # operands ahead of the next one
        early = set()
        for i in range(outs):
            register = self.new()
            defs.append(register)
            # LLVM's own intervals are wrong next to another tied result (see
            # two-address/early-clobber-two.mir) and with undefined inputs.
            if outs == 1 and rng.random() < 0.2:
                early.add(i)
            kind = EARLY if i in early else DEF
            word = "early-clobber " if i in early else ""
            operands.append("%s, def %s%s:b32" % (flag(kind), word, register))
            position.append(at + 1)
            at += 2
        tied = [i for i in range(outs) if rng.random() < 0.8]
        rng.shuffle(tied)
        inputs = [("tied", i) for i in tied]
        inputs += [("plain", None)] * rng.choice([0, 0, 1, 2])
        rng.shuffle(inputs)
        few = rng.sample(values, min(len(values), 2))
        for what, i in inputs:
            source = rng.choice(few if rng.random() < 0.4 else values)
            undef = "undef " if rng.random() < 0.06 and not early else ""
            if what == "tied":
                text = "%s, %s%s(tied-def %d)"
                operands.append(text % (flag(USE, i), undef, source, position[i]))
            else:
                operands.append("%s, %s%s" % (flag(USE), undef, source))
        effects = 1 if rng.random() < 0.4 or not outs else 0
        self.emit(", ".join(["INLINEASM &a, %d" % effects] + operands))
        return defs

    def step(self, values):
        what = rng.random()
        if what < 0.40:
            new = self.asm(values)
        elif what < 0.55:
            new = [self.new()]
            self.emit("%s:b32 = ADD32ri %s, %d" % (new[0], rng.choice(values), rng.randrange(9)))
        elif what < 0.75:
            new = [self.new()]
            a, b = rng.choice(values), rng.choice(values)
            self.emit("%s:b32 = ADD32rr %s, %s" % (new[0], a, b))
        elif what < 0.85:
            new = [self.new()]
            self.emit("%s:b32 = COPY %s" % (new[0], rng.choice(values)))
        elif what < 0.92:
            new = [self.new()]
            self.emit("%s:b32 = MOV_B32_i %d" % (new[0], rng.randrange(100)))
        else:
            self.emit("DBG_VALUE %s, $noreg" % rng.choice(values))
            new = []
        values.extend(new)

    def phis(self, preds, values, entry):
        """The text of PHIs: a source for each predecessor, which values at its end are in VALUES."""
        for register in self.results:
            few = rng.random() < 0.3  # one register over several edges
            shared = rng.choice(entry)
            sources = []
            for p in preds:
                if few and rng.random() < 0.7:
                    source = shared
                elif rng.random() < 0.05:
                    source = "undef " + rng.choice(values[p])
                else:
                    source = rng.choice(values[p][-6:] + entry)
                sources.append("%s, %%bb.%d" % (source, p))
            yield "    %s:b32 = PHI %s" % (register, ", ".join(sources))

    def make_with_phis(self):
        blocks = rng.choice([2, 4, 6, 9])
        branches = {}
        for b in range(blocks - 1):
            # Not to the entry, which has no predecessors.
            branches[b] = rng.randrange(1, blocks) if rng.random() < 0.7 else None
        preds = {b: [b - 1] if b else [] for b in range(blocks)}
        for b, to in branches.items():
            if to is not None and b not in preds[to]:
                preds[to].append(b)
        entry, values, results, text = [], {}, {}, {}
        condition = self.new()
        for b in range(blocks):
            self.lines = []
            results[b] = [self.new() for _ in range(rng.choice([0, 1, 2, 5]) if b else 0)]
            if b == 0:
                self.emit("%s:b1 = IMPLICIT_DEF" % condition)
                for i in range(4):
                    entry.append(self.new())
                    opcode = "IMPLICIT_DEF" if i == 3 else "MOV_B32_i %d" % rng.randrange(100)
                    self.emit("%s:b32 = %s" % (entry[-1], opcode))
                values[b] = entry
            else:
                values[b] = list(entry) + results[b]
            for _ in range(rng.choice([0, 1, 3, 8])):
                self.step(values[b])
            for v in rng.sample(values[b], rng.choice([0, 1, 4])):
                self.emit("INLINEASM &use, 1, %s, %s" % (flag(USE), v))
            if b + 1 == blocks:
                self.emit("Return")
            else:
                if branches[b] is not None:
                    self.emit("CBranch %s, %%bb.%d" % (condition, branches[b]))
                self.emit("GOTO %%bb.%d" % (b + 1))
            text[b] = self.lines
        self.lines = []
        for b in range(blocks):
            self.lines.append("  bb.%d:" % b)
            self.results = results[b]
            self.lines.extend(self.phis(preds[b], values, entry))
            self.lines.extend(text[b])

    def make(self):
        blocks = rng.choice([1, 1, 2, 4])
        entry = []
        condition = self.new()
        for b in range(blocks):
            self.lines.append("  bb.%d:" % b)
            if b == 0:
                self.emit("%s:b1 = IMPLICIT_DEF" % condition)
                for _ in range(3):
                    entry.append(self.new())
                    self.emit("%s:b32 = MOV_B32_i %d" % (entry[-1], rng.randrange(100)))
                values = entry
            else:
                values = list(entry)
            for _ in range(rng.choice([3, 8, 20])):
                self.step(values)
            # Some values are read at the end of the block: otherwise all code might be dead.
            for v in rng.sample(values, min(len(values), 4)):
                self.emit("INLINEASM &use, 1, %s, %s" % (flag(USE), v))
            if b + 1 == blocks:
                self.emit("Return")
            elif rng.random() < 0.7:
                # Not to the entry, which has no predecessors.
                self.emit("CBranch %s, %%bb.%d" % (condition, rng.randrange(1, blocks)))
                self.emit("GOTO %%bb.%d" % (b + 1))
            else:
                self.emit("GOTO %%bb.%d" % (b + 1))


class Mixed(Function):
    CLASSES = ["b1", "b16", "b32", "b32", "b32", "b64"]

    def value(self, kind, values=None):
        known = (self.values if values is None else values)[kind]
        return rng.choice(known[-5:] if rng.random() < 0.6 else known)

    def define(self, kind):
        register = self.new()
        self.values[kind].append(register)
        return "%s:%s" % (register, kind)

    def mixed_asm(self):
        outs = [rng.choice(self.CLASSES) for _ in range(rng.choice([0, 1, 1, 1, 2, 4, 20]))]
        tied = [i for i in range(len(outs)) if rng.random() < 0.7]
        rng.shuffle(tied)
        inputs = [(i, outs[i]) for i in tied]
        inputs += [(None, rng.choice(self.CLASSES)) for _ in range(rng.choice([0, 1, 2]))]
        rng.shuffle(inputs)
        same, texts = {}, []
        # LLVM's own intervals are wrong next to another tied result, see above.
        early = len(outs) == 1 and rng.random() < 0.2
        for i, kind in inputs:
            source = same[kind] if kind in same and rng.random() < 0.3 else self.value(kind)
            same[kind] = source
            undef = "undef " if rng.random() < 0.04 and not early else ""
            text = "%s, %s%s" % (flag(USE, i), undef, source)
            texts.append(text if i is None else text + "(tied-def %d)" % (3 + 2 * i))
        word = "early-clobber " if early else ""
        defs = ["%s, def %s%s" % (flag(EARLY if early else DEF), word, self.define(kind)) for kind in outs]
        effects = 1 if not outs or rng.random() < 0.3 else 0
        self.emit(", ".join(["INLINEASM &a, %d" % effects] + defs + texts))

    def mixed_step(self):
        what = rng.random()
        kind = rng.choice(self.CLASSES)
        if what < 0.4:
            self.mixed_asm()
        elif what < 0.55:
            source = self.value(kind)
            self.emit("%s = COPY %s" % (self.define(kind), source))
        elif what < 0.60:
            self.emit("%s = IMPLICIT_DEF" % self.define(kind))
        elif what < 0.70:
            self.emit("%s = MOV_B32_i %d" % (self.define("b32"), rng.randrange(100)))
        elif what < 0.9:
            a, b = self.value("b32"), self.value("b32")
            self.emit("%s = ADD32rr %s, %s" % (self.define("b32"), a, b))
        elif what < 0.95:
            a = self.value("b32")
            self.emit("%s = ADD32ri %s, %d" % (self.define("b32"), a, rng.randrange(9)))
        else:
            self.emit("DBG_VALUE %s, $noreg" % self.value(kind))

    def first_values(self):
        for kind in self.values:
            if kind == "b32":
                self.emit("%s = MOV_B32_i %d" % (self.define(kind), rng.randrange(100)))
            else:
                self.emit("%s = IMPLICIT_DEF" % self.define(kind))
            self.emit("INLINEASM &a, 0, %s, def %s" % (flag(DEF), self.define(kind)))

    def make_mixed(self):
        cfg = Cfg(rng, rng.choice([1, 2, 4, 6, 10, 20, 40]), [1, 2, 2, 2, 3])
        at_end, phis, text = {}, {}, {}
        for b in cfg.order_of_all():
            self.lines, self.values = [], {kind: [] for kind in self.CLASSES}
            if b == 0 or b not in cfg.order:
                self.first_values()
            else:
                above = max(cfg.dominators[b] - {b}, key=lambda d: len(cfg.dominators[d]))
                self.values = {kind: list(v) for kind, v in at_end[above].items()}
            phis[b] = []
            if cfg.preds[b]:
                kinds = [rng.choice(self.CLASSES) for _ in range(rng.choice([0, 1, 2, 4, 9]))]
                phis[b] = [(kind, self.define(kind)) for kind in kinds]
            for _ in range(rng.choice([0, 1, 3, 8, 15])):
                self.mixed_step()
            for _ in range(rng.choice([0, 1, 3])):
                self.emit("INLINEASM &use, 1, %s, %s" % (flag(USE), self.value(rng.choice(self.CLASSES))))
            targets = list(dict.fromkeys(cfg.succs[b]))
            for t in targets[:-1]:
                self.emit("CBranch %s, %%bb.%d" % (self.value("b1"), t))
            self.emit("GOTO %%bb.%d" % targets[-1] if targets else "Return")
            at_end[b], text[b] = self.values, self.lines
        self.lines = []
        for b in range(cfg.blocks):
            self.lines.append("  bb.%d:" % b)
            targets = ", ".join("%%bb.%d" % t for t in dict.fromkeys(cfg.succs[b]))
            if targets:
                self.lines.append("    successors: %s" % targets)
            for kind, register in phis[b]:
                self.lines.append("    %s = PHI %s" % (register, ", ".join(self.sources(cfg, b, kind, phis, at_end))))
            self.lines.extend(text[b])

    def sources(self, cfg, b, kind, phis, at_end):
        """Of PHIs of the same block too: they swap and rotate around a loop."""
        own = [r.partition(":")[0] for k, r in phis[b] if k == kind]
        for p in sorted(set(cfg.preds[b])):
            rotates = rng.random() < 0.4 and b in cfg.dominators[p] and p in cfg.order
            source = rng.choice(own) if rotates else self.value(kind, at_end[p])
            undef = "undef " if rng.random() < 0.03 else ""
            yield "%s%s, %%bb.%d" % (undef, source, p)


print('--- |\n  target triple = "nvptx64-nvidia-cuda"')
functions = [(Mixed if MIXED else Function)("f%d" % i) for i in range(FUNCTIONS)]
for f in functions:
    print("  define void @%s() { ret void }" % f.name)
print("...")
for f in functions:
    if isinstance(f, Mixed):
        f.make_mixed()
    elif PHIS:
        f.make_with_phis()
    else:
        f.make()
    print("---\nname: %s\ntracksRegLiveness: true\nbody: |" % f.name)
    print("\n".join(f.lines))
    print("...")
