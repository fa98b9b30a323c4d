"""`sorted` and `list.sort` with a key, a function that may use the variables around it."""

from __future__ import annotations

from typing import Any

from numba.core import ir, ir_utils
from numba.extending import overload

from prunus.kernel.rewriting.consumers import CONSUMERS, Blocks, Code, Collect


def sorted_by(items, ranks, reverse):
    """The items in ascending (or descending) order of their ranks; items of equal rank keep their
    order. This is `sorted` with a key, in compiled code."""
    raise NotImplementedError


@overload(sorted_by)
def _sorted_by(items, ranks, reverse):
    def merged(items, ranks, reverse):
        order, merging = list(range(len(items))), list(range(len(items)))
        width = 1
        while width < len(items):
            for start in range(0, len(items), 2 * width):
                middle, end = min(start + width, len(items)), min(start + 2 * width, len(items))
                left, right = start, middle
                for place in range(start, end):
                    takes_right = left == middle
                    if left < middle and right < end:
                        one, other = ranks[order[left]], ranks[order[right]]
                        takes_right = one < other if reverse else other < one
                    if takes_right:
                        merging[place] = order[right]
                        right += 1
                    else:
                        merging[place] = order[left]
                        left += 1
            order, merging = merging, order
            width *= 2
        return [items[place] for place in order]

    return merged


class Sort(Collect):
    """`sorted`. As in Python, first all items are taken, then their keys are computed, and only
    then are these compared."""

    ranks: Any = None

    def takes_any(self) -> bool:
        """If there is a key."""
        return "key" in self.named

    def start(self, code: Code) -> None:
        """An empty list, and one for keys."""
        super().start(code)
        if "key" in self.named:
            self.ranks = code.variable("ranks")
            code.assign(self.ranks, ir.Expr.build_list([], code.loc))

    def finish(self, code: Code, done: int, blocks: Blocks) -> None:
        """Add the keys, in a loop over the items."""
        if "key" not in self.named:
            super().finish(code, done, blocks)
            return
        items = code.assign(code.variable("items"), ir.Expr.getiter(self.held, code.loc))
        (head, take), (body, add) = blocks.new(), blocks.new()
        code.jump(head)
        pair = take.assign(take.variable("pair"), ir.Expr.iternext(items, take.loc))
        item = take.assign(take.variable("item"), ir.Expr.pair_first(pair, take.loc))
        valid = take.assign(take.variable("valid"), ir.Expr.pair_second(pair, take.loc))
        take.body.append(ir.Branch(valid, body, done, take.loc))
        append = add.assign(add.variable("append"), ir.Expr.getattr(self.ranks, "append", add.loc))
        add.call(append, add.call(self.named["key"], item))
        add.jump(head)

    def result(self, code: Code) -> Any:
        """The sorted list."""
        if "key" not in self.named:
            return super().result(code)
        reverse = self.named.get("reverse")
        if reverse is None:
            reverse = code.constant(code.variable("reverse"), False)
        return code.call(sorted_by, self.held, self.ranks, reverse)


CONSUMERS[sorted] = Sort


def sort_in_place(func_ir: Any, label: int, i: int) -> bool:
    """Replace `items.sort(key=f)` by `items[:] = sorted(items, key=f)`; false if the call is
    something else."""
    block = func_ir.blocks[label]
    call = block.body[i].value
    if call.args or "key" not in dict(call.kws):
        return False
    method = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    if not (isinstance(method, ir.Expr) and method.op == "getattr" and method.attr == "sort"):
        return False
    code = Code(block.scope, block.body[i].loc, [])
    function = code.assign(code.variable("sorted"), ir.Global("sorted", sorted, code.loc))
    ordered = ir.Expr.call(function, [method.value], list(call.kws), code.loc)
    ordered = code.assign(code.variable("ordered"), ordered)
    nothing = code.constant(code.variable("nothing"), None)
    code.body.append(
        ir.SetItem(method.value, code.call(slice, nothing, nothing), ordered, code.loc)
    )
    code.constant(block.body[i].target, None)
    block.body[i : i + 1] = code.body
    return True
