"""Numba's messages about types, calls and statements, in the words of somebody who writes rules."""

from __future__ import annotations

from typing import Final

GROWING = "a tuple cannot grow in compiled code: build it from a list or in a loop"

OF_CODE: Final[tuple[tuple[str, str], ...]] = (
    (
        r"Cannot unify Tuple\(\) and (?:Uni)?Tuple\([^\n]*\) for '",
        GROWING,
    ),
    (
        r"Cannot unify ((?:Uni)?Tuple\([^\n]*\)) and ((?:Uni)?Tuple\([^\n]*\)) for "
        r"'(?:\$|closure__)[\w.$]+'",
        r"one branch gives \1, another \2; give both items of the same types and as many, or make "
        "them lists, `[...]`",
    ),
    (
        r"Cannot unify ((?:Uni)?Tuple\([^\n]*\)) and ((?:Uni)?Tuple\([^\n]*\)) for "
        r"'([\w$]+)(?:\.\d+)?'",
        r"\3 is \1 on one path and \2 on another; give it items of the same types and as many, or "
        "make it a list, `[...]`",
    ),
    (
        r"Cannot unify bool and (list[^\n]*?) for '(?:\$|closure__)[\w.$]+'"
        r"|Cannot unify (list[^\n]*?) and bool for '(?:\$|closure__)[\w.$]+'",
        r"one branch gives \1\2, another bool; if only its truth is asked, write len(...) > 0",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(?:\$|closure__)[\w.$]+'",
        r"one branch gives \1, another \2; give both the same type",
    ),
    (
        r"[Cc]annot unify (.+?) and (.+?) for '([\w$]+)(?:\.\d+)*'",
        r"\3 is \1 on one path and \2 on another; give it one type",
    ),
    (
        r"[Cc]an't unify return type from the following types: (list[^\n]*, list[^\n]*)",
        r"the method returns lists of different items: \1; if one is an empty list, `return []`, "
        "let all `return` say the same list, which begins empty and is filled",
    ),
    (
        r"[Cc]an't unify return type from the following types: ([^\n]+)",
        r"the method returns values of different types: \1",
    ),
    (r"NameError: name '(\w+)' is not defined", r"the name \1 is not defined"),
    (
        r"^unreachable$",
        "a call with `*items` and keywords cannot be compiled: write the arguments out",
    ),
    (
        r"CALL_FUNCTION_EX with|\*args in function call should be a tuple",
        "a call with `*items` of a list, or beside other arguments, cannot be compiled: pass one "
        "tuple or list; for `zip(*rows)` write `[[row[i] for row in rows] for i in range(n)]`",
    ),
    (
        r"[Cc]ollections\.Counter|Counter' of type Module|Untyped global name 'Counter'"
        r"|function (?:tallied|added_to|taken_from)",
        "a Counter is compiled where it stays in its function and is counted up, read, looped over "
        "and put together with other Counters: count in a list (`counts[v] += 1`), or in a "
        "dictionary (`counts[v] = counts.get(v, 0) + 1`)",
    ),
    (
        r"'defaultdict' of type Module|Untyped global name 'defaultdict'",
        "a defaultdict is compiled where it counts or collects, `defaultdict(int)`, "
        "`defaultdict(list)` or `defaultdict(set)`, stays in its function, and is filled, read and "
        "looped over: use a dictionary and `d.get(k, 0)`, or a list of lists, "
        "`[[] for _ in range(n)]`",
    ),
    (
        r"Untyped global name '([\w.]+)'[^\n]*list element type <class 'dict'>",
        r"\1 is a list of dictionaries: make it a tuple of NamedTuples, or a list for each key",
    ),
    (
        r"Untyped global name '([\w.]+)'[^\n]*(?:\n[^\n]*)?<class 'dict'>",
        r"\1 is a dictionary whose keys or values compiled code cannot hold together: make them of "
        "one kind, numbers, texts, or lists or tuples of numbers, not of texts; functions need "
        "numbers as keys",
    ),
    (
        r"Untyped global name 'super'",
        "`super` is compiled as `super().f(x)` in a method: elsewhere name the class, "
        "`Base.f(self, x)`",
    ),
    (
        r"Untyped global name '([\w.]+)'[^\n]*(?:\n[^\n]*)?",
        r"\1 is not something compiled code can use: let rules have numbers, truth values, and "
        "tuples, records and lists of them, and functions of these",
    ),
    (
        r"No definition for lowering Game\([^)]*\)\.(\w+) = ",
        r"self.\1 cannot be assigned in rules: whatever changes belongs in the State",
    ),
    (
        r"No definition for lowering Class\((?:\w+\.)*(\w+)#\d+\)\.(\w+) = ",
        r"\1.\2 cannot be assigned in rules: whatever changes belongs in the State",
    ),
    (
        r"No definition for lowering [^\n]*\)\.(\w+) = ",
        r"a field cannot be assigned, in Python neither: make another State or NamedTuple, "
        r"`state._replace(\1=...)`",
    ),
    (
        r"[Uu]nsupported constraint encountered: del \(",
        "an attribute cannot be deleted in rules: whatever changes belongs in the State",
    ),
    (
        r"Cannot resolve setattr: \(Module\(<module '([\w.]+)'[^\n]*\)\.(\w+) = ",
        r"\1.\2 cannot be assigned in rules: whatever changes belongs in the State",
    ),
    (
        r"variable '(\w+)' (?:in a function that may escape|as there are multiple definitions)",
        r"an inner function that uses \1 of the function around it can only be called, or passed "
        "to sorted, sort, min, max, reduce, or a function of the rules that calls it, without "
        "`try`, `yield` and recursion: write a comprehension or a loop",
    ),
    (
        r"Function\(<built-in function i?add>\)[^>]*>>> i?add\((?:Uni)?Tuple",
        GROWING,
    ),
    (
        r"No implementation of function Function\(<class '(itertools\.\w+)'>",
        r"\1 is not supported for these arguments: write a loop",
    ),
    (
        r"'pop'\) for DictType\[undefined",
        "`d.pop` cannot be compiled on a dictionary without items: start it with an item",
    ),
    (
        r"[Ff]ailed to unpack LiteralList",
        "a list of items of several types is unpacked into names: write a tuple, in round brackets",
    ),
    (
        r"impl_get at",
        "`d.get` cannot be compiled for such a key or on a dictionary without items: start it with "
        "an item, or test `if k in d`",
    ),
    (
        r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'[^\n]*",
        r"\2.\1 is not something compiled code can use",
    ),
    (
        r"opcode \(DELETE_DEREF\)",
        "`del` of a variable that an inner function uses cannot be compiled: leave it out",
    ),
    (
        r"No implementation of function Function\(\('prunus.record', <class '(?:\w+\.)*(\w+)'>\)\)"
        r"[^\n]*",
        r"\1 is made with other arguments than its fields",
    ),
    (
        r"op_MAKE_FUNCTION with kwdefaults[^\n]*",
        "an inner function with a default after `*` cannot be compiled: leave out the `*`",
    ),
    (r"opcode \(UNPACK_EX\)", "`a, *rest = t` cannot be compiled: write `a, rest = t[0], t[1:]`"),
    (
        r"op-code encountered: list_to_tuple|op_LIST_EXTEND at the start of a block",
        "a tuple or list with a star, and with `a if b else c` in it or inside a `try`, cannot be "
        "compiled: give the condition's result a name first, or write it before the `try`",
    ),
    (
        r"op-code encountered: null",
        "a generator expression inside another that uses its variable cannot be compiled: write a "
        "loop",
    ),
    (
        r"No implementation of function Function\(<class 'zip'>\)",
        "`zip` cannot go over one of these, such as an empty tuple: write a loop over the places, "
        "`for i in range(len(t))`",
    ),
    (
        r"imprecise type: list\(undefined\)",
        "the type of the items of this list cannot be known: nothing is added to it, or only what "
        "is computed from the list itself, `len(found)`: write `found = [0]` and `found.clear()`",
    ),
    (
        r"opcode \(MATCH_\w+\)",
        "`match` with dictionaries cannot be compiled: write `if` and `elif`",
    ),
    (
        r"opcode \(STORE_GLOBAL\)",
        "rules cannot change a global name: whatever changes belongs in the State",
    ),
    (
        r"opcode \(IMPORT_\w+\)",
        "an import inside a function cannot be compiled: write it at the top of the file",
    ),
    (
        r"has no attribute '_asdict'|Unknown attribute '_asdict'",
        "`_asdict` cannot be compiled: name the fields",
    ),
    (r"Function\(<built-in function truediv>\)", "/ gives a float; divide integers with //"),
    (r"Unknown attribute '(\w+)' of type ([^\n]+)", r"\2 has no \1 in compiled code"),
    (
        r"GET_YIELD_FROM_ITER",
        "`yield from` cannot be compiled where its result is used: write `for action in ...: yield "
        "action`, and let another function give the result",
    ),
    (
        r"format spec in f-strings|CONVERT_VALUE",
        "`!r` and the like in an f-string cannot be compiled: write `{x}`, or make texts in "
        "`format` and `action_name` only",
    ),
    (
        r"opcode \(LOAD_BUILD_CLASS\)",
        "a class inside a function cannot be compiled: write it at the top of the file",
    ),
    (
        r"The 'with \(context manager\)[^\n]*|opcode \(BEFORE_WITH\)",
        "`with` cannot be compiled: rules open and lock nothing, so write what is inside it",
    ),
    (
        r"[Uu]se of unsupported opcode \((\w+)\)",
        r"this statement is not supported in compiled code (\1)",
    ),
    (
        r"yield in a closure",
        "a generator expression can only be compiled when passed directly to any, all, sum, min, "
        "max, next, list, tuple, set, sorted, join or extend, or in a `for` outside a `try`, and "
        "so can `map` and `islice`; elsewhere write a loop, or make a list of its items",
    ),
    (r"The use of ([^\n]+) is unsupported", r"\1 is not supported in compiled code"),
    (
        r"use load_from_data_pointer",
        "an iterator, such as iter(...), zip(...) or reversed(...), cannot be returned: return a "
        "list, or make the function a generator",
    ),
    (r"a deque has no slices[^\n]*", r"\g<0>, also to write `a, *rest = q`"),
    (r"too many values to unpack \(expected 1\)", "a method gets more arguments than one"),
    (
        r"a container of other items: ([^\n]+) where ([^\n]+) is needed",
        r"a \1 is used where a \2 is needed: fill it where it is made, or put items of one kind "
        "into it",
    ),
    (
        r"No implementation of function Function\(<class 'collections.deque'>\)",
        "a deque is made of nothing or of the items of one list, tuple or the like; instead of "
        "`maxlen` write `if len(q) > n: q.popleft()` after each append",
    ),
    (r"(a key of another kind than those [^\n]*)", r"\1"),
    (
        r"as value is forbidden|impl_setitem|setitem\(DictType\[[^\n]*, [Ll]ist\(",
        "a dictionary cannot hold lists, or items of several types, in compiled code: use a list "
        "of lists, `[[] for _ in range(n)]`, with the keys as indices",
    ),
    (r"(parts of tuples can only be joined [^\n]+)", r"\1"),
    (r"(d\.get\(k, \[\]\) of a constant [^\n]+)", r"\1"),
    (r"(a dictionary of lists or sets is compiled if [^\n]+)", r"\1"),
    (
        r"[Cc]annot (?:determine|compute) [^\n]*slice|static_getitem|slice",
        "a slice of a tuple at variable places can only be read where it is made, item by item: "
        "slice a list of it, or name the items, (t[i], t[i + 1])",
    ),
    (
        r">>> (?:getiter|integer_iter)\(([^\n]+)\)|getiter with parameters \(([^\n]+)\)",
        r"a loop or an unpacking goes over what has no items: \1\2; over numbers it is `range(n)`",
    ),
    (
        r"[Ff]ailed to unpack (int64|u64|mask|bool|none|Literal\[(?:int|bool)\]\([-\w]+\))",
        r"what has no items is unpacked into names: \1",
    ),
    (
        r">>> (?:set|del)item\((?:unicode_type|Literal\[str\])",
        "a letter of a text is changed, which raises TypeError in Python: make a new text, "
        "`s[:i] + letter + s[i + 1:]`",
    ),
    (
        r">>> (?:set|del)item\((?:(?:Uni)?Tuple\(|tuple of )",
        "an item of a tuple is changed, which raises TypeError in Python: write "
        "`with_item(t, i, value)`, or change a list of it and make that a tuple",
    ),
    (
        r">>> getitem\((int64|u64|mask|bool|none), [^\n]+\)",
        r"what is no list, tuple or dictionary is indexed: \1",
    ),
    (
        r">>> (?:local_list|sized_list|loose_tuple|tuple_of|sorted|set|frozenset)\("
        r"(int64|u64|mask|bool|none|int\b|Literal\[int\]\(-?\d+\))",
        r"what has no items is made a list, set or tuple: \1; one of a single item is `[x]`",
    ),
    (
        r">>> (?:local_list|sized_list)\((?:Tuple\(|\w+\()",
        "a list is made of items of several types, which cannot be compiled: use a tuple, or name "
        "the items",
    ),
    (
        r"unexpected type\.\s+Got False",
        "what has no items is sorted",
    ),
    (
        r"No implementation of function Function\(<(?:class ')?(?:\w+\.)*(\w+)'?>\) found for "
        r"signature:\s*>>> (?:\w+)(\([^\n]+)",
        r"\1 does not take these types: \1\2",
    ),
    (
        r"No implementation of function Function\((?:<(?:built-in )?function )?(?:ol|impl)?_?"
        r"([\w.]+)[^\n]*\) found for signature:\s*>>> (?:integer_|ol_|impl_|_)?([^\n]+)",
        r"\1 does not take these types: \2",
    ),
    (
        r"Invalid use of (int64|u64|mask|bool|unicode_type|none|(?:list|set|DictType)[(\[][^\n]+?"
        r"|\w+Tuple\([^\n]+\)) with parameters \([^\n]+\)",
        r"what is no function is called: \1",
    ),
    (
        r"[Cc]annot bind '[^\n]*' to signature '([^\n]+)' due to \"TypeError: ([^\n\"]+)\"",
        r"a call does not fit the parameters \1: \2",
    ),
    (
        r"wrong tuple length for [^\n]*expected (\d+), got (\d+)",
        r"a tuple of \2 is unpacked into \1 names, which raises ValueError in Python",
    ),
    (
        r"[Uu]nsupported constraint encountered: (?:try_)?raise|^'func'$"
        r"|[Cc]onstant inference not possible for: call",
        "the error that is raised is chosen by an expression: write its class, as in "
        "`if ...: raise ValueError` and `raise KeyError`",
    ),
    (
        r"tuple index out of range",
        "a tuple is indexed beyond its last item, which raises IndexError in Python",
    ),
    (
        r"(?:variable '(\w+)', have|imprecise type:) [^\n]*(?:set|DictType)[(\[]undefined",
        r"the types of what is put into \1, a set or dictionary, cannot be known: make it with a "
        "first item",
    ),
    (
        r"BoundFunction\(\w+\.(\w+) for ([^\n]+)\) with parameters \(([^\n]+)\)",
        r"\1 gets a \3 for a \2: all items of it must be of one type, boards of one length",
    ),
    (
        r"type of #\d+ arg mismatch",
        "boards of different lengths meet in one variable, list or result: keep them apart",
    ),
    (
        r"[Uu]ndecided type \$",
        "the type of a container's items cannot be known here: make it with a first item",
    ),
    (
        r"Numba type of <class 'method-wrapper'>",
        "rules make an object of a class that is no NamedTuple: let it be one",
    ),
    (r"Invalid use of ([^\n]+)", r"\1 is used in a way that compiled code does not support"),
    (
        r"[Cc]annot determine Numba type of <class '(?:\w+\.)*([^'.]+)'>",
        r"compiled code cannot use a \1: let rules have numbers, truth values, and tuples, records "
        "and lists of them",
    ),
    (
        r"runaway recursion",
        "a function that calls itself, directly or through another one, needs a `return` of its "
        "own that does not",
    ),
    (
        r"maximum recursion depth exceeded|unsupported recursion",
        "a function that calls itself (directly or through another) cannot be compiled here: write "
        "a loop, or return the same kind of value each time",
    ),
    (
        r"Function\(<ufunc '(\w+)'>\)[^\n]*\s*>>> \w+(\([^\n]+)",
        r"np.\1 does not take these types: \1\2",
    ),
    (
        r"[Cc]annot resolve setattr: \(([^\n]+)\)\.(\w+) = ",
        r"\2 is assigned to a value that has no such attribute: \1",
    ),
    (
        r"types\.misc\.Undefined",
        "the type of a value cannot be known here: nothing that is compiled gives it one",
    ),
    (
        r"[Cc]annot cast ([^\n:]+) to ([^\n:]+): ",
        r"\1 stands where \2 is needed",
    ),
    (
        r"data type '([^']+)' not understood",
        r"an array cannot have these items: \1; write int(...) around each",
    ),
    (
        r"[Nn]o definition for lowering <built-in function (\w+)>(\([^\n]+?),?\) ->",
        r"\1 does not take these types: \1\2)",
    ),
    (
        r"[Tt]ype of variable '([A-Za-z]\w*)(?:\.\d+)?' cannot be determined",
        r"the type of \1 cannot be known here: what it is made of is certainly empty, or has no "
        "value yet",
    ),
    (
        r"[Tt]ype of variable '[^'\n]*\$[^'\n]*' cannot be determined"
        r"|[Pp]oison type used in arguments|[Uu]ndecided type \w",
        "the type of something here cannot be known: it is made of what is certainly empty, of "
        "what has no value yet, or of a list to which only what comes from the list is added",
    ),
)
"""Patterns of messages, and what they mean."""
