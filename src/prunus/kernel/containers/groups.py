"""What compiled code does with a dictionary of lists or sets: see `rewriting/groups.py`. It is a
pair there, of a dictionary with the place of each key, and of the list of all values, in the order
of the keys.
"""

from __future__ import annotations

from typing import Any

from numba.core import errors, types
from numba.extending import overload

from prunus.kernel.containers.deques import DequeType
from prunus.kernel.containers.local_lists import LocalList
from prunus.kernel.containers.stack_sets import StackSet

OTHER = (
    "a dictionary of lists or sets is compiled if its keys, and the items of these, are plain "
    "integers, or tuples of them that are written out where they are put in: write int(...), or "
    "use a list of lists, `[[] for _ in range(n)]`"
)
GROWN = (
    "a dictionary of lists or sets gets another key in a loop over it: in Python, the loop fails"
)

_EXAMPLES: dict[int, Any] = {2: (0, 0), 3: (0, 0, 0), 4: (0, 0, 0, 0)}


def groups(parts_of_key, parts_of_item, of_sets):
    """An empty dictionary of lists, or of sets, in compiled code. Keys and items are integers (0),
    or tuples of so many."""
    raise NotImplementedError


def group_or_new(made, key, may_grow):
    """`made.setdefault(key, [])`, or `made[key]` of a `defaultdict(list)`; OverflowError if that
    would add a key and it may not grow."""
    raise NotImplementedError


def group_of(made, key):
    """`made[key]` of a dictionary."""
    raise NotImplementedError


def group_or_none(made, key):
    """`made.get(key, [])`."""
    raise NotImplementedError


def put_group(made, key, row, may_grow):
    """`made[key] = row`, for a new list or set; OverflowError as above."""
    raise NotImplementedError


def put_empty(made, key, may_grow):
    """`made[key] = []`, or `set()`; OverflowError as above."""
    raise NotImplementedError


def has_group(made, key):
    """`key in made`."""
    raise NotImplementedError


def keys_of_groups(made):
    """The keys in a list."""
    raise NotImplementedError


def values_of_groups(made):
    """The lists in a list."""
    raise NotImplementedError


@overload(groups, prefer_literal=True)
def _groups(parts_of_key, parts_of_item, of_sets):
    if not isinstance(parts_of_key, types.IntegerLiteral):
        return None
    key, item = (_EXAMPLES.get(p.literal_value, 0) for p in (parts_of_key, parts_of_item))

    def of_lists(parts_of_key, parts_of_item, of_sets):
        places, rows = {key: 0}, [[item]]
        places.clear()
        rows.clear()
        return places, rows

    def sets(parts_of_key, parts_of_item, of_sets):
        places, rows = {key: 0}, [{item}]
        places.clear()
        rows.clear()
        return places, rows

    return sets if of_sets.literal_value else of_lists


def _check_key(made, key):
    if not isinstance(made, types.BaseTuple) or not isinstance(made[0], types.DictType):
        raise errors.TypingError(OTHER)
    if types.unliteral(_plain(key)) != made[0].key_type:
        raise errors.TypingError(OTHER)


def _plain(kind):
    if isinstance(kind, types.BaseTuple):
        return types.Tuple.from_types(tuple(map(types.unliteral, kind.types)))
    return types.unliteral(kind)


@overload(group_or_new)
def _group_or_new(made, key, may_grow):
    _check_key(made, key)

    def row(made, key, may_grow):
        places, rows = made
        if key not in places:
            if not may_grow:
                raise OverflowError(GROWN)
            places[key] = len(rows)
            rows.append(_emptied(rows))
        return rows[places[key]]

    return row


def _emptied(rows):
    """A new empty list or set of the kind that `rows` holds."""
    raise NotImplementedError


@overload(_emptied)
def _new_row(rows):
    item = _EXAMPLES.get(len(rows.dtype.dtype), 0) if _is_tuple(rows) else 0

    def empty(rows):
        row = [item]
        row.clear()
        return row

    def empty_set(rows):
        row = {item}
        row.clear()
        return row

    return empty_set if isinstance(rows.dtype, types.Set) else empty


def _is_tuple(rows):
    return isinstance(rows.dtype.dtype, types.BaseTuple)


@overload(group_of)
def _group_of(made, key):
    _check_key(made, key)

    def row(made, key):
        places, rows = made
        return rows[places[key]]

    return row


@overload(group_or_none)
def _group_or_none(made, key):
    _check_key(made, key)

    def row(made, key):
        places, rows = made
        return rows[places[key]] if key in places else _emptied(rows)

    return row


@overload(put_group)
def _put_group(made, key, row, may_grow):
    _check_key(made, key)
    is_set = isinstance(made[1].dtype, types.Set)
    fits = isinstance(row, types.Set | StackSet if is_set else types.List | LocalList)
    if not fits or isinstance(row, DequeType) or _plain(row.dtype) != made[1].dtype.dtype:
        raise errors.TypingError(OTHER)

    def put(made, key, row, may_grow):
        places, rows = made
        new = _emptied(rows)
        for item in row:
            _put_into(new, item)
        if key in places:
            rows[places[key]] = new
        elif not may_grow:
            raise OverflowError(GROWN)
        else:
            places[key] = len(rows)
            rows.append(new)

    return put


def _put_into(row, item):
    """Append to a list, or add to a set."""
    raise NotImplementedError


@overload(_put_into)
def _put_item(row, item):
    if isinstance(row, types.Set):
        return lambda row, item: row.add(item)
    return lambda row, item: row.append(item)


@overload(put_empty)
def _put_empty(made, key, may_grow):
    _check_key(made, key)

    def put(made, key, may_grow):
        places, rows = made
        if key in places:
            rows[places[key]] = _emptied(rows)
        elif not may_grow:
            raise OverflowError(GROWN)
        else:
            places[key] = len(rows)
            rows.append(_emptied(rows))

    return put


@overload(has_group)
def _has_group(made, key):
    _check_key(made, key)
    return lambda made, key: key in made[0]


@overload(keys_of_groups)
def _keys_of_groups(made):
    return lambda made: list(made[0])


@overload(values_of_groups)
def _values_of_groups(made):
    return lambda made: made[1]
