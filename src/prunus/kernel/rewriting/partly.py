"""Functions of `itertools` that give only some of the items (`islice`, `takewhile`, `dropwhile`,
`filterfalse`), and `accumulate` with a function of the rules, in Numba's intermediate code:
generators that take the same items, no earlier and no more of them, since the rest of an iterator
may be used afterwards."""

from __future__ import annotations

import itertools
import sys
from typing import Any

from numba.core import errors, ir, types
from numba.extending import overload

from prunus.kernel.numbers.wide import AnyNumber
from prunus.kernel.numbers.wide_functions import as_index
from prunus.kernel.rewriting.consumers import Code


def _code(function: Any) -> Any:
    """The code of the generator in a function."""
    return next(code for code in function.__code__.co_consts if hasattr(code, "co_code"))


def _while_true(test):
    def take(items):
        for item in items:
            if not test(item):
                return
            yield item

    return take


def _from_false(test):
    def take(items):
        dropping = True
        for item in items:
            if dropping and test(item):
                continue
            dropping = False
            yield item

    return take


def _slice(start, stop, step, end):
    def take(items):
        # Python goes on to the next item that is wanted, or to `stop`, when it is asked for it.
        count, wanted = 0, start
        if end > 0:
            for item in items:
                if count == wanted:
                    wanted = wanted + step if step < stop - wanted else stop
                    yield item
                count += 1
                if count >= wanted and count >= stop:
                    return

    return take


def _results(test):
    def take(items):
        total, begun = 0, False
        for item in items:
            total = test(total, item) if begun else item
            begun = True
            yield total

    return take


_TESTED = {
    itertools.takewhile: _code(_while_true),
    itertools.dropwhile: _code(_from_false),
    itertools.filterfalse: _code(lambda test, items: (item for item in items if not test(item))),
    itertools.accumulate: _code(_results),
}

_SLICED = _code(_slice)

CODES = (*_TESTED.values(), _SLICED)
"""The codes of the generators."""

PARTLY: tuple[Any, ...] = (*_TESTED, itertools.islice)
"""The functions that `take_partly` knows; `accumulate` with other functions than those of the rules
is compiled elsewhere."""


def take_partly(code: Code, function: Any, call: Any, generators: set[str]) -> Any:
    """The call of the generator that gives the same items as the call of one of these functions,
    after what is computed before it; None for other numbers of arguments. `generators` are the
    variables that hold generators, whose iterators they are themselves."""
    if function is not itertools.islice:
        if len(call.args) != 2:
            return None
        is_first = function is not itertools.accumulate
        test, items = call.args if is_first else call.args[::-1]
        iterator = items if items.name in generators else iterator_of(code, items)
        return make_generator(code, _TESTED[function], {"test": test}, iterator)
    if not 2 <= len(call.args) <= 4:
        return None
    items, *given = call.args
    nothing = code.constant(code.variable("nothing"), None)
    start, stop, step = (nothing, *given, nothing) if len(given) == 1 else (*given, nothing)[:3]
    limits = {}
    for name, value, least, otherwise in (
        ("start", start, 0, 0),
        ("stop", stop, 0, sys.maxsize),
        ("step", step, 1, 1),
    ):
        bounds = (code.constant(code.variable("bound"), each) for each in (least, otherwise))
        limits[name] = code.call(limit, value, *bounds)
    limits["end"] = code.call(max, limits["start"], limits["stop"])
    iterator = items if items.name in generators else iterator_of(code, items)
    return make_generator(code, _SLICED, limits, iterator)


def iterator_of(code: Code, items: Any) -> Any:
    """A variable with an iterator over items."""
    return code.assign(code.variable("iterator"), ir.Expr.getiter(items, code.loc))


def make_generator(code: Code, made: Any, held: dict[str, Any], iterator: Any) -> Any:
    """The call of a generator whose code is `made`; `held` are the variables that it reads."""
    closure = None
    if made.co_freevars:
        parts = [held[name] for name in made.co_freevars]
        closure = code.assign(code.variable("closure"), ir.Expr.build_tuple(parts, code.loc))
    maker = code.assign(
        code.variable("maker"), ir.Expr.make_function("<genexpr>", made, closure, None, code.loc)
    )
    return ir.Expr.call(maker, [iterator], (), code.loc)


def limit(value, least, otherwise):
    """One of the numbers of `islice` in compiled code; `otherwise` in place of None."""
    raise NotImplementedError


@overload(limit)
def _limit(value, least, otherwise):
    if isinstance(value, types.NoneType):
        return lambda value, least, otherwise: otherwise
    if not isinstance(value, AnyNumber):
        raise errors.TypingError(
            "islice() takes numbers, or None where it is written: give it `len(items)`, or a "
            "number no less, for no end"
        )

    def checked(value, least, otherwise):
        if value < least or value > sys.maxsize:
            raise ValueError("islice() takes no negative numbers, and a step of at least 1")
        if least == 1 and value > sys.maxsize // 2:
            raise OverflowError("a step of islice() is too long for compiled code")
        return as_index(value)

    return checked


def _know(function: Any) -> None:
    """Let the type of a function be known, which is written out wherever it is called."""

    @overload(function)
    def passed_on(*given):
        return None


for _function in PARTLY:
    if _function is not itertools.accumulate:
        _know(_function)
