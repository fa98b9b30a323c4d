"""Games for Numba: an instance of a plain Python class becomes a compile-time constant whose
methods are called directly.

Attributes that make a different game (integers, truth values and tuples of them) are folded into
the machine code. Attributes that only make different data (arrays, and those annotated `Runtime`)
are read through one pointer to a block of words, so that other data runs the same code.
"""

from __future__ import annotations

import dis
import hashlib
import inspect
import itertools
import sys
import types as pytypes
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from numba.core import errors, ir, types
from numba.core.imputils import builtin_registry, lower_cast
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from prunus.core.bits import u64
from prunus.core.game import Game
from prunus.core.knowledge.combining import sources
from prunus.core.state import is_state_class
from prunus.core.values import raw
from prunus.kernel.boards.state_making import StateClassType
from prunus.kernel.code.cached import plain_function
from prunus.kernel.code.dispatchers import dispatcher
from prunus.kernel.code.folding import by_name
from prunus.kernel.code.learnt import learnt
from prunus.kernel.code.rules import Rules, rules_of
from prunus.kernel.code.toolchain import is_known, toolchain
from prunus.kernel.compiling.blocks import block_of, places_of
from prunus.kernel.containers.classes import SUPER, ClassType, method_template, next_in_line
from prunus.kernel.containers.memory import POINTER, UNKNOWN, unbox_block
from prunus.kernel.containers.table_types import looked_up
from prunus.kernel.containers.views import ViewType, load_fixed, load_view
from prunus.kernel.numbers.results import as_result, wanted_result
from prunus.kernel.numbers.wide import Wide, constant
from prunus.kernel.numbers.wide_conversions import load_wide
from prunus.kernel.rewriting.caught import may_be_caught
from prunus.kernel.rewriting.collecting import holds_memory, shares_memory
from prunus.kernel.rewriting.yielding import ITEMS, are_values


class GameType(types.Type):
    """The compiler's type of a game: its class with its constants. `digest` names everything that
    its machine code depends on."""

    def __init__(self, game: Game, digest: str, serial: int) -> None:
        self.game = game
        self.digest = digest
        self.places = places_of(game)
        super().__init__(f"Game({type(game).__qualname__}:{digest[:16]}:{serial})")

    def __reduce__(self) -> Any:
        return _known_type, (self.digest,)

    def known(self, name: str) -> Any:
        """The value of an attribute that is a plain integer, a truth value or None, which is a
        constant to the compiler; UNKNOWN for others."""
        value = UNKNOWN if name.startswith("_") else self.constant(name)
        is_number = (
            isinstance(value, int) and not isinstance(value, u64) and -(1 << 63) <= value < 1 << 63
        )
        return value if is_number or value is None else UNKNOWN

    def constant(self, name: str) -> Any:
        """The value of an attribute that is a constant to the compiler; UNKNOWN for others."""
        is_private = name.startswith("_") and name in self.game.__dict__
        is_other = name in self.places or is_private or _is_special(self.game, name)
        return UNKNOWN if is_other else getattr(self.game, name, UNKNOWN)

    def function(self, name: str) -> Any:
        """The function that `game.name(...)` calls with the game; None if it is something else."""
        value = (
            next_in_line(self.game, name)
            if name.startswith(SUPER)
            else getattr(self.game, name, None)
        )
        is_method = isinstance(value, pytypes.MethodType) and value.__self__ is self.game
        found = raw(value.__func__) if is_method else None
        return found if isinstance(found, pytypes.FunctionType) else None


_types: WeakValueDictionary[str, GameType] = WeakValueDictionary()
"""The types in use, by digest: a type lives as long as its games, or code for them."""
_serials = itertools.count()


def _known_type(digest: str) -> GameType:
    return _types[digest]


def type_of_game(game: Game) -> GameType:
    """The compiler's type of a game by its current rules; games of the same class with the same
    constants share it."""
    rules = rules_of(game)
    known = game.__dict__.get("_prunus_type")
    if known is None or known[0] is not rules:
        block_of(game)
        known = (rules, _type_named(game, rules))
        object.__setattr__(game, "_prunus_type", known)
    kind: GameType = known[1]
    return kind


