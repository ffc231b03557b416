"""Puts the stores of a kernel into ascending order of addresses, in the cubin.

    python3 tests/gpu/ascending.py CUBIN KERNEL [-o OUT]    what is changed; OUT gets the cubin

Problem. Two versions of a kernel that differ in little but the order of their stores differ in time. Whether it is the order can only be measured with
code in which nothing else differs, and no option of ptxas orders stores.

Method. A *group* is a run of stores to global memory in a block of code, with the same base register and descriptor and with bytes that do not overlap.
Between them may be arithmetic of fixed latency which writes no register that an earlier store of the group reads. The group is rewritten: first
that arithmetic in its order, then the stores by offset. Each piece of arithmetic takes its control field along. The fields of the stores stay with their
places, except that the first one waits for all that any of them waited for. All of a group must set the same barrier for their registers, or
none, and none for a result: then it does not matter which store stands at which place. Marks of operands that are used again are taken away. Where a
store comes nearer to the arithmetic that makes what it reads, the instruction before it stalls for longer: until the time that ptxas had left has
passed, or that after which the result is there (`LATENCY`).

nvdisasm is then asked about the new cubin: it must have the same instructions, each as often, and outside of the groups at the same places.

Source. Control fields: Jia, Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, section 2.1; they are
the same up to sm_90. Deviation: none. Complexity: linear in the code, quadratic in the size of a group.
"""

from __future__ import annotations

import argparse
import functools
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

NVDISASM = Path(__file__).resolve().parents[2] / "build" / "cuda" / "bin" / "nvdisasm"
SIZE = 16
"""Bytes of an instruction."""
CONTROL = 105
"""The first bit of the control field; the reuse marks end it."""
STALL, WRITE_BARRIER, READ_BARRIER, WAIT, REUSE = (0, 4), (5, 3), (8, 3), (11, 6), (17, 4)
"""Where a field begins within it, and how many bits it has."""
NONE = 7
"""No barrier."""
LATENCY = {"register": 6, "predicate": 13}
"""After how many cycles the result of arithmetic is there at the latest."""
LOOKED_AT = 40
"""How many instructions before a group are asked what they make."""
SHORT = set(
    "FADD FMUL FFMA FMNMX FSEL FSETP IADD3 IADD IMAD LOP3 LOP SHF SHL SHR LEA SEL ISETP MOV PRMT VIADD VIMNMX IMNMX VIADDMNMX I2FP F2FP HADD2 "
    "HMUL2 HFMA2 IABS SGXT BMSK PLOP3".split()
)
"""Arithmetic that takes no longer than `LATENCY`."""
LINE = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?);?\s*/\* 0x[0-9a-f]{16} \*/")
STORE = re.compile(r"STG\.E(?P<type>[.\w]*) (?P<space>desc\[UR\d+\])?\[(?P<base>R\d+)(?:\.64)?(?:\+(?P<sign>-?)0x(?P<offset>[0-9a-f]+))?\],(?P<data>R\w+)$")
WIDTHS = {"": 4, "64": 8, "128": 16, "U8": 1, "S8": 1, "U16": 2, "S16": 2}


class Refused(Exception):
    """The cubin cannot be read as this program reads it."""


def get(word: int, where: tuple[int, int]) -> int:
    """Reads a control field."""
    return word >> CONTROL + where[0] & (1 << where[1]) - 1


def put(word: int, where: tuple[int, int], value: int) -> int:
    """Writes a control field."""
    mask = (1 << where[1]) - 1 << CONTROL + where[0]
    return word & ~mask | value << CONTROL + where[0]


