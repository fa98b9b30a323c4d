"""Variables read before they have a value: compiled code raises Python's UnboundLocalError.

Numba reads such a variable as whatever its register holds. Here the assignments that certainly
precede each statement are computed (definite assignment: a forward analysis over the blocks, with
a set of variables as the bits of an integer). Only a variable that is read where it may have no
value gets a flag, which says whether it has one, and a check of the flag before such a read. Other
variables cost nothing.

Inlined functions are examined before they are inlined. There the flag is cleared where their body
begins, so that a body that runs again does not see the variables of its last run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from numba.core import errors, ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.extending import intrinsic

from prunus.kernel.reporting.raising import fail_if
from prunus.kernel.rewriting.consumers import Code
from prunus.kernel.rewriting.marks import catches, handlers_of


def unbound_text(name: str, is_free: bool) -> str:
    """Python's message for a variable without a value."""
    if is_free:
        return (
            f"cannot access free variable '{name}' where it is not associated with a value in "
            "enclosing scope"
        )
    return f"cannot access local variable '{name}' where it is not associated with a value"


_known: list[tuple[str, bool]] = []
"""The variables that are checked: their names, and whether an inner function reads them from the
function around it. Compiled code refers to them by their places here."""


@intrinsic(prefer_literal=True)
def bound(typingctx, flag, variable):
    """Raises the error for a variable, given by its number, unless its flag is set."""
    if not isinstance(variable, types.IntegerLiteral):
        return None
    name, is_free = _known[variable.literal_value]
    kind = NameError if is_free else UnboundLocalError

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        is_unset = builder.icmp_signed("==", args[0], args[0].type(0))
        fail_if(context, builder, is_unset, kind, unbound_text(name, is_free))
        return context.get_dummy_value()

    return types.none(flag, variable), lower


def _number(name: str, is_free: bool) -> int:
    """The number of a variable."""
    if (name, is_free) not in _known:
        _known.append((name, is_free))
    return _known.index((name, is_free))


def ends(value: Any) -> bool:
    """Whether an assigned value stands for the end of the variable (`del`)."""
    return isinstance(value, ir.Expr) and value.op == "undef"


class _Step(NamedTuple):
    """A statement that matters here: its place in the block, the variables it reads, the variable
    it assigns, and whether that one then has a value."""

    place: int
    reads: int
    assigned: int
    has_value: bool


class _Examined:
    """The blocks of a function with the variables that may have no value where they are read."""

    def __init__(self, func_ir: Any) -> None:
        self.blocks = func_ir.blocks
        self.skipped: set[str] = examined(func_ir)
        self.bits: dict[str, int] = {}
        self.steps = {label: list(self._steps(block)) for label, block in self.blocks.items()}
        self.handlers = handlers_of(func_ir) if catches(func_ir) else {}
        self.entering = self._flow()

    def _bit(self, name: str) -> int:
        """The bit of a variable; 0 for one that is not followed."""
        if name not in self.bits:
            followed = name[0] != "$" and name not in self.skipped
            self.bits[name] = 1 << len(self.bits) if followed else 0
        return self.bits[name]

    def _steps(self, block: Any) -> Iterator[_Step]:
        bit = self._bit
        for index, statement in enumerate(block.body):
            reads = assigned = 0
            has_value = True
            if isinstance(statement, ir.Assign):
                value, assigned = statement.value, bit(statement.target.name)
                if isinstance(value, ir.Var):
                    reads = bit(value.name)
                elif isinstance(value, ir.Expr):
                    has_value = not ends(value)
                    reads = self._of(value.list_vars())
                elif isinstance(value, ir.Yield):
                    reads = self._of(value.list_vars())
            elif not isinstance(statement, ir.Del | ir.Jump):
                reads = self._of(statement.list_vars())
            if reads or assigned:
                yield _Step(index, reads, assigned, has_value)

    def _of(self, variables: Iterable[Any]) -> int:
        found = 0
        for variable in variables:
            found |= self._bit(variable.name)
        return found

    def after(self, step: _Step, having: int) -> int:
        """The variables that have a value after a step, given those that have one before it."""
        having |= step.reads
        return having | step.assigned if step.has_value else having & ~step.assigned

    def _flow(self) -> dict[int, int]:
        """The variables that certainly have a value where each block begins."""
        everything = (1 << len(self.bits)) - 1
        entering = dict.fromkeys(self.blocks, everything)
        entering[min(self.blocks)] = 0
        work = [min(self.blocks)]
        reached = set(work)
        while work:
            label = work.pop()
            having = always = entering[label]
            for step in self.steps[label]:
                having = self.after(step, having)
                always &= having
            onwards = [(target, having) for target in self.blocks[label].terminator.get_targets()]
            if label in self.handlers:
                onwards.append((self.handlers[label], always))
            for target, coming in onwards:
                if target not in reached or coming & entering[target] != entering[target]:
                    entering[target] &= coming
                    reached.add(target)
                    work.append(target)
        return entering

    def doubtful(self) -> int:
        """The variables that are read where they may have no value."""
        found = 0
        for label, steps in self.steps.items():
            having = self.entering[label]
            for step in steps:
                found |= step.reads & ~having
                having = self.after(step, having)
        return found


