"""What the compiler's messages mean, in the words of somebody who writes rules."""

from __future__ import annotations

from typing import Final

GROWING = "a tuple cannot grow in compiled code: build it from a list or in a loop"

REASONS: Final[tuple[tuple[str, str], ...]] = (
    (
        r"OverloadSelector[^\n]*\n?During: lowering \"[^\n]*global\((\w+): ",
        r"\1 is not something compiled code can use",
    ),
    (
        r"OverloadSelector object[^\n]*\((?:List|Set|DictType)[(\[]",
        "a parameter has a list, set or dictionary as its default, which all calls would share: "
        "make it inside the function, or let it be a tuple",
    ),
    (
        r"key already in dictionary: \d+",
        "`try` statements in this arrangement cannot be compiled: put one of them in a method",
    ),
    (
        r"lowering static_getitem\(OptionalType",
        "a value that may be None is indexed: return a tuple or a number instead",
    ),
    (
        r"integer_\w+\((?:Mapping\([^\n]+, None\), |[^\n]*set[^\n]*, Mapping\()",
        "a constant set is combined with one made in the rules: make the constant a list or tuple, "
        "and a set of it in the rules",
    ),
    (
        r"Function\(<function from_keys",
        "dict.fromkeys(keys, value) takes a number as its value in compiled code, not None: write "
        "`dict.fromkeys(keys, 0)`; to drop doubles write a loop, `if v not in found`",
    ),
    (
        r">>> (?:local_list|sized_list)\(Tuple\(\)",
        "a tuple that is certainly empty becomes a list or is given names: write the list, `[]`",
    ),
    (r"(an array of \w+ is (?:made in the rules|computed with)[^\n]*)", r"\1"),
    (r"(a plain integer is put into an array of [^\n]*)", r"\1"),
    (r"(shifts and powers of whole arrays[^\n]*)", r"\1"),
    (r"(NumPy does not put the result back[^\n]*)", r"\1"),
    (
        r"No implementation of [^\n]*\n\n >>> (?!getitem)(?:integer_)?(\w+)\([^\n]*View\(.*True\)",
        r"\1 does not take an array of the game as it is: write np.array(...) around it",
    ),
    (
        r"Function\(<function (?:\w+_)?((?:arg)?(?:all|any|clip|max|mean|min|prod|sum))(_\w+)? at",
        r"\1 cannot be compiled with what it is given here: write a loop",
    ),
    (r"(np\.array\(\) of a tuple of u64[^\n]*)", r"\1"),
    (
        r"impl_setdefault",
        "d.setdefault(...) cannot be compiled: write `if k not in d: d[k] = 0`; instead of lists "
        "as values use a list of lists, `[[] for _ in range(n)]`",
    ),
    (
        r"(?:setitem|delitem|integer_i\w+)\((?:Table|Mapping|Texts|readonly array)\("
        r"|Unknown attribute '(?:append|add|sort|pop|insert|remove|extend|update|clear|discard"
        r"|reverse|copy)' of type (?:Table|Mapping)\(",
        "a constant of the module, the class or the game is changed or copied here: copy it by "
        "list or dict first, or keep what changes in the State",
    ),
    (
        r"reflected list\(float64\)[^\n]*globals",
        "a list of floats is a constant of the rules: write a tuple of them",
    ),
    (
        r"reflected set\(unicode_type\) type, assigned to variable '(\w+)' in globals",
        r"\1 is a set of texts: make it a dictionary with these texts as keys, or a tuple of them",
    ),
    (
        r"reflected (list|set)\([^\n]* type, assigned to variable '(\w+)' in globals",
        r"\2 is a constant \1 that compiled code cannot hold: its items may be numbers, and tuples "
        "or records of numbers, all of one kind",
    ),
    (
        r"has no attribute 'bool or int'",
        "a value that is a truth value or a member of an IntEnum on one path and a number on "
        "another becomes a text, which differs in Python: write int(...) around it",
    ),
    (
        r"Function\(<class 'reversed'>\)[^>]*>>> reversed\(DictType",
        "a dictionary cannot be gone through backwards in compiled code: reverse a list of it",
    ),
    (
        r"object has no attribute 'elements'",
        "a list of the letters of a text cannot be compiled: loop over the text, or index it",
    ),
    (r"DICT_UPDATE", "`{**d, ...}` cannot be compiled: write `d | {...}`"),
    (r"([\w.]+ has no attribute '\w+')", r"\1"),
    (
        r"(self\.\w+ (?:is a \w+|holds methods of the game), which cannot be compiled in[^\n]*)",
        r"\1",
    ),
    (r"(self\.\w+ (?:begins with _|is a class method)[^\n]*)", r"\1"),
    (r"(_replace [^\n]+|[\w.<>]+ has no field named '\w+')", r"\1"),
    (r"(field '\w+' of [\w.<>]+ [^\n]+)", r"\1"),
    (r"(memory (?:has no )?field [^\n]+)", r"\1"),
    (r"([\w.<>]+ (?:returns|calls itself,) [^\n]+)", r"\1"),
    (r"(`is` asks whether [^\n]+|isinstance\(\) of [^\n]+ cannot be compiled[^\n]*)", r"\1"),
    (r"(tuple\(\) of items whose number[^\n]+|a tuple times a number[^\n]+)", r"\1"),
    (r"(a slice of an array with a step[^\n]+)", r"\1"),
    (r"(sum\(\) of floats [^\n]+|(?:islice|bisect)\(\) takes [^\n]+)", r"\1"),
    (
        r"(an operator is applied to a NumPy number [^\n]+|a value is a plain integer on one path "
        r"and on another [^\n]+)",
        r"\1",
    ),
    (r"(only arrays of i64 or u64 [^\n]+)", r"\1"),
    (
        r"getiter with parameters \(Tuple\(([^\n]+)\)\)|getitem>?\)[^>]*>>> "
        r"getitem\(Tuple\(([^\n]+)\), (?:int|u64|mask)",
        "a tuple of items of several types is looped over or indexed by a variable: give them one "
        "type, numbers with u64(...) or int(...)",
    ),
    (r"([\w.<>]+ (?:is an enum|defines |has members that )[^\n]+)", r"\1"),
    (
        r"([\w.<>]+(?:\(\.\.\.\) can only be |\.\w+ is an? (?:text|attribute of each member), )"
        r"[^\n]+)",
        r"\1",
    ),
    (r"(a (?:generator )?function (?:is )?taken from a tuple[^\n]+)", r"\1"),
    (r"(d\.get\(k\) of a dictionary of functions [^\n]+)", r"\1"),
    (r"(the functions of a tuple return [^\n]+)", r"\1"),
    (
        r"eq\([^\n]*one of several functions|truth\(one of several functions",
        "a function taken from a tuple cannot be compared: compare its index or its key",
    ),
    (
        r"setitem\(DictType\[[^\n]*(?:CPUDispatcher|Function\()",
        "a dictionary of functions is written inside a function: make it a constant of the module "
        "or the class",
    ),
    (
        r"Cannot unify (?:type\(CPUDispatcher|Function\(|UndefinedFunctionType)[^\n]+? for "
        r"'([\w$]+)(?:\.\d+)?'|variable '(\w+)', have imprecise type: UndefinedFunctionType",
        "a variable is one function on one path and another on another: call the function on each "
        "path, or index a tuple of functions",
    ),
    (r"(case \w+\(\.\.\.\) (?:cannot be compiled|takes what)[^\n]+)", r"\1"),
    (r"(a NumPy \w+ is a constant of the rules[^\n]*)", r"\1"),
    (
        r"(a value that is a truth value or a member of an IntEnum on one path and a number on "
        r"another [^\n]+)",
        r"\1",
    ),
    (r"(a member of an IntEnum [^\n]+)", r"\1"),
    (r"(~ or - of a number that is a [^\n]+)", r"\1"),
    (
        r"(a tuple is joined from a [^\n]+|a set cannot hold [^\n]+"
        r"|a number is looked for among truth values[^\n]+)",
        r"\1",
    ),
    (
        r"((?:a plain integer|a u64|a number of 64 bits|a value that is a u64 on one path and a "
        r"plain integer on another|a truth value|a number) is put [^\n]+)",
        r"\1",
    ),
    (
        r"bool or more than 64 bits",
        "a value that is a truth value on one path and a number of more than 64 bits on another "
        "can only be tested for truth: give it one type to use it as a number",
    ),
    (
        r"Cannot unify Tuple\(\) and (?:Uni)?Tuple\([^\n]*\) for '",
        GROWING,
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(?:\$|closure__)[\w.$]+'",
        r"one branch gives \1, another \2; give both the same type",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '([\w$]+)(?:\.\d+)?'",
        r"\3 is \1 on one path and \2 on another; give it one type",
    ),
    (
        r"[Cc]an't unify return type from the following types: ([^\n]+)",
        r"the method returns values of different types: \1",
    ),
    (r"NameError: name '(\w+)' is not defined", r"the name \1 is not defined"),
    (
        r"CALL_FUNCTION_EX with|\*args in function call should be a tuple",
        "a call with `*items` of a list, or beside other arguments, cannot be compiled: pass one "
        "tuple or list; for `zip(*rows)` write `[[row[i] for row in rows] for i in range(n)]`",
    ),
    (
        r"[Cc]ollections\.Counter|Counter' of type Module|Untyped global name 'Counter'",
        "a Counter is compiled where it stays in its function and is counted up, read, looped over "
        "or asked for `most_common`: count in a list (`counts[v] += 1`), or in a dictionary "
        "(`counts[v] = counts.get(v, 0) + 1`)",
    ),
    (
        r"'defaultdict' of type Module|Untyped global name 'defaultdict'",
        "a defaultdict is compiled where it counts, `defaultdict(int)`, and stays in its function: "
        "use a dictionary and `d.get(k, 0)`, or a list of lists, `[[] for _ in range(n)]`",
    ),
    (
        r"Untyped global name '([\w.]+)'[^\n]*(?:\n[^\n]*)?<class 'dict'>",
        r"\1 is a dictionary whose keys or values compiled code cannot hold together: make them of "
        "one kind, numbers or tuples of one length (keys may be texts)",
    ),
    (
        r"Untyped global name '([\w.]+)'[^\n]*(?:\n[^\n]*)?",
        r"\1 is not something compiled code can use",
    ),
    (
        r"No definition for lowering Game\([^)]*\)\.(\w+) = ",
        r"self.\1 cannot be assigned in rules: whatever changes belongs in the State",
    ),
    (
        r"variable '(\w+)' (?:in a function that may escape|as there are multiple definitions)",
        r"an inner function that uses \1 of the function around it can only be called, or passed "
        "to sorted, sort, min, max or reduce: write a comprehension or a loop",
    ),
    (
        r"[Ee]xception object cannot be stored into variable \((\w+)\)",
        r"`as \1`: compiled code only knows the class of an error; leave this out",
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
        r"impl_get at",
        "`d.get` cannot be compiled for such a key or on a dictionary without items: start it with "
        "an item, or test `if k in d`",
    ),
    (
        r"[Uu]nsupported use of cell variable",
        "an inner function that calls itself cannot be compiled: make it a function of the module",
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
        "nothing is ever added to this list: the compiler cannot know the type of its items",
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
        r"GET_YIELD_FROM_ITER|yield from",
        "`yield from` cannot be compiled: write `for action in ...: yield action`",
    ),
    (
        r"format spec in f-strings|FORMAT_WITH_SPEC",
        "a format in an f-string, such as `{x:3}`, cannot be compiled: write `{x}`, or make texts "
        "in `format` and `action_name` only",
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
        r">>> getitem\((int64|u64|mask|bool|none), [^\n]+\)",
        r"what is no list, tuple or dictionary is indexed: \1",
    ),
    (
        r"No implementation of function Function\((?:<built-in function )?([\w.]+)[^\n]*\) found "
        r"for signature:\s*>>> (?:integer_)?([^\n]+)",
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
    (r"cannot determine Numba type of <class '([^']+)'>", r"compiled code cannot use a \1"),
    (
        r"maximum recursion depth exceeded|unsupported recursion",
        "a function that calls itself (directly or through another) cannot be compiled",
    ),
)
"""Patterns of messages, and what they mean; the first that is found counts."""
