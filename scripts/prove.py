"""Has a solver prove the statements that scripts/prove makes of the rules."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Iterator

import z3

TIMEOUT_S = 120
"""A case that takes longer is not proved."""

Claim = dict[str, str]


@dataclasses.dataclass
class Case:
    """A path through the code of a rule."""

    terms: list[str]
    given: list[Claim]
    conditions: list[Claim]
    goal: str

    def counterexample(self, given: str = "exact", conditions: str = "exact") -> str | None:
        """Finds numbers for which the goal is false; `None` if it always holds. `weak` claims instead of `exact` ones, `none` at all."""
        kinds = ((self.given, given), (self.conditions, conditions))
        claims = [claim[kind] for claims, kind in kinds if kind != "none" for claim in claims]
        solver = z3.SolverFor("QF_BV")
        solver.set("timeout", TIMEOUT_S * 1000)
        solver.from_string("\n".join([*self.terms, *(f"(assert {claim})" for claim in claims), f"(assert (not {self.goal}))"]))
        answer = solver.check()
        if answer == z3.unsat:
            return None
        if answer == z3.unknown:
            return f"unknown: {solver.reason_unknown()}"
        model = solver.model()
        # Defined terms are in a model as well, not as numbers.
        declared = {term.split()[1] for term in self.terms if term.startswith("(declare-const ")}
        numbers = sorted((d.name(), model[d].as_long()) for d in model.decls() if d.name() in declared)
        return ", ".join(f"{name} = {number:#x}" for name, number in numbers)


@dataclasses.dataclass
class Statement:
    """A rule."""

    rule: str
    bits: int
    cases: list[Case]

    def condition(self) -> str:
        """Shows the conditions of the rule: those of one of the first paths that have any."""
        with_any = [case.conditions for case in self.cases if case.conditions]
        first = with_any[min(1, len(with_any) - 1)] if with_any else []
        ways = len({json.dumps(case.conditions) for case in self.cases})
        return " and ".join(c["shown"] for c in first) + (f" (one of {ways} ways)" if first and ways > 1 else "") or "none"

    def counterexample(self, given: str = "exact", conditions: str = "exact") -> str | None:
        """Finds numbers for which one of the cases is false."""
        return next((found for case in self.cases if (found := case.counterexample(given, conditions))), None)

    def control(self) -> str | None:
        """Says which weaker rule has no counterexample though it must have one."""
        if not is_number(self.counterexample(given="weak")):
            return "no counterexample with weaker operands"
        if any(case.conditions for case in self.cases) and not (
            is_number(self.counterexample(conditions="weak")) or is_number(self.counterexample(conditions="none"))
        ):
            return "no counterexample without the conditions"
        return None


def is_number(found: str | None) -> bool:
    """Whether this is a counterexample."""
    return found is not None and not found.startswith("unknown")


def read(path: str) -> Iterator[Statement]:
    """Reads statements, a line of JSON each."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            statement = json.loads(line)
            yield Statement(statement["rule"], statement["bits"], [Case(**case) for case in statement["cases"]])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("statements")
    parser.add_argument("--controls", action="store_true")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    failed = number = 0
    for statement in read(args.statements):
        if args.only not in statement.rule:
            continue
        number += 1
        start = time.monotonic()
        found = statement.counterexample()
        result = f"proved at {statement.bits} bits" if found is None else f"NOT PROVED: {found}"
        if found is None and args.controls:
            wrong = statement.control()
            result += ", weakened: counterexample" if wrong is None else f", WEAKENED: {wrong}"
            found = wrong
        failed += found is not None
        columns = (
            f"{statement.rule:<64}",
            statement.condition(),
            f"{len(statement.cases)} cases",
            result,
            f"{time.monotonic() - start:.1f} s",
        )
        print(" | ".join(columns), flush=True)
    if number == 0:
        print(f"no rule's name has '{args.only}'", file=sys.stderr)
        return 1
    print(f"{number - failed} of {number} rules proved")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