def examined(func_ir: Any) -> set[str]:
    """The variables of a function that came from inlined functions and were examined there."""
    found: set[str] = func_ir.__dict__.setdefault("prunus_examined", set())
    return found


def guard_unbound(func_ir: Any) -> bool:
    """Insert the flags and the checks into a function; true if anything changed."""
    found = _Examined(func_ir)
    flagged = found.doubtful()
    steps = [step for steps in found.steps.values() for step in steps]
    if not flagged and all(step.has_value for step in steps):
        return False
    names = {bit: name for name, bit in found.bits.items() if bit & flagged}
    first = func_ir.blocks[min(func_ir.blocks)]
    start = Code(first.scope, first.loc, [])
    flags = {bit: start.constant(start.variable("bound"), 0) for bit in names}
    given = {step.assigned for step in steps if step.has_value}
    for bit, name in names.items():
        if bit not in given:
            # All its assignments were ruled out. No read gets past the check, but has a type.
            start.constant(ir.Var(first.scope, name, first.loc), 0)
    for label, block in func_ir.blocks.items():
        block.body = _guarded(found, label, names, flags)
    first.body[:0] = start.body
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    return True


def _guarded(
    found: _Examined, label: int, names: dict[int, str], flags: dict[int, Any]
) -> list[Any]:
    """The statements of a block with the flags and the checks."""
    block, having = found.blocks[label], found.entering[label]
    steps = {step.place: step for step in found.steps[label]}
    body: list[Any] = []
    for index, statement in enumerate(block.body):
        step = steps.get(index)
        if step is None:
            body.append(statement)
            continue
        code = Code(block.scope, statement.loc, body)
        for bit, name in names.items():
            if bit & step.reads & ~having:
                if getattr(statement, "reads_early", False):
                    raise _early(name.partition(".")[0], statement.loc)
                is_free = getattr(statement, "reads_free", False)
                number = _number(name.partition(".")[0], is_free)
                code.call(bound, flags[bit], code.constant(code.variable("number"), number))
        if step.has_value:
            body.append(statement)
        if step.assigned in flags:
            code.constant(flags[step.assigned], int(step.has_value))
        having = found.after(step, having)
    return body


def _early(name: str, loc: Any) -> Exception:
    """The error for a variable without a value that is handed to a function which may not ask for
    it."""
    return errors.UnsupportedError(
        f"an inner function that calls itself cannot be compiled if {name!r}, which it uses, may "
        "have no value when it is called: give it one before",
        loc,
    )


@register_pass(mutates_CFG=False, analysis_only=False)
class Unbound(FunctionPass):
    """Checks variables that may have no value, after branches that constants rule out are gone."""

    _name = "prunus_unbound"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        return guard_unbound(state.func_ir)
