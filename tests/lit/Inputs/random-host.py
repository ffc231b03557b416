"""Random functions without an intrinsic, for any target: arithmetic on integers, vectors and floating point in straight lines and loops, with calls.

    random-host.py SEED

Targets whose instructions overwrite an operand, such as x86, have tied operands everywhere; NVPTX has them in inline assembly only.
"""

import random
import sys

FUNCTIONS = 25
CALLED = {"i32": "i32 @i(i32, i32)", "<4 x i32>": "<4 x i32> @v(<4 x i32>, <4 x i32>)", "double": "double @d(double, double)"}
OPERATIONS = {
    "i32": ["add", "sub", "mul", "and", "or", "xor", "shl"],
    "<4 x i32>": ["add", "sub", "mul", "and", "or", "xor"],
    "double": ["fadd", "fsub", "fmul", "fdiv"],
}


class Function:
    """One function; its values have one type."""

    def __init__(self, rng: random.Random, number: int):
        self.rng = rng
        self.type = rng.choice(list(CALLED))
        self.values = [f"%a{i}" for i in range(rng.randrange(2, 6))]
        self.lines = [f"define {self.type} @f{number}({', '.join(f'{self.type} {v}' for v in self.values)}, ptr %p, i32 %k) {{", "entry:", "  br label %b0"]
        self.num_values = 0
        blocks = rng.randrange(1, 4)
        for block in range(blocks):
            self.block(block, is_loop=rng.random() < 0.5)
        self.lines += [f"b{blocks}:", f"  ret {self.type} {self.values[-1]}", "}"]

    def new(self) -> str:
        self.num_values += 1
        return f"%v{self.num_values}"

    def block(self, block: int, is_loop: bool) -> None:
        """Writes a block, which may be a loop that a load decides on."""
        before = f"b{block - 1}" if block else "entry"
        self.lines.append(f"b{block}:")
        phis = []
        if is_loop:
            for start in self.rng.sample(self.values, self.rng.randrange(1, 1 + min(3, len(self.values)))):
                phi = self.new()
                phis.append(phi)
                self.lines.append(f"  {phi} = phi {self.type} [ {start}, %{before} ], [ {phi}.next, %b{block} ]")
            self.values += phis
        for _ in range(self.rng.randrange(4, 22)):
            a, b = self.rng.choice(self.values[-8:]), self.rng.choice(self.values[-8:])
            result = self.new()
            if self.rng.random() < 0.12:
                name = CALLED[self.type].split("@")[1].split("(")[0]
                self.lines.append(f"  {result} = call {self.type} @{name}({self.type} {a}, {self.type} {b})")
            else:
                if self.type == "i32" and self.rng.random() < 0.2:
                    b = str(self.rng.randrange(1, 31))
                self.lines.append(f"  {result} = {self.rng.choice(OPERATIONS[self.type])} {self.type} {a}, {b}")
            self.values.append(result)
        for phi in phis:
            operation = "fadd" if self.type == "double" else "xor"
            self.lines.append(f"  {phi}.next = {operation} {self.type} {self.values[-1]}, {self.rng.choice(self.values[-6:])}")
        if is_loop:
            self.lines += [f"  %q{block} = load volatile i32, ptr %p", f"  %c{block} = icmp slt i32 %q{block}, %k"]
            self.lines.append(f"  br i1 %c{block}, label %b{block}, label %b{block + 1}")
        else:
            self.lines.append(f"  br label %b{block + 1}")


def main() -> None:
    """Writes a module to standard output."""
    rng = random.Random(int(sys.argv[1]))
    print("\n".join(f"declare {called}" for called in CALLED.values()))
    for number in range(FUNCTIONS):
        print("\n".join(Function(rng, number).lines))


main()
