"""Texts in States, for Numba: a `Text` holds the letters of a text of known length side by side, as
a packed tuple of u8 does, without memory of its own on the heap.

Rules never see one: a field that is read becomes a string of Numba's own, with all that these can
do (`containers/text_fields.py`), and a string that a State is made with becomes a `Text` again, if
it has the field's length.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.cpython.unicode import PY_UNICODE_1BYTE_KIND
from numba.extending import NativeValue, box, register_model, unbox

from prunus.core.bits import u8
from prunus.kernel.boards.homes import copy_bytes, home_of
from prunus.kernel.boards.packed import Packed, PackedModel
from prunus.kernel.boards.packed_values import item_pointer, loop, narrowed, new_home
from prunus.kernel.numbers.integers import WORD
from prunus.kernel.reporting.raising import fail_if

_BYTE = ir.IntType(8)
_BEYOND_ASCII = 0x8080808080808080
_LETTERS = bytes(byte for letter in range(256) for byte in (letter, 0))
"""Each letter, with the zero that ends a string."""


class Text(types.Type):
    """The type of a text of `count` letters of Latin-1 in a State."""

    def __init__(self, count: int) -> None:
        self.count, self.packed = count, Packed(u8, count)
        self.vector, self.chunks = self.packed.vector, self.packed.chunks
        super().__init__(f"text of {count} letters")

    def __len__(self) -> int:
        return self.count

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Raises TypingError for a string, with which Numba would unify it to compare a State with
        a tuple."""
        if is_string(other):
            raise errors.TypingError(
                "a State with texts is compared with a tuple: compare it with a State, or its "
                "fields one by one"
            )

    def __reduce__(self) -> Any:
        return Text, (self.count,)


register_model(Text)(PackedModel)


RAW = "prunus_letters_of_"
"""Before a field's name: the attribute by which code of our own reads its `Text` as it is."""


def holds_text(kind: Any) -> bool:
    """Whether a type is that of a text, or of a tuple of texts."""
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return any(isinstance(each, Text) for each in kind.types)
    return isinstance(kind, Text)


def is_string(kind: Any) -> bool:
    """Whether rules see a value of this type as a string."""
    return isinstance(types.unliteral(kind), types.UnicodeType)


def letter_of(context: Any, builder: Any, letter: Any) -> Any:
    """The string of a single letter, given as a byte. It lies in a table of all letters of Latin-1,
    where no references to it are counted."""
    number = builder.zext(letter, WORD)
    made = cgutils.create_struct_proxy(types.unicode_type)(context, builder)
    table = context.insert_const_bytes(builder.module, _LETTERS, "prunus.letters")
    made.data = builder.gep(table, [builder.shl(number, WORD(1))])
    made.length, made.kind = WORD(1), made.kind.type(PY_UNICODE_1BYTE_KIND)
    is_ascii = builder.icmp_unsigned("<", number, WORD(128))
    made.is_ascii = builder.zext(is_ascii, made.is_ascii.type)
    made.hash = made.hash.type(-1)
    return made._getvalue()


def string_of(context: Any, builder: Any, kind: Text, value: Any) -> Any:
    """The letters as a string of Numba's, with memory of its own if there are several."""
    home = home_of(builder, value)
    if kind.count == 1:
        place = item_pointer(builder, kind.packed, home, WORD(0))
        return letter_of(context, builder, builder.load(place))
    made = cgutils.create_struct_proxy(types.unicode_type)(context, builder)
    made.meminfo = context.nrt.meminfo_alloc(builder, WORD(kind.count + 1))
    made.data = context.nrt.meminfo_data(builder, made.meminfo)
    copy_bytes(builder, made.data, home, kind.count)
    builder.store(_BYTE(0), builder.gep(made.data, [WORD(kind.count)]))
    made.length, made.kind = WORD(kind.count), made.kind.type(PY_UNICODE_1BYTE_KIND)
    # The storage of a packed tuple is filled up with zeros.
    words, found = builder.bitcast(home, WORD.as_pointer()), cgutils.alloca_once(builder, WORD)
    builder.store(WORD(0), found)
    with loop(builder, -(-kind.count // 8)) as step:
        letters = builder.load(builder.gep(words, [step.index]))
        builder.store(builder.or_(builder.load(found), letters), found)
    beyond = builder.and_(builder.load(found), WORD(_BEYOND_ASCII))
    is_ascii = builder.icmp_unsigned("==", beyond, WORD(0))
    made.is_ascii = builder.zext(is_ascii, made.is_ascii.type)
    made.hash = made.hash.type(-1)
    made.parent = cgutils.get_null_value(made.parent.type)
    return made._getvalue()


def text_of(context: Any, builder: Any, kind: Text, given: Any, value: Any, where: str) -> Any:
    """The `Text` that holds a string's letters. A string of another length, or with letters beyond
    Latin-1, raises OverflowError, which no handler of the rules catches; its message calls the
    field `where`."""
    value = context.cast(builder, value, given, types.unicode_type)
    string = cgutils.create_struct_proxy(types.unicode_type)(context, builder, value=value)
    other = "or annotate it as object, and the game runs interpreted"
    fail_if(
        context,
        builder,
        builder.icmp_unsigned("!=", string.length, WORD(kind.count)),
        OverflowError,
        f"{where} is given a text of another length than the {kind.count} letters of the first "
        f"State, which compiled code cannot hold: keep its length, {other}",
    )
    fail_if(
        context,
        builder,
        builder.icmp_unsigned("!=", string.kind, string.kind.type(PY_UNICODE_1BYTE_KIND)),
        OverflowError,
        f"{where} is given letters beyond Latin-1, which compiled code cannot hold: use others, "
        f"{other}",
    )
    home = new_home(builder, kind.packed)
    copy_bytes(builder, home, string.data, kind.count)
    return builder.load(home)


# Conversion from and to Python's texts.


@unbox(Text)
def _unbox(kind: Any, value: Any, c: Any) -> Any:
    builder, home = c.builder, new_home(c.builder, kind.packed)
    object_type, code = c.pyapi.pyobj, ir.IntType(32)
    length = c.pyapi._get_function(ir.FunctionType(WORD, [object_type]), "PyUnicode_GetLength")
    letter = c.pyapi._get_function(ir.FunctionType(code, [object_type, WORD]), "PyUnicode_ReadChar")
    failed = cgutils.alloca_once_value(
        builder, builder.icmp_signed("!=", builder.call(length, [value]), WORD(kind.count))
    )
    with (
        cgutils.if_likely(builder, builder.not_(builder.load(failed))),
        loop(builder, kind.count) as step,
    ):
        number = builder.call(letter, [value, step.index])
        beyond = builder.icmp_unsigned(">", number, code(255))
        builder.store(builder.or_(builder.load(failed), beyond), failed)
        item = narrowed(builder, kind.packed, builder.zext(number, WORD))
        builder.store(item, item_pointer(builder, kind.packed, home, step.index))
    with builder.if_then(builder.load(failed), likely=False):
        c.pyapi.err_format(
            "PyExc_ValueError",
            f"this code was compiled for texts of {kind.count} letters of Latin-1",
        )
    return NativeValue(
        builder.load(home),
        is_error=builder.or_(
            builder.load(failed), cgutils.is_not_null(builder, c.pyapi.err_occurred())
        ),
    )


@box(Text)
def _box(kind: Any, value: Any, c: Any) -> Any:
    return c.box(types.unicode_type, string_of(c.context, c.builder, kind, value))
