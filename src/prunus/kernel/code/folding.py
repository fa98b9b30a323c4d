"""Arguments of calls and the parameters that they belong to, where some parameters are given by
keyword only.

Numba takes the last positional arguments of a call for those parameters, because its own functions
are sometimes called so: `f(3, 4)` of `def f(n, k=1, *, more=2)` had `more` = 4.
"""

from __future__ import annotations

from inspect import Parameter
from typing import Any

from numba.core import dispatcher, types, typing
from numba.core.errors import TypingError
from numba.core.typing import templates

_plain = templates.fold_arguments


def fold_arguments(pysig: Any, args: Any, kws: Any, normal: Any, default: Any, rest: Any) -> Any:
    """One value for each parameter of a signature, in its order, as Python assigns the arguments:
    what `normal`, `default` and `rest` (of `*args`) return for the number of the parameter, the
    parameter, and what it was given. Raises TypingError if the arguments do not fit."""
    parameters = pysig.parameters.values()
    if not any(parameter.kind is Parameter.KEYWORD_ONLY for parameter in parameters):
        return _plain(pysig, args, kws, normal, default, rest)
    try:
        given = pysig.bind(*args, **dict(kws)).arguments
    except TypeError as error:
        raise TypingError(f"the arguments do not fit {pysig}: {error}") from None
    found = []
    for place, parameter in enumerate(parameters):
        if parameter.kind is Parameter.VAR_POSITIONAL:
            items = given.get(parameter.name, ())
            if len(items) == 1 and isinstance(items[0], types.StarArgTuple | types.StarArgUniTuple):
                items = tuple(items[0])
            found.append(rest(place, parameter, items))
        elif parameter.name in given:
            found.append(normal(place, parameter, given[parameter.name]))
        else:
            found.append(default(place, parameter, parameter.default))
    return tuple(found)


def by_name(function: Any, kinds: Any) -> tuple[Any, dict[str, Any]]:
    """One type for each parameter of a function, divided into those that a call gives by position
    and those that it must give by name."""
    code = function.__code__
    count = code.co_kwonlyargcount
    if not count:
        return kinds, {}
    names = code.co_varnames[code.co_argcount : code.co_argcount + count]
    return kinds[:-count], dict(zip(names, kinds[-count:], strict=True))


typing.fold_arguments = dispatcher.fold_arguments = fold_arguments
