"""Type inference asks the same questions again and again: here an answer is given once for each compilation.

Numba goes through some twenty translations of an operator, each twice, to find the one for two integers, at every place where it stands;
and it looks for new translations before each function that it compiles. Within one compilation by Prunus the first is remembered, and the
second only done where something was added.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import errors, types
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import _OverloadFunctionTemplate


class _Plain:
    """How Numba's messages look without colours."""

    code = errmsg = filename = indicate = highlight = reset = staticmethod(lambda message: message)


class _Known(threading.local):
    calls: dict[Any, Any] | None = None


_known = _Known()


@contextmanager
def remembering() -> Iterator[None]:
    """Within this, and in this thread only, answers are remembered."""
    before, colours = _known.calls, errors._termcolor_inst
    _known.calls = {} if before is None else before
    # Types are tried out, and each that does not fit makes a message that nobody reads: colours would take longer than all the rest of it.
    errors._termcolor_inst = _Plain
    try:
        yield
    finally:
        _known.calls, errors._termcolor_inst = before, colours


def is_ours() -> bool:
    """Whether this thread compiles for Prunus."""
    return _known.calls is not None


_plain_call_type = BaseFunction.get_call_type


def _get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    calls = _known.calls
    # Functions among the arguments may be compiled only now, and come back as other types.
    if calls is None or kws or type(self) is not types.Function or any(isinstance(arg, types.Callable) for arg in args):
        return _plain_call_type(self, context, args, kws)
    key = (id(self), self, args)
    found = calls.get(key)
    if found is None:
        found = calls[key] = _plain_call_type(self, context, args, kws)
    return found


BaseFunction.get_call_type = _get_call_type  # type: ignore[method-assign]

_plain_build = _OverloadFunctionTemplate._build_impl


def _build_impl(self: Any, cache_key: Any, args: Any, kws: Any) -> Any:
    """Numba forgets some translations (of `d[k] = v`, for example) as soon as they are typed, and takes them back when memory is cleaned
    up; the answers that are remembered here still lead to them."""
    made = _plain_build(self, cache_key, args, kws)
    if _known.calls is not None:
        _known.calls["kept", id(made[0])] = made[0]
    return made


_OverloadFunctionTemplate._build_impl = _build_impl


def _install(context: Any) -> None:
    plain = context.refresh
    state: list[Any] = [None]

    def refresh() -> None:
        if _known.calls is None:
            plain()
            return
        now = _registered(context)
        if state[0] != now:
            # To look may load modules that teach more: what was there before is noted, so that the next look is not spared then.
            plain()
            state[0] = now

    context.refresh = refresh
    # Wherever Numba calls this, it calls the other one next.
    typing, plain_typing = context.typing_context, context.typing_context.refresh
    typing.refresh = lambda: None if _known.calls is not None and state[0] == _registered(context) else plain_typing()


def _registered(context: Any) -> tuple[Any, ...]:
    """How much Numba has been taught: the lengths of all its registries."""
    registries = [*context._registries, *context.typing_context._registries]
    return tuple(len(part) for registry in registries for part in vars(registry).values() if isinstance(part, list))


_install(cpu_target.target_context)
