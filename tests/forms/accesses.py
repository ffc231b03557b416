"""Writes LLVM IR that accesses memory in each form of address that instruction selection makes, with each form of value.

    accesses.py MAJOR FOLDER

Writes a module for each kind of access into the folder, of LLVM MAJOR's instructions. One kernel for each instruction, memory, form of address and form of value. Addresses: a register, a register and an offset, a named variable, a named
variable and an offset, memory of the function itself. Values: a parameter, a number, a sum whose terms look like an address's.
The kinds: loads and stores, atomics, copies to shared memory, matrix loads and stores, barriers in memory and prefetches. Also arithmetic, casts of
addresses, and calls, as the stages look at the values that addresses are made of.

scripts/equal and scripts/forms run what it writes; for sm_90.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAJOR = int(sys.argv[1])
SPACES = {"generic": 0, "global": 1, "shared": 3, "constant": 4, "local": 5, "cluster": 7}
VARIABLES = {1: "@global_memory", 3: "@shared_memory", 4: "@constant_memory"}
"""A variable of each memory that has names for its variables."""
CLUSTER = ["cluster"] if MAJOR >= 22 else []
"""The shared memory of other blocks, which LLVM has an address space for."""

SCALARS = ["i8", "i16", "i32", "i64", "half", "bfloat", "float", "double"]
VECTORS = ["<2 x i8>", "<4 x i8>", "<2 x i16>", "<4 x i16>", "<2 x half>", "<8 x half>", "<2 x i32>", "<4 x i32>", "<2 x i64>", "<2 x float>",
           "<4 x float>", "<2 x double>"]
NUMBERS = {"half": "0xH3C00", "bfloat": "0xR3F80", "float": "1.5", "double": "2.5"}


@dataclass(frozen=True)
class Address:
    """An address: the lines that compute it, and its name."""

    name: str
    lines: tuple[str, ...]
    pointer: str


def addresses(space: int) -> Iterator[Address]:
    """Each form of address that this memory has."""
    typed = f"ptr addrspace({space})" if space else "ptr"
    if space == 5:
        yield Address("frame", ("%a = alloca [64 x i64], align 16", f"%f = addrspacecast ptr %a to {typed}"), f"{typed} %f")
        offset = f"%o = getelementptr i8, {typed} %f, i64 32"
        yield Address("frame_offset", ("%a = alloca [64 x i64], align 16", f"%f = addrspacecast ptr %a to {typed}", offset), f"{typed} %o")
        index = f"%o = getelementptr <2 x i64>, {typed} %f, i32 %n"
        yield Address("frame_index", ("%a = alloca [64 x i64], align 16", f"%f = addrspacecast ptr %a to {typed}", index), f"{typed} %o")
        return
    if space in VARIABLES:
        variable = VARIABLES[space]
        yield Address("variable", (), f"{typed} {variable}")
        yield Address("variable_offset", (), f"{typed} getelementptr (i8, {typed} {variable}, i64 48)")
        base: tuple[str, ...] = ()
    elif space == 7:
        variable = "%c"
        base = ("%c = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @shared_memory, i32 %n)",)
    else:
        # A pointer of which LLVM cannot tell the memory.
        variable = "%g"
        either = "ptr addrspacecast (ptr addrspace(1) @global_memory to ptr), ptr addrspacecast (ptr addrspace(3) @shared_memory to ptr)"
        base = ("%odd = trunc i32 %n to i1", f"%g = select i1 %odd, {either}")
    index = f"%p = getelementptr <2 x i64>, {typed} {variable}, i32 %n"
    yield Address("register", (*base, index), f"{typed} %p")
    yield Address("register_offset", (*base, index, f"%q = getelementptr i8, {typed} %p, i64 32"), f"{typed} %q")


def value(kind: str, form: str, name: str) -> tuple[list[str], str]:
    """A value of a type in a form: the lines that compute it, and the operand."""
    if form == "number":
        if kind.startswith("<"):
            count, element = kind.strip("<>").split(" x ")
            of = f"{element} {NUMBERS.get(element, '7')}"
            return [], "<" + ", ".join([of] * int(count)) + ">"
        return [], NUMBERS.get(kind, "7")
    if form == "parameter":
        return [f"%{name} = load {kind}, ptr addrspace(1) %in, align 16"], f"%{name}"
    # A sum as addresses are.
    if kind in NUMBERS or kind.startswith("<"):
        whole = {"half": "i16", "bfloat": "i16", "float": "i32", "double": "i64"}[kind]
        lines, sum_of = value(whole, "sum", name + "w")
        return [*lines, f"%{name} = bitcast {whole} {sum_of} to {kind}"], f"%{name}"
    number = {"i8": 3, "i16": 5, "i32": 4, "i64": 8}[kind] + 4 * "vwut".index(name[0])
    wide = "%n" if kind == "i32" else f"%{name}n"
    cast = [] if kind == "i32" else [f"{wide} = {'sext' if kind == 'i64' else 'trunc'} i32 %n to {kind}"]
    return [*cast, f"%{name}m = mul {kind} {wide}, 12", f"%{name} = add {kind} %{name}m, {number}"], f"%{name}"


class Module:
    """The kernels."""

    def __init__(self) -> None:
        self.kernels: list[str] = []
        self.names: list[str] = []
        self.callees: list[str] = []

    def kernel(self, name: str, lines: list[str], result: str = "") -> None:
        """Adds a kernel; its result, `TYPE %name`, is stored."""
        if result:
            lines = [*lines, f"store {result}, ptr addrspace(1) %out, align 16"]
        self.names.append(name)
        body = "".join(f"  {line}\n" for line in [*lines, "ret void"])
        self.kernels.append(f"define void @{name}(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n, ptr addrspace(1) %from) {{\n{body}}}\n")

    def in_each(self, name: str, spaces: list[str], lines: list[str], result: str = "") -> None:
        """Adds a kernel for each address; `{p}` in a line is that."""
        for space in spaces:
            for address in addresses(SPACES[space]):
                own = [line.replace("{p}", address.pointer) for line in lines]
                # What a function has in its own memory is read again, so that it stays.
                if space == "local" and not result:
                    own += [f"%back = load volatile i32, {address.pointer}, align 4"]
                    self.kernel(f"{name}_{space}_{address.name}", [*address.lines, *own], "i32 %back")
                else:
                    self.kernel(f"{name}_{space}_{address.name}", [*address.lines, *own], result)

    def declarations(self) -> str:
        """What LLVM 17 wants declared."""
        declared = {}
        code = re.sub(r"getelementptr \([^@]*@\w+, i64 \d+\)", "@offset", "\n".join(self.kernels))
        code = re.sub(r"<\w+ [\w.]+(, \w+ [\w.]+)*>", "@numbers", code)
        for result, name, arguments in re.findall(r"call ([^@]*) (@llvm[\w.]*)\((.*)\)$", code, re.M):
            types = re.findall(r"(?:^|, )(ptr addrspace\(\d\)|ptr|i1|i16|i32|i64|half|float|double|<\d x \w+>) (?=[%@\dgtf])", arguments)
            declared[name] = f"declare {result} {name}({', '.join(types)})\n"
        return "".join(declared.values())

    def text(self) -> str:
        """The module."""
        memory = "[128 x i64]"
        marks = "".join(f"!{i} = !{{ptr @{name}, !\"kernel\", i32 1}}\n" for i, name in enumerate(self.names))
        return (
            "; RUN: llc < %s -mcpu=sm_90 -mattr=+ptx80\n"
            'target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"\ntarget triple = "nvptx64-nvidia-cuda"\n'
            f"@global_memory = addrspace(1) global {memory} zeroinitializer, align 16\n"
            f"@shared_memory = addrspace(3) global {memory} undef, align 128\n"
            f"@constant_memory = addrspace(4) externally_initialized global {memory} zeroinitializer, align 16\n\n"
            + self.declarations()
            + "\n".join([*self.callees, *self.kernels])
            + f"\n!nvvm.annotations = !{{{', '.join(f'!{i}' for i in range(len(self.names)))}}}\n"
            + marks
            + "!100000 = !{}\n"
        )


def plain(kind: str) -> str:
    """A type as part of a name."""
    return kind.strip("<>").replace(" x ", "x")


def loads_and_stores(module: Module) -> None:
    """Loads and stores of all widths, and those with an order."""
    spaces = ["generic", "global", "shared", "local", *CLUSTER]
    for kind in SCALARS + VECTORS:
        module.in_each(f"load_{plain(kind)}", [*spaces, "constant"], [f"%v = load volatile {kind}, {{p}}, align 16"], f"{kind} %v")
        for form in ("parameter", "number"):
            lines, operand = value(kind, form, "v")
            module.in_each(f"store_{plain(kind)}_{form}", spaces, [*lines, f"store volatile {kind} {operand}, {{p}}, align 16"])
        if kind in ("i8", "i16", "i32", "i64", "float", "double"):
            of = {"float": "f.f32", "double": "f.f64"}.get(kind, f"i.{kind}")
            module.in_each(f"load_uniform_{kind}", ["global"], [f"%v = call {kind} @llvm.nvvm.ldu.global.{of}.p1({{p}}, i32 8)"], f"{kind} %v")
        invariant = f"%v = load {kind}, {{p}}, align 16, !invariant.load !100000"
        module.in_each(f"load_invariant_{plain(kind)}", ["global"], [invariant], f"{kind} %v")
    orders = [("monotonic", "monotonic")] + ([("acquire", "release"), ("seq_cst", "seq_cst")] if MAJOR >= 20 else [])
    for kind, some in (("<2 x i32>", 0), ("<2 x i64>", 1), ("<4 x i32>", 1), ("<4 x i32>", 2), ("<2 x float>", 1), ("<4 x float>", 2), ("<2 x double>", 0)):
        # Some elements are numbers.
        lines, operand = value(kind, "parameter", "v")
        element = kind.strip("<>").partition(" x ")[2]
        mixed = f"%w = insertelement {kind} {operand}, {element} {NUMBERS.get(element, '7')}, i32 {some}"
        name = f"store_{plain(kind)}_number_{some}"
        module.in_each(name, spaces, [*lines, mixed, f"store {kind} %w, {{p}}, align 16"])
    for kind, (reads, writes), scope in itertools.product(["i32", "i64", "float"], orders, ["", 'syncscope("block") ']):
        name = f"{kind}_{reads}_{'block' if scope else 'system'}"
        module.in_each(f"load_{name}", ["generic", "global", "shared"], [f"%v = load atomic {kind}, {{p}} {scope}{reads}, align 8"], f"{kind} %v")
        for form in ("sum", "number"):
            lines, operand = value(kind, form, "v")
            store = f"store atomic {kind} {operand}, {{p}} {scope}{writes}, align 8"
            module.in_each(f"store_{name}_{form}", ["generic", "global", "shared"], [*lines, store])


def atomics(module: Module) -> None:
    """Atomics of all kinds; compare-and-swap with each form of both values."""
    spaces = ["generic", "global", "shared", *CLUSTER]
    integer = "add sub and or xor xchg max min umax umin".split()
    operations = [(op, kind) for op in integer for kind in ("i32", "i64")] + [("fadd", "float"), ("fadd", "double"), ("fadd", "half")]
    operations += [("fadd", "bfloat")] if MAJOR >= 19 else []
    operations += [(op, "i32") for op in ("uinc_wrap", "udec_wrap")] + [("xchg", "float")]
    for (op, kind), form, is_read in itertools.product(operations, ("parameter", "number", "sum"), (True, False)):
        lines, operand = value(kind, form, "v")
        access = f"atomicrmw {op} {{p}}, {kind} OPERAND syncscope(\"device\") monotonic, align 8"
        if form == "sum":
            # Another one whose value has the same terms, as addresses of one array have.
            more, other = value(kind, form, "w")
            lines += [*more, "%other = " + access.replace("OPERAND", other), f"store {kind} %other, ptr addrspace(1) %from, align 16"]
        name = f"{op}_{kind}_{form}" + ("" if is_read else "_unread")
        module.in_each(name, spaces, [*lines, "%r = " + access.replace("OPERAND", operand)], f"{kind} %r" if is_read else "")
    scoped_atomics(module)
    forms = ("parameter", "number", "sum")
    for kind, old, new in itertools.product(["i32", "i64", "i16"], forms, forms):
        lines, expected = value(kind, old, "v")
        more, wanted = value(kind, new, "w")
        access = f"%r = cmpxchg {{p}}, {kind} {expected}, {kind} {wanted} monotonic monotonic, align 8"
        accesses = [*lines, *more, access, f"%x = extractvalue {{ {kind}, i1 }} %r, 0"]
        if "sum" in (old, new):
            again, expected = value(kind, "sum", "u") if old == "sum" else ([], expected)
            last, wanted = value(kind, "sum", "t") if new == "sum" else ([], wanted)
            accesses += [*again, *last, f"%s = cmpxchg {{p}}, {kind} {expected}, {kind} {wanted} monotonic monotonic, align 8"]
            accesses += [f"%y = extractvalue {{ {kind}, i1 }} %s, 0", f"store {kind} %y, ptr addrspace(1) %from, align 16"]
        module.in_each(f"cas_{kind}_{old}_{new}", spaces, accesses, f"{kind} %x")


def scoped_atomics(module: Module) -> None:
    """Atomics of generic memory that only some threads see."""
    operations = [(f"{op}.gen.i", kind) for op in "add max min and or xor exch".split() for kind in ("i32", "i64")]
    operations += [("inc.gen.i", "i32"), ("dec.gen.i", "i32"), ("add.gen.f", "float"), ("add.gen.f", "double"), ("cas.gen.i", "i32"), ("cas.gen.i", "i64")]
    for (op, kind), scope, form in itertools.product(operations, ("cta", "sys"), ("parameter", "number", "sum")):
        lines, operand = value(kind, form, "v")
        suffix = {"float": "f32", "double": "f64"}.get(kind, kind)
        values = [f"{kind} {operand}"]
        if op.startswith("cas"):
            more, other = value(kind, "sum", "w")
            lines, values = [*lines, *more], [*values, f"{kind} {other}"]
        call = f"%r = call {kind} @llvm.nvvm.atomic.{op}.{scope}.{suffix}.p0({{p}}, {', '.join(values)})"
        module.in_each(f"{op.replace('.', '_')}_{kind}_{scope}_{form}", ["generic"], [*lines, call], f"{kind} %r")


def shared_copies(module: Module) -> None:
    """cp.async: the address that is written in each form; the one that is read in four."""
    sources = {
        "parameter": ([], "%from"),
        "sum": (["%w = zext i32 %n to i64", "%source = getelementptr [4 x i32], ptr addrspace(1) %from, i64 %w"], "%source"),
        "variable": ([], "@global_memory"),
        "variable_offset": ([], "getelementptr (i8, ptr addrspace(1) @global_memory, i64 16)"),
    }
    after = ["call void @llvm.nvvm.cp.async.commit.group()", "call void @llvm.nvvm.cp.async.wait.all()"]
    after += ["%back = load volatile i32, ptr addrspace(3) @shared_memory, align 4"]
    for what, size in (("ca.shared.global.4", 4), ("ca.shared.global.8", 8), ("ca.shared.global.16", 16), ("cg.shared.global.16", 16)):
        for source, (before, operand) in sources.items():
            name = f"cp_async_{what.replace('.', '_')}_{source}"
            copy = f"call void @llvm.nvvm.cp.async.{what}({{p}}, ptr addrspace(1) {operand})"
            module.in_each(name, ["shared"], [*before, copy, *after], "i32 %back")
            if MAJOR >= 18:
                for form in ("parameter", "number", "sum"):
                    lines, bytes_read = value("i32", form, "v")
                    bytes_read = str(size // 2) if form == "number" else bytes_read
                    copy = f"call void @llvm.nvvm.cp.async.{what}.s({{p}}, ptr addrspace(1) {operand}, i32 {bytes_read})"
                    module.in_each(f"{name}_{form}", ["shared"], [*before, *lines, copy, *after], "i32 %back")


def bulk_copies(module: Module) -> None:
    """cp.async.bulk: each of its addresses in each form."""
    end = ["call void @llvm.nvvm.cp.async.bulk.commit.group()", "call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)"]
    end += ["call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)"]
    own = ["%own = getelementptr [4 x i64], ptr addrspace(3) @shared_memory, i32 %n"]
    cluster = [*own, "%c = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @shared_memory, i32 %n)"]
    shared, other, to = "ptr addrspace(3) %own", "ptr addrspace(1) %from", "ptr addrspace(7) %c"

    def copy(name: str, space: str, what: str, arguments: list[str], before: list[str], after: list[str]) -> None:
        call = f"call void @llvm.nvvm.cp.async.bulk.{what}({', '.join(arguments)})"
        module.in_each(f"bulk_{name}", [space], [*before, call, *after])

    # The policy of the cache is a value, and so is the mask of blocks that get a copy.
    for form, has_policy, has_mask in itertools.product(("sum", "number"), (False, True), (False, True)):
        lines, size = value("i32", form, "v")
        size = f"i32 {64 if form == 'number' else size}"
        policy_lines, policy = value("i64", "sum", "w")
        mask_lines, mask = value("i16", "sum", "u")
        lines += policy_lines * has_policy + mask_lines * has_mask
        ends = f"{form}{'_policy' * has_policy}{'_mask' * has_mask}"
        hint = [f"i64 {policy}", "i1 true"] if has_policy else ["i64 0", "i1 false"]
        if not has_mask:
            copy(f"store_to_{ends}", "global", "shared.cta.to.global", ["{p}", shared, size, *hint], [*lines, *own], end)
            copy(f"store_from_{ends}", "shared", "shared.cta.to.global", [other, "{p}", size, *hint], lines, end)
            copy(f"prefetch_{ends}", "global", "prefetch.L2", ["{p}", size, *hint], lines, [])
        flags = [f"i16 {mask if has_mask else 0}", hint[0], f"i1 {str(has_mask).lower()}", hint[1]]
        for name, space, barrier, source in (("from", "global", shared, "{p}"), ("barrier", "shared", "{p}", other)):
            copy(f"load_{name}_{ends}", space, "global.to.shared.cluster", [to, barrier, source, size, *flags], [*lines, *cluster], [])
        if not has_mask and not has_policy:
            for name, barrier, source in (("from", shared, "{p}"), ("barrier", "{p}", shared)):
                copy(f"move_{name}_{ends}", "shared", "shared.cta.to.cluster", [to, barrier, source, size], [*lines, *cluster], [])


def matrices(module: Module) -> None:
    """ldmatrix, stmatrix, and loads and stores of fragments."""
    for count, trans in itertools.product((1, 2, 4), ("", ".trans")):
        of = "i32" if count == 1 else "{ " + ", ".join(["i32"] * count) + " }"
        call = f"%m = call {of} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{count}{trans}.b16.p3({{p}})"
        last = [] if count == 1 else [f"%v = extractvalue {of} %m, {count - 1}"]
        for space, suffix in (("shared", "p3"), ("generic", "p0")):
            loads = [call.replace("b16.p3", f"b16.{suffix}"), *last]
            module.in_each(f"ldmatrix_x{count}{trans.replace('.', '_')}", [space], loads, "i32 %m" if count == 1 else "i32 %v")
        if MAJOR >= 22:
            lines, operand = value("i32", "sum", "v")
            values = ", ".join([f"i32 {operand}"] * count)
            for space, suffix in (("shared", "p3"), ("generic", "p0")):
                store = f"call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x{count}{trans}.b16.{suffix}({{p}}, {values})"
                module.in_each(f"stmatrix_x{count}{trans.replace('.', '_')}", [space], [*lines, store])
    of = "{ " + ", ".join(["<2 x half>"] * 8) + " }"
    for space, number in (("shared", 3), ("global", 1), ("generic", 0)):
        for stride in ("", ".stride"):
            more = ", i32 %n" if stride else ""
            load = f"%m = call {of} @llvm.nvvm.wmma.m16n16k16.load.a.row{stride}.f16.p{number}({{p}}{more})"
            module.in_each(f"wmma_load{stride.replace('.', '_')}", [space], [load, f"%v = extractvalue {of} %m, 7"], "<2 x half> %v")
            fragment = ["%h = load <2 x half>, ptr addrspace(1) %in"]
            values = ", ".join(["<2 x half> %h"] * 4)
            store = f"call void @llvm.nvvm.wmma.m16n16k16.store.d.row{stride}.f16.p{number}({{p}}, {values}{more})"
            module.in_each(f"wmma_store{stride.replace('.', '_')}", [space], [*fragment, store])


def barriers(module: Module) -> None:
    """mbarrier, and prefetches."""
    for space, of in (("shared", ".shared"), ("generic", "")):
        spaces = [space]
        for form, count in (("", "%n"), ("_number", "32")):
            module.in_each(f"mbarrier_init{form}", spaces, [f"call void @llvm.nvvm.mbarrier.init{of}({{p}}, i32 {count})"])
        module.in_each("mbarrier_inval", spaces, [f"call void @llvm.nvvm.mbarrier.inval{of}({{p}})"])
        for what in ("arrive", "arrive.drop"):
            name = what.replace(".", "_")
            module.in_each(f"mbarrier_{name}", spaces, [f"%s = call i64 @llvm.nvvm.mbarrier.{what}{of}({{p}})"], "i64 %s")
            for form in ("number", "sum"):
                lines, operand = value("i32", form, "v")
                call = f"%s = call i64 @llvm.nvvm.mbarrier.{what}.noComplete{of}({{p}}, i32 {operand})"
                module.in_each(f"mbarrier_{name}_{form}", spaces, [*lines, call], "i64 %s")
        lines, operand = value("i64", "sum", "v")
        test = f"%t = call i1 @llvm.nvvm.mbarrier.test.wait{of}({{p}}, i64 {operand})"
        module.in_each("mbarrier_test_wait", spaces, [*lines, test, "%w = zext i1 %t to i32"], "i32 %w")
        for what in ("", ".noinc"):
            call = f"call void @llvm.nvvm.cp.async.mbarrier.arrive{what}{of}({{p}})"
            module.in_each(f"cp_async_mbarrier_arrive{what.replace('.', '_')}", spaces, [call])
    if MAJOR >= 21:
        for space in ("global", "generic", "local"):
            of = "" if space == "generic" else f".{space}"
            for level in ("L1", "L2"):
                module.in_each(f"prefetch_{level}", [space], [f"call void @llvm.nvvm.prefetch{of}.{level}({{p}})"])


def integers(module: Module) -> None:
    """Integer arithmetic of each width, with registers and numbers."""
    operations = "add sub mul and or xor shl lshr ashr sdiv udiv srem urem".split()
    for op, kind, forms in itertools.product(operations, ("i16", "i32", "i64"), (("parameter", "sum"), ("sum", "number"), ("number", "sum"))):
        lines, a = value(kind, forms[0], "v")
        more, b = value(kind, forms[1], "w")
        module.kernel(f"{op}_{kind}_{'_'.join(forms)}", [*lines, *more, f"%r = {op} {kind} {a}, {b}"], f"{kind} %r")
    for op, kind, form in itertools.product(("smax", "smin", "umax", "umin"), ("i16", "i32", "i64", "<2 x i16>"), ("parameter", "number")):
        lines, a = value(kind, "parameter", "v")
        more, b = value(kind, form, "w")
        more = [line.replace("%in", "%from") for line in more]
        of = {"<2 x i16>": "v2i16"}.get(kind, kind)
        module.kernel(f"{op}_{plain(kind)}_{form}", [*lines, *more, f"%r = call {kind} @llvm.{op}.{of}({kind} {a}, {kind} {b})"], f"{kind} %r")
    for op, kind in itertools.product(("bitreverse", "bswap", "ctpop"), ("i16", "i32", "i64")):
        lines, a = value(kind, "sum", "v")
        module.kernel(f"{op}_{kind}", [*lines, f"%r = call {kind} @llvm.{op}.{kind}({kind} {a})"], f"{kind} %r")
    for op, kind in itertools.product(("ctlz", "cttz", "abs"), ("i16", "i32", "i64")):
        lines, a = value(kind, "sum", "v")
        module.kernel(f"{op}_{kind}", [*lines, f"%r = call {kind} @llvm.{op}.{kind}({kind} {a}, i1 false)"], f"{kind} %r")
    for op, kind, form in itertools.product(("fshl", "fshr"), ("i32", "i64"), ("parameter", "number")):
        lines, a = value(kind, "sum", "v")
        more, b = value(kind, form, "w")
        for name, other in (("funnel", "7"), ("rotate", a)):
            call = f"%r = call {kind} @llvm.{op}.{kind}({kind} {a}, {kind} {other}, {kind} {b})"
            module.kernel(f"{op}_{name}_{kind}_{form}", [*lines, *more, call], f"{kind} %r")
    # Products of twice the width, their upper halves, and sums with them.
    for kind, wide, bits, extend in (("i16", "i32", 16, "sext"), ("i16", "i32", 16, "zext"), ("i32", "i64", 32, "sext"), ("i32", "i64", 32, "zext")):
        for form, addend in itertools.product(("sum", "number"), ("", "parameter", "number", "half")):
            lines, a = value(kind, "parameter", "v")
            more, b = value(kind, form, "w")
            product = [f"%a = {extend} {kind} {a} to {wide}", f"%b = {extend} {kind} {b} to {wide}", f"%m = mul {wide} %a, %b"]
            if form == "number":
                product[1:] = [f"%m = mul {wide} %a, {b}"]
            name = f"{extend}_{kind}_{form}{'_' * bool(addend)}{addend}"
            if addend == "half":
                module.kernel(f"product_{name}", [*lines, *more, *product, f"%h = lshr {wide} %m, {bits}", f"%r = trunc {wide} %h to {kind}"], f"{kind} %r")
            elif addend:
                last, c = value(wide, addend, "u")
                module.kernel(f"product_{name}", [*lines, *more, *product, *last, f"%r = add {wide} %m, {c}"], f"{wide} %r")
            else:
                module.kernel(f"product_{name}", [*lines, *more, *product], f"{wide} %m")


def floats(module: Module) -> None:
    """Floating point of each width, with registers and numbers, and vectors of small elements that code takes apart."""
    for kind, name in (("half", "f16"), ("float", "f32"), ("double", "f64")):
        for op, form in itertools.product(("fadd", "fsub", "fmul", "fdiv"), ("parameter", "number")):
            lines, a = value(kind, "sum", "v")
            more, b = value(kind, form, "w")
            module.kernel(f"{op}_{kind}_{form}", [*lines, *more, f"%r = {op} {kind} {a}, {b}"], f"{kind} %r")
        lines, a = value(kind, "sum", "v")
        module.kernel(f"fneg_{kind}", [*lines, f"%r = fneg {kind} {a}"], f"{kind} %r")
        for op in ("fabs", "sqrt", "floor"):
            module.kernel(f"{op}_{kind}", [*lines, f"%r = call {kind} @llvm.{op}.{name}({kind} {a})"], f"{kind} %r")
        for op, form in itertools.product(("minnum", "maxnum", "copysign"), ("parameter", "number")):
            more, b = value(kind, form, "w")
            module.kernel(f"{op}_{kind}_{form}", [*lines, *more, f"%r = call {kind} @llvm.{op}.{name}({kind} {a}, {kind} {b})"], f"{kind} %r")
        forms = ("parameter", "number")
        for second, third in itertools.product(forms, forms):
            more, b = value(kind, second, "w")
            last, c = value(kind, third, "u")
            values = f"{kind} {a}, {kind} {b}, {kind} {c}"
            module.kernel(f"fma_{kind}_{second}_{third}", [*lines, *more, *last, f"%r = call {kind} @llvm.fma.{name}({values})"], f"{kind} %r")
        for first, second in itertools.product(forms, forms):
            more, b = value(kind, first, "w")
            last, c = value(kind, second, "t")
            test = [f"%less = fcmp olt {kind} {a}, {NUMBERS[kind]}", f"%r = select i1 %less, {kind} {b}, {kind} {c}"]
            module.kernel(f"select_{kind}_{first}_{second}", [*lines, *more, *last, *test], f"{kind} %r")
        for whole, cast in itertools.product(("i16", "i32", "i64"), ("sitofp", "uitofp")):
            own, number = value(whole, "sum", "v")
            module.kernel(f"{cast}_{whole}_{kind}", [*own, f"%r = {cast} {whole} {number} to {kind}"], f"{kind} %r")
            back = "fptosi" if cast == "sitofp" else "fptoui"
            module.kernel(f"{back}_{kind}_{whole}", [*lines, f"%r = {back} {kind} {a} to {whole}"], f"{whole} %r")
        for other in ("half", "float", "double"):
            if other != kind:
                cast = "fpext" if NUMBERS[other] != "0xH3C00" and (kind == "half" or other == "double") else "fptrunc"
                module.kernel(f"{cast}_{kind}_{other}", [*lines, f"%r = {cast} {kind} {a} to {other}"], f"{other} %r")
    for kind, element in (("<4 x half>", "half"), ("<4 x i16>", "i16"), ("<2 x half>", "half")):
        count = int(kind[1])
        apart = [f"%v = load {kind}, {{p}}, align 8"]
        apart += [f"%e{i} = extractelement {kind} %v, i32 {i}" for i in range(count)]
        apart += [f"store volatile {element} %e{i}, ptr addrspace(1) %out" for i in range(count)]
        module.in_each(f"load_apart_{plain(kind)}", ["generic", "global", "shared"], apart)
        build = [f"%e{i} = load volatile {element}, ptr addrspace(1) %in" for i in range(count)]
        for i in range(count):
            build.append(f"%b{i} = insertelement {kind} {f'%b{i - 1}' if i else 'poison'}, {element} %e{i}, i32 {i}")
        module.in_each(f"store_built_{plain(kind)}", ["generic", "global", "shared"], [*build, f"store {kind} %b{count - 1}, {{p}}, align 8"])


def casts(module: Module) -> None:
    """Addresses from one memory to another one, and what memory an address is of."""
    for space in (1, 3, 4, 5):
        for name, cast in (("to", f"%r = addrspacecast ptr %g to ptr addrspace({space})"), ("from", f"%r = addrspacecast ptr addrspace({space}) %l to ptr")):
            of = f"ptr addrspace({space})" if name == "to" else "ptr"
            lines = ["%g = load ptr, ptr addrspace(1) %in", f"%l = load ptr addrspace({space}), ptr addrspace(1) %in", cast]
            module.kernel(f"cast_{name}_{space}", [*lines, f"%i = ptrtoint {of} %r to i64"], "i64 %i")
    for memory in ("const", "global", "local", "shared"):
        test = f"%t = call i1 @llvm.nvvm.isspacep.{memory}(ptr %g)"
        module.in_each(f"is_{memory}", ["generic"], [test.replace("ptr %g", "{p}"), "%r = zext i1 %t to i32"], "i32 %r")


def calls(module: Module) -> None:
    """Calls with vectors as parameters, some of whose elements are numbers."""
    for kind in ("<2 x i32>", "<4 x i32>", "<2 x i64>", "<2 x float>", "<4 x float>", "<2 x double>", "<4 x i16>"):
        if MAJOR == 21 and kind == "<4 x float>":
            continue  # it dies of them
        count, element = kind.strip("<>").split(" x ")
        number = NUMBERS.get(element, "7")
        for numbers in range(2 ** int(count)):
            lines = [f"%v0 = load {element}, ptr addrspace(1) %in, align 8"]
            for i in range(int(count)):
                old = f"%a{i - 1}" if i else "poison"
                new = number if numbers >> i & 1 else "%v0"
                lines.append(f"%a{i} = insertelement {kind} {old}, {element} {new}, i32 {i}")
            call = f"%r = call {kind} @callee_{plain(kind)}({kind} %a{int(count) - 1})"
            module.kernel(f"call_{plain(kind)}_{numbers}", [*lines, call], f"{kind} %r")
        module.callees.append(f"define {kind} @callee_{plain(kind)}({kind} %x) noinline {{\n  ret {kind} %x\n}}\n")


def main() -> None:
    """Writes the modules."""
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    bulk = [bulk_copies] if MAJOR >= 22 else []
    for part in (loads_and_stores, atomics, shared_copies, *bulk, matrices, barriers, integers, floats, casts, calls):
        module = Module()
        part(module)
        (folder / f"{part.__name__.replace('_', '-')}.ll").write_text(module.text(), encoding="utf-8")


main()
