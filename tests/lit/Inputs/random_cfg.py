"""Random control flow, and where which value may be read: for random-mir.py and random-ir.py.

Any block may branch to any but the entry: loops with several entries, edges from a block with several successors
to one with several predecessors, blocks that branch to themselves, blocks that nothing reaches.
"""


class Cfg:
    """succs[b]: the targets of a block's branches, with repetitions; none: it returns."""

    def __init__(self, rng, blocks, ways):
        self.blocks = blocks
        self.succs = []
        for b in range(blocks):
            if b + 1 == blocks or rng.random() < 0.05:
                self.succs.append([])
                continue
            targets = [rng.randrange(1, blocks) for _ in range(rng.choice(ways))]
            # Mostly to the next one, so that most blocks are reached.
            if rng.random() < 0.9:
                targets[-1] = b + 1
            self.succs.append(targets)
        self.preds = [[] for _ in range(blocks)]
        for b, targets in enumerate(self.succs):
            for t in targets:
                self.preds[t].append(b)
        self.order = self._reverse_postorder()
        self.dominators = self._dominators()

    def _reverse_postorder(self):
        seen, order = {0}, []
        stack = [(0, iter(self.succs[0]))]
        while stack:
            b, rest = stack[-1]
            for t in rest:
                if t not in seen:
                    seen.add(t)
                    stack.append((t, iter(self.succs[t])))
                    break
            else:
                order.append(b)
                stack.pop()
        return order[::-1]

    def _dominators(self):
        """By block, the blocks on all paths to it, itself too; of one that is not reached, only itself."""
        everything = set(self.order)
        dom = [set(everything) if b in everything else {b} for b in range(self.blocks)]
        dom[0] = {0}
        changed = True
        while changed:
            changed = False
            for b in self.order[1:]:
                reached = [dom[p] for p in self.preds[b] if p in everything]
                new = set.intersection(*reached) | {b}
                changed |= new != dom[b]
                dom[b] = new
        return dom

    def order_of_all(self):
        """Reverse postorder, in which dominators come first; then what is not reached."""
        return self.order + [b for b in range(self.blocks) if b not in set(self.order)]
