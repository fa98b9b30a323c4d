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


__all__ = ["Generic", "S"]
