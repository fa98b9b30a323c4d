"""Which values may be the same list, in a function and in the functions that it calls, and which of
those lists are made longer or shorter.

Two values that may be one belong to one class, and so do all items of a container. The statements
are read once, in any order (B. Steensgaard, "Points-to analysis in almost linear time", POPL 1996).
A function of the rules is followed where it may get or return a list that matters; each call has
variables of its own. What cannot be seen counts as changing the lists that it gets.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import errors, ir, ir_utils, types

from prunus.kernel.containers.classes import resolve_super
from prunus.kernel.containers.resizing import RESIZING
from prunus.kernel.containers.sequences import SizedList
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.called import METHODS, effect_of
from prunus.kernel.rewriting.calls import function_behind
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.escapes import definition, statements
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.inlining import global_value
from prunus.kernel.rewriting.loose import stays_here
from prunus.kernel.rewriting.value_classes import Classes

ADDING = ("append", "appendleft", "insert")
"""The methods that put a list among others."""

MOST = 200
"""The most calls that are followed with variables of their own."""


_JOINING = (
    *(operator.add, operator.mul, operator.or_, operator.and_, operator.sub, operator.xor),
    *(operator.iadd, operator.imul, operator.ior, operator.iand, operator.isub, operator.ixor),
)
"""Operators whose results hold items of both sides."""


class _Frame:
    """One function that is followed: its code, the types of its arguments (None: unknown) and the
    frame it is called from."""

    def __init__(self, func_ir: Any, kinds: Any, function: Any, outer: _Frame | None) -> None:
        self.func_ir, self.kinds, self.function, self.outer = func_ir, kinds, function, outer
        self.names: dict[str, int] = {}
        self.parameters: dict[int, int] = {}
        self.waiting: list[tuple[Any, Any]] = []
        """The calls of functions of the rules that are not followed yet, and the functions."""


class Aliases:
    """The classes of the values of one function whose arguments have these types."""

    def __init__(self, func_ir: Any, args: Any) -> None:
        self.classes = Classes()
        self._bodies: dict[Any, Any] = {}
        self._shared: dict[Any, _Frame] = {}
        self._top = _Frame(func_ir, args, func_ir.func_id.func, None)
        self._frames = [self._top]
        self._replaced: list[int] = []
        self._added: list[int] = []
        self._tuples: list[tuple[_Frame, Any]] = []
        self._read(self._top)
        for place, kind in enumerate(args):
            self._note_sized(self._parameter(self._top, place), kind)
        while not is_of_search(self._top.function) and self._follow():
            pass
        for one in set(map(self.classes.find, self._replaced + self._added)):
            # A list of lists that become tuples expects their length where they are put there.
            if one in self.classes.measured and not self._is_tuple_made(one):
                self._change(one, self)

    def is_resized(self, variable: Any) -> bool:
        """Whether a list may be made longer or shorter after it was made."""
        return bool(self.changes(variable))

    def changes(self, variable: Any) -> set[int]:
        """The expressions and statements that do so, by their `id`."""
        return self.classes.changes.get(self._class(self._top, variable), set())

    def take_as_made(self, variable: Any, filling: set[int]) -> None:
        """Let a list count as made when some of these expressions have filled it."""
        self.changes(variable).difference_update(filling)

    def is_put_in_place(self, variable: Any) -> bool:
        """Whether a list may take the place of another one in a list of lists."""
        one = self._class(self._top, variable)
        return any(self.classes.find(other) == one for other in self._replaced)

    def becomes_tuple(self, variable: Any) -> bool:
        """Whether a list, or one that may be in its place, becomes a tuple that may not be a list
        as well."""
        return self._is_tuple_made(self._class(self._top, variable))

    def _is_tuple_made(self, one: int) -> bool:
        return one in self.classes.made_tuple and any(
            self._class(frame, statement.value.args[0]) == one
            and not stays_here(frame.func_ir, statement)
            for frame, statement in self._tuples
        )

    def is_sized(self, variable: Any) -> bool:
        """Whether the type of a list may remember its length."""
        return self._class(self._top, variable) in self.classes.sized

    def _class(self, frame: _Frame, variable: Any) -> int:
        name = variable.name if isinstance(variable, ir.Var) else variable
        if name not in frame.names:
            frame.names[name] = self.classes.new()
        return self.classes.find(frame.names[name])

    def _parameter(self, frame: _Frame, place: int) -> int:
        if place not in frame.parameters:
            frame.parameters[place] = self.classes.new()
        return frame.parameters[place]

    def _note_sized(self, one: int, kind: Any) -> None:
        if isinstance(kind, SizedList):
            self.classes.sized.add(self.classes.find(one))
        parts = getattr(kind, "types", None) if isinstance(kind, types.BaseTuple) else None
        for part in parts or ([kind.dtype] if isinstance(kind, types.List) else []):
            self._note_sized(self.classes.items(one), part)

    # Statements.

    def _read(self, frame: _Frame) -> None:
        for _, _, statement in statements(frame.func_ir):
            if isinstance(statement, ir.Assign):
                self._read_assignment(frame, statement)
            elif isinstance(statement, ir.Return):
                self.classes.join(self._class(frame, ""), self._class(frame, statement.value))
            elif isinstance(statement, ir.SetItem | ir.StaticSetItem):
                target, value = (
                    self._class(frame, each) for each in (statement.target, statement.value)
                )
                if _is_slice(frame.func_ir, statement):
                    self._change(target, statement)
                    value = self.classes.items(value)
                self.classes.join(self.classes.items(target), value)
                self._replaced.append(value)
            elif isinstance(statement, ir.DelItem):
                self._change(self._class(frame, statement.target), statement)

    def _change(self, one: int, what: Any) -> None:
        self.classes.changes.setdefault(self.classes.find(one), set()).add(id(what))

    def _read_assignment(self, frame: _Frame, statement: Any) -> None:
        value, made = statement.value, self._class(frame, statement.target)
        if isinstance(value, ir.Var):
            self.classes.join(made, self._class(frame, value))
        elif isinstance(value, ir.Arg):
            self.classes.join(made, self._parameter(frame, value.index))
        elif isinstance(value, ir.Yield):
            given = self.classes.items(self._class(frame, ""))
            self.classes.join(given, self._class(frame, value.value))
        elif isinstance(value, ir.Expr):
            self._read_expression(frame, made, value)
            if value.op == "call" and global_value(frame.func_ir, value.func) is tuple:
                self._tuples += [(frame, statement)] if value.args else []

    def _read_expression(self, frame: _Frame, made: int, value: Any) -> None:
        join, items = self.classes.join, self.classes.items
        if value.op in ("cast", "getiter", "iternext", "exhaust_iter", "phi"):
            for source in value.list_vars():
                join(made, self._class(frame, source))
        elif value.op in ("pair_first", "getitem", "static_getitem", "getattr"):
            if value.op == "getattr" and _is_constant(frame, value):
                return
            source = self._class(frame, value.value)
            is_slice = "getitem" in value.op and _is_slice(frame.func_ir, value)
            join(items(made) if is_slice else made, items(source))
            if is_slice:
                self.classes.measured.add(self.classes.find(made))
            if value.op == "getattr" and value.attr in RESIZING:
                self._change(source, value)
        elif value.op in ("build_list", "build_tuple", "build_set"):
            for item in value.items:
                join(items(made), self._class(frame, item))
        elif value.op == "build_map":
            for pair in value.items:
                self.classes.mix(items(made), *(self._class(frame, each) for each in pair))
        elif value.op in ("binop", "inplace_binop"):
            self._read_operator(frame, made, value)
        elif value.op == "make_function":
            if set(value.code.co_names) & RESIZING:
                held = self._class(frame, value.closure) if value.closure is not None else made
                self._change(items(held), value)
        elif value.op == "call":
            self._read_call(frame, made, value)

    def _read_operator(self, frame: _Frame, made: int, value: Any) -> None:
        sides = [self._class(frame, side) for side in (value.lhs, value.rhs)]
        if value.op == "inplace_binop":
            if value.fn in (operator.iadd, operator.imul):
                self._change(sides[0], value)
            self.classes.join(made, sides[0])
        for side in sides if meant(value) in _JOINING else ():
            self.classes.join(self.classes.items(made), self.classes.items(side))
        if meant(value) is operator.add:
            self.classes.measured.add(self.classes.find(made))
        if meant(value) is operator.mul and _is_written_list(frame.func_ir, value.lhs):
            self.classes.sized.add(self.classes.find(made))

    # Calls.

    def _read_call(self, frame: _Frame, made: int, call: Any) -> None:
        function, owner = function_behind(frame.func_ir, call.func, frame.kinds)
        if function is not None and call.vararg is None and not effect_of(function):
            frame.waiting.append((call, (function, _given(function, owner, call), made)))
            return
        given = [self._class(frame, each) for each in (*call.args, *(v for _, v in call.kws))]
        given += [] if call.vararg is None else [self._class(frame, call.vararg)]
        method = definition(frame.func_ir, call.func)
        function = global_value(frame.func_ir, call.func)
        if function is None and isinstance(method, ir.Expr) and method.op == "getattr":
            owner = self.classes.items(self._class(frame, method.value))
            if method.attr in METHODS:
                self._added += given if method.attr in ADDING else ()
                METHODS[method.attr](self.classes, made, owner, given)
                return
        effect = effect_of(function)
        if effect:
            effect(self.classes, made, given)
        else:
            for one in given:
                self._change(one, call)
            self.classes.mix(made, *given)
        if function is list:
            self.classes.sized.add(self.classes.find(made))
        elif function is sorted:
            self.classes.measured.add(self.classes.find(made))
        elif function is tuple and given:
            self.classes.made_tuple.add(self.classes.find(given[0]))

    def _follow(self) -> bool:
        """Follow the calls that matter; false if none is left."""
        done, passed_on = False, self._passed_on()
        for frame in list(self._frames):
            waiting, frame.waiting = frame.waiting, []
            for call, (function, given, made) in waiting:
                passed = [self._class(frame, value) for value in given.values()]
                if self._matters(passed, made) or passed_on & self.classes.within(made):
                    self._enter(frame, call, function, given, made)
                    done = True
                else:
                    frame.waiting.append((call, (function, given, made)))
        return done

    def _matters(self, passed: list[int], made: int) -> bool:
        """Whether a call gets a list whose length may be known, or returns one that is made longer
        or shorter."""
        within = set[int]().union(*map(self.classes.within, passed))
        return bool(within & (self.classes.sized | self.classes.made_tuple)) or any(
            self.classes.changes.get(one) for one in self.classes.within(made)
        )

    def _passed_on(self) -> set[int]:
        """The classes of what calls that are not followed yet get from here."""
        return {
            self._class(self._top, value)
            for _, (_, given, _) in self._top.waiting
            for value in given.values()
        }

    def _enter(
        self, outer: _Frame, call: Any, function: Any, given: dict[int, Any], made: int
    ) -> None:
        frame = self._frame(outer, function, given)
        for place, value in given.items():
            one = self._class(outer, value)
            if frame is None or place < 0:
                self._change(one, call)
            else:
                self.classes.join(self._parameter(frame, place), one)
        if frame is not None:
            self.classes.join(self._class(frame, ""), made)

    def _frame(self, outer: _Frame, function: Any, given: dict[int, Any]) -> _Frame | None:
        """The frame of a call: that of an earlier one if the function calls itself, or if there are
        many; None if the function cannot be read."""
        within: _Frame | None = outer
        while within is not None:
            if within.function is function:
                return within
            within = within.outer
        if len(self._frames) > MOST and function in self._shared:
            return self._shared[function]
        body = self._body(function)
        if body is None:
            return None
        kinds: list[Any] = [None] * body.arg_count
        for place, value in given.items():
            found = definition(outer.func_ir, value)
            if isinstance(found, ir.Arg):
                kinds[place] = outer.kinds[found.index]
        frame = self._shared[function] = _Frame(body, kinds, function, outer)
        self._frames.append(frame)
        self._read(frame)
        return frame

    def _body(self, function: Any) -> Any:
        if function not in self._bodies:
            try:
                func_ir = intermediate(function)
                inline_closures(func_ir)
                resolve_super(func_ir)
                func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
            except errors.NumbaError:
                func_ir = None  # the reason is given where it is compiled by itself
            self._bodies[function] = func_ir
        return self._bodies[function]


def _is_constant(frame: _Frame, value: Any) -> bool:
    """Whether an attribute is a constant of the game, which never changes: no list of the rules is
    in it, and it is in none whose length is remembered."""
    owner = definition(frame.func_ir, value.value)
    if not isinstance(owner, ir.Arg) or owner.index >= len(frame.kinds):
        return False
    game = getattr(frame.kinds[owner.index], "game", None)
    return game is not None and not callable(getattr(game, value.attr, len))


def is_of_search(function: Any) -> bool:
    """Whether a function is part of Prunus and of no game: those only read what rules give."""
    module = function.__module__ or ""
    return module.startswith("prunus.") and not module.startswith("prunus.games.")


def _given(function: Any, owner: Any, call: Any) -> dict[int, Any]:
    """The variables that a function's parameters get; below 0 those whose parameter is not
    known."""
    names = function.__code__.co_varnames
    positional = [*([] if owner is None else [owner]), *call.args]
    given = dict(enumerate(positional[: function.__code__.co_argcount]))
    rest = positional[function.__code__.co_argcount :]
    for name, value in call.kws:
        if name in names:
            given[names.index(name)] = value
        else:
            rest.append(value)
    return given | {-1 - i: value for i, value in enumerate(rest)}


def _is_slice(func_ir: Any, statement: Any) -> bool:
    """Whether the index of an item is a slice."""
    index = statement.index
    if not isinstance(index, ir.Var):
        return isinstance(index, slice)
    made = definition(func_ir, index)
    return isinstance(made, ir.Expr) and (
        made.op == "build_slice"
        or (made.op == "call" and global_value(func_ir, made.func) is slice)
    )


def _is_written_list(func_ir: Any, variable: Any) -> bool:
    made = definition(func_ir, variable)
    return isinstance(made, ir.Expr) and made.op == "build_list"
