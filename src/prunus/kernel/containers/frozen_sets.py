"""Sets that never change: `frozenset(...)`.

Compiled, they are sets like others, of a type that says so: an operator makes a new set where
Python does (`a |= b`), a copy is the set itself, and nothing adds an item. The type is Numba's for
a set that Python also holds (`reflected`), which rules never have; code that is not Prunus's has
them, and means what it always meant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba.core import errors, types
from numba.core.imputils import impl_ret_borrowed
from numba.cpython import setobj
from numba.extending import intrinsic, overload

from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.pipeline.inference import is_ours


def is_frozen(kind: Any) -> bool:
    """Whether a type is that of a `frozenset` that rules made."""
    return isinstance(kind, types.Set) and bool(kind.reflected) and is_ours()


def _as_type(name: str, wanted: Any) -> Any:
    """An intrinsic that gives a set another type, `wanted(its types)`, which says whether it may
    change. It takes the set as its last argument."""

    def typed(typingctx: Any, like: Any, items: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return impl_ret_borrowed(context, builder, sig.return_type, args[1])

        return wanted(like, items)(like, items), lower

    typed.__name__ = typed.__qualname__ = name
    return intrinsic(typed)


like = _as_type("like", lambda kind, items: items.copy(reflected=is_frozen_kind(kind)))
"""A set that was just made, as one that may change if the first argument may."""

_frozen = _as_type("_frozen", lambda _, items: items.copy(reflected=True))


def is_frozen_kind(kind: Any) -> bool:
    """The same for constant sets, too."""
    return is_frozen(kind) or getattr(kind, "origin", "") == "frozenset"


@overload(frozenset)
def _frozenset(items):
    if not is_ours():
        return None
    if is_frozen_kind(items):
        return lambda items: items
    return (
        (lambda items: _frozen(None, set(items))) if isinstance(items, types.IterableType) else None
    )


def _copy(s):
    if is_frozen(s):
        return lambda s: s
    return lambda s: setobj._set_copy(s)  # noqa: PLW0108 - Numba compiles the lambda


_plain_unify = types.Set.unify


def _unify(self: Any, typingctx: Any, other: Any) -> Any:
    """What may change on one path only has no type: `|=` would have to be two things."""
    if not is_ours():
        return _plain_unify(self, typingctx, other)
    if not isinstance(other, types.Set) or self.reflected != other.reflected:
        return None
    dtype = typingctx.unify_pairs(self.dtype, other.dtype)
    return None if dtype is None else self.copy(dtype=dtype)


def _refuse(name: str, kind: Any) -> None:
    if is_frozen(kind):
        raise errors.TypingError(f"a frozenset has no {name}")


def of_what_changes(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that changes a set; frozen ones have none."""

    def changing(*args: Any) -> Any:
        _refuse(name, args[0])
        return method(*args)

    return changing


@cache
def refuse_changes() -> None:
    """Once, after Numba has loaded its own templates, whose order matters: nothing is added to a
    frozen set."""
    from numba.core.typing.setdecl import SetAttribute

    for method in ("add", "update"):
        name = f"resolve_{method}"
        setattr(SetAttribute, name, _unless_frozen(method, getattr(SetAttribute, name)))


def _unless_frozen(method: str, plain: Any) -> Any:
    def resolve(self: Any, kind: Any) -> Any:
        _refuse(method, kind)
        return plain(self, kind)

    return resolve


for _name, _function in {
    "pop": setobj.ol_set_pop,
    "clear": setobj.ol_set_clear,
    "difference_update": setobj.set_difference_update_impl,
    "intersection_update": setobj.set_intersection_update_impl,
    "symmetric_difference_update": setobj.set_symmetric_difference_update_impl,
}.items():
    replace(_function, of_what_changes(_name, original(_function)))
types.Set.unify = _unify
replace(setobj.ol_set_copy, _copy)