def _type_named(game: Game, rules: Rules) -> GameType:
    shape = tuple((name, str(kind)) for name, (_, kind) in places_of(game).items())
    name = hashlib.sha256(f"{toolchain()} {rules.name} {shape}".encode()).hexdigest()
    kind = _types.get(name)
    if kind is None or type(kind.game) is not type(game) or rules_of(kind.game).name != rules.name:
        # The same text loaded twice gives two classes, each with its own type; the newest answers
        # for the name. The same happens if the rules of the game that the type was made from have
        # changed.
        kind = _types[name] = GameType(game, name, next(_serials))
    return kind


def is_importable(cls: type) -> bool:
    """Whether another process can find the class by its name, or those that it is combined from, as
    the disk cache requires."""
    parts = sources(cls)
    if parts:
        return all(map(is_importable, parts))
    module = sys.modules.get(cls.__module__)
    if module is None or cls.__module__ == "__main__":
        return False
    found: Any = module
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


@typeof_impl.register(Game)
def _typeof_game(game: Any, context: Any) -> Any:
    return type_of_game(game)


@register_model(GameType)
class _GameModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, POINTER)


@unbox(GameType)
def _unbox(kind: Any, value: Any, c: Any) -> NativeValue:
    return unbox_block(value, "_prunus_address", c)


_missing = object()


def _check_methods(name: str, value: Any) -> None:
    items = value.values() if isinstance(value, dict) else value
    if isinstance(value, list | tuple | dict) and any(
        isinstance(item, pytypes.MethodType) for item in items
    ):
        raise errors.TypingError(
            f"self.{name} holds methods of the game, which cannot be compiled in: write a tuple of "
            f"functions, or {name} as a tuple in the method that uses it"
        )


def _is_special(game: Game, name: str) -> bool:
    """Whether an attribute is made by a special method when it is asked for."""
    return type(game).__getattribute__ is not object.__getattribute__ or (
        inspect.getattr_static(game, name, _missing) is _missing
    )


def _check_found(game: Game, name: str, value: Any) -> None:
    """Refuse attributes that nothing watches."""
    if _is_special(game, name):
        raise errors.TypingError(
            f"self.{name} is made by a special method, __getattr__ or __getattribute__, which "
            f"cannot be compiled: set it in __init__, or write a property"
        )
    if isinstance(value, pytypes.ModuleType) and not is_known(value.__name__):
        raise errors.TypingError(
            f"self.{name} is a module, which cannot be compiled in: use it by its own name"
        )


def _lookup(kind: GameType, name: str) -> Any:
    name = name.removeprefix(ITEMS)
    value = (
        next_in_line(kind.game, name)
        if name.startswith(SUPER)
        else getattr(kind.game, name, _missing)
    )
    if value is _missing:
        raise errors.TypingError(f"{type(kind.game).__name__} has no attribute {name!r}")
    if not name.startswith(SUPER):
        _check_found(kind.game, name, value)
    if name.startswith("_") and name in kind.game.__dict__:
        raise errors.TypingError(
            f"self.{name} begins with _, which keeps it out of compiled rules; rename it to use it "
            f"there"
        )
    _check_methods(name, value)
    if isinstance(value, list | dict | set | bytearray) and looked_up(value) is value:
        raise errors.TypingError(
            f"self.{name} is a {type(value).__name__}, which cannot be compiled in: it holds more "
            "than integers, truth values and tuples, records or lists of them"
        )
    return looked_up(constant(value))


@infer_getattr
class _GameAttributes(AttributeTemplate):
    key = GameType

    def generic_resolve(self, kind: GameType, name: str) -> Any:
        """The type of `self.name`: run-time data, a method, the State class or a constant."""
        if name in kind.places:
            return kind.places[name][1]
        value = _lookup(kind, name)
        if isinstance(value, pytypes.MethodType) and value.__self__ is kind.game:
            return types.BoundFunction(
                _method(kind, name.removeprefix(ITEMS), value.__func__, name.startswith(ITEMS)),
                kind,
            )
        if isinstance(value, pytypes.MethodType) and isinstance(value.__self__, type):
            cls = ClassType(value.__self__)
            return types.BoundFunction(method_template(cls, name, value.__func__), cls)
        if is_state_class(value):
            return StateClassType(value)
        return self.context.resolve_value_type(value)


