"""`d.setdefault(key, value)` of a dictionary that begins empty, in Numba's intermediate code: an
assignment tells the type of the dictionary, which the method does not."""

from __future__ import annotations

from typing import Any

from numba.core import ir, ir_utils

from prunus.kernel.rewriting.consumers import Code
from prunus.kernel.rewriting.inlining import kind_of_empty


def _first_value(d, key, value):
    if key not in d:
        d[key] = value
    return d[key]


def put_first(func_ir: Any, label: int, i: int) -> bool:
    """Replace the call in statement `i` of a block by one of the inner function that does the same;
    false if it is something else, or the value is an empty list or set (`groups.py`)."""
    block = func_ir.blocks[label]
    call = block.body[i].value
    method = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    if not (isinstance(method, ir.Expr) and method.op == "getattr" and method.attr == "setdefault"):
        return False
    if len(call.args) != 2 or call.kws or call.vararg is not None:
        return False
    made, value = (
        kind_of_empty(func_ir, ir_utils.guard(ir_utils.get_definition, func_ir, each))
        for each in (method.value, call.args[1])
    )
    if made is not dict or value in (list, set):
        return False
    code = Code(block.scope, call.loc, [])
    function = ir.Expr.make_function("setdefault", _first_value.__code__, None, None, call.loc)
    maker = code.assign(code.variable("maker"), function)
    block.body[i].value = ir.Expr.call(maker, [method.value, *call.args], (), call.loc)
    block.body[i:i] = code.body
    return True