@dataclass
class Instruction:
    """An instruction: its text without spaces and reuse marks, its 128 bits, and what it reads and writes."""

    text: str
    word: int
    is_target: bool
    """Whether a jump may lead to it."""
    predicate: str = field(init=False)
    opcode: str = field(init=False)
    operands: str = field(init=False)

    def __post_init__(self) -> None:
        found = re.fullmatch(r"(?:@!?(U?P\w+) )?(\S+)(?: (.*))?", self.text)
        if found is None:
            raise Refused(f"not understood: {self.text}")
        self.predicate, self.opcode, self.operands = found[1] or "", found[2], found[3] or ""

    @property
    def base(self) -> str:
        """The opcode without its suffixes."""
        return self.opcode.partition(".")[0]

    def store(self) -> Store | None:
        """Reads it as a store to global memory; `None` if it is something else."""
        found = STORE.match(f"{self.opcode} {self.operands}")
        if found is None:
            return None
        width = WIDTHS.get(next((one for one in found["type"].split(".") if one in WIDTHS and one), ""), 4)
        if set(found["type"].split(".")) - set(WIDTHS):
            return None  # a volatile one, or one that others see in order
        offset = int(found["offset"] or "0", 16) * (-1 if found["sign"] else 1)
        registers = {f"R{int(found['base'][1:]) + i}" for i in range(2)}
        if found["data"] != "RZ":
            registers |= {f"R{int(found['data'][1:]) + i}" for i in range(max(1, width // 4))}
        return Store(found["base"], found["space"] or "", offset, width, registers | ({self.predicate} if self.predicate else set()))

    def writes(self) -> set[str]:
        """Finds what it may write: its first registers, as many as its kind may have, and each predicate that it names."""
        names = set(re.findall(r"(?<![\w.])P\d", self.operands))
        first = re.match(r"R(\d+)", next((one for one in self.operands.split(",") if one.startswith("R")), ""))
        if first is not None:
            count = 4 if self.base not in SHORT else 2 if "WIDE" in self.opcode or "64" in self.opcode else 1
            names |= {f"R{int(first[1]) + i}" for i in range(count)}
        return names

    def is_plain(self) -> bool:
        """Finds whether it is arithmetic that may stand between stores."""
        fields = get(self.word, WRITE_BARRIER), get(self.word, READ_BARRIER)
        return self.base in SHORT and fields == (NONE, NONE) and not self.is_target


@dataclass
class Store:
    """What a store writes and reads: base register, descriptor, offset, bytes; its registers and predicate."""

    base: str
    space: str
    offset: int
    width: int
    reads: set[str]

    def overlaps(self, other: Store) -> bool:
        """Finds whether both write a byte."""
        return self.offset < other.offset + other.width and other.offset < self.offset + self.width


# ---- reading


def section(cubin: bytes, name: str) -> tuple[int, int]:
    """Finds where a section of an ELF file begins, and its size."""
    at, size, count, names = struct.unpack_from("<Q10xHHH", cubin, 40)
    headers = [struct.unpack_from("<IIQQQQ", cubin, at + i * size) for i in range(count)]
    text = headers[names][4]
    for header in headers:
        start = text + header[0]
        if cubin[start : cubin.index(b"\0", start)].decode() == name:
            return header[4], header[5]
    raise Refused(f"no section {name}")


@functools.lru_cache(maxsize=32)
def printed(cubin: bytes) -> str:
    """Has nvdisasm print a cubin."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        done = subprocess.run([str(NVDISASM), "-c", "-hex", file.name], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"nvdisasm: {done.stderr.strip()}")
    return done.stdout


def disassembled(cubin: bytes, kernel: str) -> list[tuple[str, bool]]:
    """Finds a kernel's instructions, and whether a label stands before each."""
    found: list[tuple[str, bool]] = []
    is_inside = is_target = False
    for line in printed(cubin).splitlines():
        if line.startswith("//-----"):
            is_inside = f" .text.{kernel} " in line
        elif is_inside and (instruction := LINE.match(line)):
            if int(instruction[1], 16) != SIZE * len(found):
                raise Refused(f"an instruction at {instruction[1]}")
            text = instruction[2].strip().rstrip(";").strip()
            predicate, _, rest = text.partition(" ") if text.startswith("@") else ("", "", text)
            opcode, _, operands = rest.strip().partition(" ")
            operands = operands.replace(" ", "").replace(".reuse", "")
            found.append((" ".join(filter(None, [predicate, opcode, operands])), is_target))
            is_target = False
        elif is_inside and re.match(r"^\.L_\w+:", line):
            is_target = True
    return found


# ---- ordering


def is_group(window: list[Instruction]) -> bool:
    """Finds whether a window that begins and ends with a store is a group."""
    stores: list[Store] = []
    first = window[0].store()
    assert first is not None
    barrier = get(window[0].word, READ_BARRIER)
    for number, one in enumerate(window):
        store = one.store()
        if one.is_target and number:
            return False
        if store is None:
            if not one.is_plain() or any(one.writes() & other.reads for other in stores):
                return False
            continue
        fields = get(one.word, WRITE_BARRIER), get(one.word, READ_BARRIER)
        if (store.base, store.space) != (first.base, first.space) or fields != (NONE, barrier):
            return False
        if any(store.overlaps(other) for other in stores):
            return False
        stores.append(store)
    return True


def distance(before: list[Instruction], name: str) -> tuple[int, int] | None:
    """Finds the last instruction that writes a register or a predicate: its place, and the cycles from its issue on. `None` without one, or if it has a
    barrier that is waited for.
    """
    cycles = 0
    for place in range(len(before) - 1, -1, -1):
        one = before[place]
        cycles += max(1, get(one.word, STALL))
        if one.store() is None and name in one.writes():
            return (place, cycles) if get(one.word, WRITE_BARRIER) == NONE else None
    return None


def ordered(block: list[Instruction], start: int, end: int) -> list[Instruction]:
    """Gives a block in which the group from `start` to `end` is in ascending order."""
    window = block[start:end]
    plain = [one for one in window if one.store() is None]
    slots = [one.word for one in window if one.store() is not None]
    stores = sorted((one for one in window if one.store() is not None), key=lambda one: one.store().offset)  # type: ignore[union-attr]
    wait = functools.reduce(int.__or__, (get(one, WAIT) for one in slots))
    made = [Instruction(one.text, put(one.word, REUSE, 0), False) for one in plain]
    for number, (one, slot) in enumerate(zip(stores, slots, strict=True)):
        control = slot >> CONTROL
        word = put(one.word & (1 << CONTROL) - 1 | control << CONTROL, REUSE, 0)
        made.append(Instruction(one.text, put(word, WAIT, wait) if number == 0 else word, False))
    made[0].is_target = block[start].is_target
    before = list(block[:start])
    if before:
        before[-1] = Instruction(before[-1].text, put(before[-1].word, REUSE, 0), before[-1].is_target)
    new = [*before, *made, *block[end:]]
    # No store may come too early after what makes its registers.
    for place in range(start + len(plain), end):
        store = new[place].store()
        assert store is not None
        old = next(i for i in range(start, end) if block[i].text == new[place].text)
        for name in sorted(store.reads):
            was, now = distance(block[:old], name), distance(new[:place], name)
            if was is None or now is None:
                continue
            is_short = new[now[0]].base in SHORT
            need = min(was[1], LATENCY["predicate" if name.startswith("P") else "register"]) if is_short else was[1]
            while now[1] < need:
                for i in range(place - 1, now[0] - 1, -1):
                    stall = get(new[i].word, STALL)
                    more = min(15, stall + need - now[1]) - stall
                    if more > 0:
                        new[i] = Instruction(new[i].text, put(new[i].word, STALL, stall + more), new[i].is_target)
                        break
                again = distance(new[:place], name)
                assert again is not None
                if again[1] <= now[1]:
                    raise Refused(f"{new[place].text} would come too early")
                now = again
    return new


def ascending(cubin: bytes, kernel: str) -> bytes | None:
    """Gives the cubin with the stores of a kernel in ascending order; `None` if they are, or if nothing can be moved."""
    at, size = section(cubin, f".text.{kernel}")
    texts = disassembled(cubin, kernel)
    if SIZE * len(texts) != size:
        raise Refused(f"nvdisasm prints {len(texts)} instructions of {size // SIZE}")
    code = [
        Instruction(text, int.from_bytes(cubin[at + SIZE * i : at + SIZE * (i + 1)], "little"), is_target)
        for i, (text, is_target) in enumerate(texts)
    ]
    new, moved = list(code), set[int]()
    start = 0
    while start < len(new):
        if new[start].store() is None:
            start += 1
            continue
        end = start + 1
        for place in range(start + 1, len(new)):
            if new[place].store() is not None:
                if not is_group(new[start : place + 1]):
                    break
                end = place + 1
            elif not new[place].is_plain():
                break
        offsets = [store.offset for one in new[start:end] if (store := one.store()) is not None]
        if offsets != sorted(offsets):
            # What is made before a label is not there for longer if one comes by falling through.
            first = max(0, start - LOOKED_AT)
            new[first:end] = ordered(new[first:end], start - first, end - first)
            moved |= set(range(start, end))
        start = end
    if not moved:
        return None
    made = cubin[:at] + b"".join(one.word.to_bytes(SIZE, "little") for one in new) + cubin[at + size :]
    after = disassembled(made, kernel)
    if Counter(text for text, _ in after) != Counter(text for text, _ in texts):
        raise Refused("nvdisasm finds other instructions than before")
    if any(after[i][0] != texts[i][0] for i in range(len(texts)) if i not in moved):
        raise Refused("an instruction moved that was not to")
    return made


def main() -> int:
    """Does what the command line says."""
    parser = argparse.ArgumentParser(description="Puts a kernel's stores into ascending order, in the cubin.")
    parser.add_argument("cubin", type=Path)
    parser.add_argument("kernel")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    cubin = options.cubin.read_bytes()
    made = ascending(cubin, options.kernel)
    if made is None:
        print("nothing to move")
        return 0
    old, new = (disassembled(one, options.kernel) for one in (cubin, made))
    for place, (before, after) in enumerate(zip(old, new, strict=True)):
        if before[0] != after[0]:
            print(f"{place * SIZE:#06x}  {before[0]:44} {after[0]}")
    if options.output is not None:
        options.output.write_bytes(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