@builtin_registry.lower_getattr_generic(GameType)
def _get_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    if name in kind.places:
        place, item = kind.places[name]
        if isinstance(item, Wide):
            return load_wide(builder, value, place, item)
        return (
            load_view(context, builder, item, value, place)
            if isinstance(item, ViewType)
            else load_fixed(builder, value, place)
        )
    constant_value = _lookup(kind, name)
    if isinstance(constant_value, pytypes.MethodType):
        return value
    if is_state_class(constant_value):
        return context.get_dummy_value()
    return context.get_constant_generic(
        builder, context.typing_context.resolve_value_type(constant_value), constant_value
    )


@lower_cast(GameType, ClassType)
def _class_of(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return context.get_dummy_value()


def _place_of_return(function: Any) -> Any:
    """The line where a method ends."""
    code = function.__code__
    lines = [
        instruction.positions.lineno
        for instruction in dis.get_instructions(code)
        if instruction.opname.startswith("RETURN_")
    ]
    return ir.Loc(
        code.co_filename, max((line for line in lines if line), default=code.co_firstlineno)
    )


# The keys keep dispatchers alive, which their types do not; a function whose meaning has changed
# has a new dispatcher.
_methods: dict[tuple[GameType, str, Any, bool], Any] = learnt()
_in_progress: list[tuple[GameType, str]] = []

CAUGHT_GENERATOR = (
    "a generator that works with a list, set or dictionary of its own cannot be compiled where a "
    "`try` around it may catch its errors: return a list of the items, or test before instead of "
    "catching the error"
)


def _call_type(function: Any, items: bool) -> Any:
    """A function that returns the dispatcher of a method for arguments of some types, and the
    signature of the call."""
    ways = {
        way: types.Dispatcher(dispatcher(function, way))
        for way in ("plain", "giving", "collecting")
    }

    def call_type(context: Any, args: Any, kws: Any) -> Any:
        way = "giving" if items and are_values((*args[1:], *kws.values())) else "plain"
        found = ways[way].get_call_type(context, args, kws)
        if holds_memory(found.return_type) and not shares_memory(found.return_type):
            if way == "plain" and may_be_caught(args[0].game, plain_function(function)):
                raise errors.TypingError(CAUGHT_GENERATOR)
            way = "plain" if way == "giving" else "collecting"
            found = ways[way].get_call_type(context, args, kws)
        return ways[way], found

    return call_type


def _method(kind: GameType, name: str, function: Any, items: bool) -> Any:
    """How a method is typed and called; `items` if only the items of its result are wanted
    (`yielding.py`)."""
    function = raw(function)
    code = dispatcher(function)
    if (kind, name, code, items) in _methods:
        return _methods[kind, name, code, items]
    call_type = _call_type(function, items)
    function = plain_function(function)
    title = function.__qualname__

    class Method(AbstractTemplate):
        key = ("prunus.Game", kind, name, code, items)

        def generic(self, args: Any, kws: Any) -> Any:
            if (kind, name) in _in_progress:
                how = "directly or through another method"
                raise errors.TypingError(f"{title} calls itself, {how}, which cannot be compiled")
            _in_progress.append((kind, name))
            try:
                _, found = call_type(self.context, (kind, *args), kws)
            finally:
                _in_progress.pop()
            method, place = name.rpartition(":")[2], partial(_place_of_return, function)
            wanted = wanted_result(method, title, found.return_type, place)
            return found.replace(return_type=wanted).as_method()

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        compiled, real = call_type(context.typing_context, *by_name(function, sig.args))
        call = context.get_function(compiled, real)
        context.add_linking_libs(getattr(call, "libs", ()))
        given = zip(args, sig.args, real.args, strict=True)
        result = call(builder, [context.cast(builder, a, f, t) for a, f, t in given])
        return as_result(context, builder, function, real.return_type, sig.return_type, result)

    cpu_target.target_context.insert_func_defn([(lower, Method.key, (types.VarArg(types.Any),))])
    _methods[kind, name, code, items] = Method
    return Method
