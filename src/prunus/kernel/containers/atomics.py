"""Atomic operations on arrays that threads share: `fetch_add`, `compare_exchange`, `atomic_load`
and `atomic_store` of `prunus.core.arrays.View` for Numba, sequentially consistent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import errors, types
from numba.extending import intrinsic, overload_method

from prunus.kernel.containers.views import ViewType, item_pointer
from prunus.kernel.numbers.integers import Number
from prunus.kernel.numbers.words import low_word

ORDER = "seq_cst"
WORD_BYTES = 8


def _suits(view: ViewType, *numbers: Any) -> bool:
    if not all(isinstance(number, Number) for number in numbers):
        return False
    if view.ndim != 1 or view.kind not in ("i64", "u64"):
        raise errors.TypingError(
            f"only arrays of i64 or u64 with one dimension have atomic operations, not {view.kind} "
            f"with {view.ndim}"
        )
    return True


def _step(emit: Callable[..., Any]) -> Callable[[Any, Any, Any, Any], Any]:
    """The emitter of one atomic operation: its item is passed as a pointer, its other arguments as
    words."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, index, *numbers = sig.args
        pointer = item_pointer(context, builder, kind, args[0], index, args[1])
        words = [
            low_word(builder, number, value)
            for number, value in zip(numbers, args[2:], strict=True)
        ]
        made = emit(builder, pointer, *words)
        return context.get_dummy_value() if sig.return_type == types.none else made

    return lower


@intrinsic
def _fetch_add(typingctx: Any, view: Any, index: Any, amount: Any) -> Any:
    return view.item(view, index, amount), _step(
        lambda builder, pointer, word: builder.atomic_rmw("add", pointer, word, ORDER)
    )


@intrinsic
def _compare_exchange(typingctx: Any, view: Any, index: Any, expected: Any, value: Any) -> Any:
    def emit(builder: Any, pointer: Any, old: Any, new: Any) -> Any:
        return builder.extract_value(builder.cmpxchg(pointer, old, new, ORDER), 0)

    return view.item(view, index, expected, value), _step(emit)


@intrinsic
def _load(typingctx: Any, view: Any, index: Any) -> Any:
    return view.item(view, index), _step(
        lambda builder, pointer: builder.load_atomic(pointer, ORDER, WORD_BYTES)
    )


@intrinsic
def _store(typingctx: Any, view: Any, index: Any, value: Any) -> Any:
    return types.none(view, index, value), _step(
        lambda builder, pointer, word: builder.store_atomic(word, pointer, ORDER, WORD_BYTES)
    )


# Numba compiles what is returned here along with its caller, which does not work for an intrinsic:
# hence the lambdas.


@overload_method(ViewType, "fetch_add")
def _of_fetch_add(view, index, amount):
    if not _suits(view, index, amount):
        return None
    return lambda view, index, amount: _fetch_add(view, index, amount)  # noqa: PLW0108


@overload_method(ViewType, "compare_exchange")
def _of_compare_exchange(view, index, expected, value):
    if not _suits(view, index, expected, value):
        return None
    return lambda view, index, expected, value: _compare_exchange(view, index, expected, value)  # noqa: PLW0108


@overload_method(ViewType, "atomic_load")
def _of_load(view, index):
    return (lambda view, index: _load(view, index)) if _suits(view, index) else None  # noqa: PLW0108


@overload_method(ViewType, "atomic_store")
def _of_store(view, index, value):
    if not _suits(view, index, value):
        return None
    return lambda view, index, value: _store(view, index, value)  # noqa: PLW0108
