"""Type inference asks the same questions over and over; here each is answered once per compilation.

To find the translation of an operator for two integers, Numba tries some twenty translations, each
twice, at every place where the operator occurs. It also looks for new translations before each
function that it compiles. During a compilation by Prunus the answers to the first are remembered,
and the second happens only after something was added.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import errors, ir, types
from numba.core.registry import cpu_target
from numba.core.typeinfer import GetAttrConstraint, PairFirstConstraint, Propagate, TypeInferer
from numba.core.types.functions import BaseFunction
from numba.core.typing import context as typing_context
from numba.core.typing.context import BaseContext
from numba.core.typing.templates import _OverloadFunctionTemplate


class _Known(threading.local):
    calls: dict[Any, Any] | None = None


_known = _Known()


@contextmanager
def remembering() -> Iterator[None]:
    """Within this context, and in this thread only, answers are remembered."""
    before = _known.calls
    _known.calls = {} if before is None else before
    try:
        yield
    finally:
        _known.calls = before


def remembered(question: str, about: Any, answer: Callable[[], Any]) -> Any:
    """The answer to a question, computed once per compilation."""
    if _known.calls is None:
        return answer()
    key = (question, about)
    if key not in _known.calls:
        _known.calls[key] = answer()
    return _known.calls[key]


def is_ours() -> bool:
    """Whether this thread compiles for Prunus."""
    return _known.calls is not None


_plain_call_type = BaseFunction.get_call_type


def _get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    calls = _known.calls
    # Functions among the arguments may only be compiled now, and come back as other types.
    if (
        calls is None
        or kws
        or type(self) is not types.Function
        or any(isinstance(arg, types.Callable) for arg in args)
    ):
        return _plain_call_type(self, context, args, kws)
    key = (id(self), self, args)
    found = calls.get(key)
    if found is None:
        found = calls[key] = _plain_call_type(self, context, args, kws)
    return found


BaseFunction.get_call_type = _get_call_type  # type: ignore[method-assign]

_plain_attribute = BaseContext.find_matching_getattr_template


def _find_attribute(self: Any, kind: Any, name: str) -> Any:
    calls = _known.calls
    if calls is None:
        return _plain_attribute(self, kind, name)
    if isinstance(kind, types.Tuple) and any(isinstance(item, types.Literal) for item in kind):
        # A method cannot be typed for a constant tuple whose type tells its items.
        kind = types.unliteral(kind)
    key = (kind, name)
    found = calls.get(key)
    if found is None:
        found = calls[key] = _plain_attribute(self, kind, name)
    return found


BaseContext.find_matching_getattr_template = _find_attribute

_plain_build = _OverloadFunctionTemplate._build_impl


def _build_impl(self: Any, cache_key: Any, args: Any, kws: Any) -> Any:
    """Numba forgets some translations (of `d[k] = v`, for example) as soon as they are typed, and
    takes them back when memory is cleaned up; the answers remembered here still lead to them."""
    made = _plain_build(self, cache_key, args, kws)
    if _known.calls is not None:
        _known.calls["kept", id(made[0])] = made[0]
    return made


_OverloadFunctionTemplate._build_impl = _build_impl


_plain_refine = GetAttrConstraint.refine


def _refine(self: Any, inference: Any, kind: Any) -> None:
    """Numba asserts that it knows the object of a method that it looked for in vain before. Of an
    empty list it may know the list but not yet the items."""
    if not (isinstance(kind, types.BoundFunction) and not kind.this.is_precise()):
        _plain_refine(self, inference, kind)


GetAttrConstraint.refine = _refine


_plain_first = PairFirstConstraint.__call__


def _first_of_pair(self: Any, inference: Any) -> None:
    """Numba asserts that it knows the item of a loop as soon as it knows the loop. Of lists that
    are still empty, `for found in (mine, theirs)`, it gets to know the items later, and asks
    again."""
    pairs = inference.typevars[self.pair.name].get()
    if not any(
        isinstance(kind, types.Pair)
        and not isinstance(kind.first_type, types.UndefinedFunctionType)
        and not kind.first_type.is_precise()
        for kind in pairs
    ):
        _plain_first(self, inference)


PairFirstConstraint.__call__ = _first_of_pair


def _copy(error: Any) -> Any:
    made = copy.copy(error)
    made._contexts = list(error.contexts)
    return made


def _mark(self: Any, error: Any) -> None:
    """Numba remembers that types do not fit, and the error. It gathers the lines of all places
    where it is raised, and the first one, which may have been left out, would be shown for all."""
    _plain_mark(self, _copy(error))


def _replay(self: Any) -> Any:
    if self._exc is not None:
        raise _copy(self._exc)
    return _plain_replay(self)


_failures: Any = getattr(typing_context, "_ResolveCache", None)
if _failures is not None:  # not in older versions
    _plain_mark, _plain_replay = _failures.mark_error, _failures.replay_failure
    _failures.mark_error, _failures.replay_failure = _mark, _replay


_BEGUN = (types.Set, types.DictType)
"""The types of containers that may begin empty."""


class _Sources:
    """The assignments of a variable that has several: what is found out about its type holds for
    all of their sources. Numba remembers the last one."""

    def __init__(self, *assigned: Any) -> None:
        self.assigned = list(assigned)

    def refine(self, inference: Any, kind: Any) -> None:
        """Tell all sources of a set or dictionary; of others, the last, as Numba does."""
        told = self.assigned if isinstance(kind, _BEGUN) else self.assigned[-1:]
        for assignment in told:
            assignment.refine(inference, kind)


_plain_propagate = Propagate.__call__


def _propagate(self: Any, inference: Any) -> None:
    before = inference.refine_map.get(self.dst)
    _plain_propagate(self, inference)
    if isinstance(before, _Sources):
        if self not in before.assigned:
            before.assigned.append(self)
        inference.refine_map[self.dst] = before
    elif isinstance(before, Propagate) and before is not self:
        inference.refine_map[self.dst] = _Sources(before, self)
    made, known = inference.typevars[self.dst].type, inference.typevars[self.src].type
    if isinstance(known, _BEGUN) and made.is_precise() and not known.is_precise():
        self.refine(inference, made)


Propagate.__call__ = _propagate


class _Taught:
    """A mark of what Numba has been taught so far: the lengths of the lists in all its
    registries."""

    def __init__(self, context: Any) -> None:
        self.owners = (context, context.typing_context)
        self.parts: list[tuple[Any, Any, list[Any]]] = []
        self.registries: tuple[int, ...] = ()
        self.seen: tuple[int, ...] | None = None

    def now(self) -> tuple[int, ...]:
        """The current lengths."""
        registries = tuple(len(owner._registries) for owner in self.owners)
        if registries != self.registries:
            found = (
                (owner, registry, vars(registry).values())
                for owner in self.owners
                for registry in owner._registries
            )
            self.parts = [
                (owner, registry, part)
                for owner, registry, parts in found
                for part in parts
                if isinstance(part, list)
            ]
            self.registries = registries
        return tuple([len(part) for _, _, part in self.parts])

    def knows_all(self, now: tuple[int, ...]) -> bool:
        """Whether every registry has been looked at, if not everything now in it."""
        return self.seen is not None and len(self.seen) == len(now)

    def add_new(self, now: tuple[int, ...]) -> None:
        """Tell the contexts what was added to registries that they know."""
        for (owner, registry, _), before, after in zip(
            self.parts, self.seen or (), now, strict=True
        ):
            if before != after:
                owner.install_registry(registry)


def _install(context: Any) -> None:
    plain, taught = context.refresh, _Taught(context)

    def refresh() -> None:
        if _known.calls is None:
            plain()
            return
        now = taught.now()
        if not taught.knows_all(now):
            # Looking may load modules that teach more. The state before is recorded, so that the
            # next look is not skipped.
            plain()
        else:
            taught.add_new(now)
        taught.seen = now

    context.refresh = refresh
    # Wherever Numba calls this one, it calls the other next.
    typing, plain_typing = context.typing_context, context.typing_context.refresh
    typing.refresh = lambda: (
        None if _known.calls is not None and taught.knows_all(taught.now()) else plain_typing()
    )


_install(cpu_target.target_context)


_plain_global = TypeInferer.typeof_global


def _type_of_global(self: Any, inst: Any, target: Any, gvar: Any) -> Any:
    """Numba looks for a name whose value has no type in the module of the function, and calls it
    undefined; what is inlined may come from another module."""
    if gvar.value is not ir.UNDEFINED and gvar.name not in self.func_id.func.__globals__:
        try:
            self.resolve_value_type(inst, gvar.value)
        except errors.TypingError as error:
            error.patch_message(f"Untyped global name '{gvar.name}': {error}")
            raise
    return _plain_global(self, inst, target, gvar)


TypeInferer.typeof_global = _type_of_global
