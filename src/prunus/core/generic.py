"""What type checkers know about States: a game's methods take and return States of one type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from typing import Generic

    from typing_extensions import TypeVar

    S = TypeVar("S", default=Any)
else:
    from typing import TypeVar

    S = TypeVar("S")

    class Generic:
        """`typing.Generic` without its work at run time: `Game[State]` is `Game`."""

        def __class_getitem__(cls, item: object) -> type[Self]:
            return cls


Keywords = dict[str, Any]
"""Arguments of a call by their names: each has the type that its parameter declares."""

Json = dict[str, Any]
"""An object read from JSON, whose reader checks what is in it."""

__all__ = ["Generic", "Json", "Keywords", "S"]
