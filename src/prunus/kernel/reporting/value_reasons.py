"""Messages about values, containers and functions, most of them by our own passes, in the words of
somebody who writes rules."""

from __future__ import annotations

from typing import Final

OF_VALUES: Final[tuple[tuple[str, str], ...]] = (
    (r"(the class [\w.<>]+ is derived from [^\n]*)", r"\1"),
    (r"(a \w+ that contains itself [^\n]*)", r"\1"),
    (
        r"isinstance\(\) cannot determine the type of variable|'UndefinedType' object has no",
        "isinstance() of a value that has one class on one path and another one on another cannot "
        "be compiled",
    ),
    (r"(a tuple (?:that holds the one before it|with a truth value is put)[^\n]*)", r"\1"),
    (
        r"OverloadSelector[^\n]*\n?During: lowering \"[^\n]*global\((\w+): ",
        r"\1 is not something compiled code can use",
    ),
    (
        r"OverloadSelector[^\n]*\n?During: lowering \"[^\n]* = getattr\(value=self, attr=(\w+)\)",
        r"self.\1 is an object that compiled code cannot use: keep what rules read of it in "
        r"attributes of the game, numbers, tuples, records and lists of them",
    ),
    (
        r"[Ii]nvalid type in signature: expected a type instance, got \{",
        "`**name` among the parameters of a function cannot be compiled: let each have its own "
        "name, with a default if it may be left out",
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
        r"^\(List\(OptionalType\((?:bool|int64)\)[^\n]*, List\((?:bool|int64)[^\n]*",
        "truth values and numbers are joined in a list with None: write int(...) around the ones, "
        "or bool(...) around the others",
    ),
    (
        r"setitem\((?:Local)?[Ll]ist\(none[^\n]*",
        "a list of None, or a variable that starts as None and is `nonlocal` in a function that "
        "calls itself, gets something else: begin with a number that stands for nothing, such as "
        "-1",
    ),
    (
        r"setitem\((?:\w+ )*\w*[Ll]ist[^\n]*\bint\d+[^\n]*, float64\)",
        "a list of integers, or a variable that starts as one and is `nonlocal` in a function that "
        "calls itself, gets a float: begin with floats, such as 0.0",
    ),
    (
        r"[Cc]annot get\{item\}\(\) on a literal dictionary",
        "a dictionary whose values are functions, or of several types, is made here and looked up "
        "by a variable: make it a constant of the module, or write `if` and `elif`",
    ),
    (
        r"[Tt]ype of #\d+ arg mismatch: i64 != i8\*",
        "members of an Enum are keys of a dictionary or items of a set, and their values are no "
        "integers: let them be integers",
    ),
    (
        r"No implementation of function Function\(<class 'dict'>\)",
        "a dictionary is made of what compiled code does not know: write `{key: value, ...}`, or "
        "fill it in a loop",
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
    (
        r"[Cc]annot type empty list",
        "an empty list is a default or a constant, so that the type of its items cannot be known: "
        "make it inside the function",
    ),
    (
        r"a set of set\(",
        "a set cannot hold sets: let it hold tuples, `(min(a, b), max(a, b))`, or numbers whose "
        "bits are the items",
    ),
    (r"(the hash of None differs [^\n]+)", r"\1"),
    (
        r"[Dd]ict.(key|value)_type cannot be of type ((?:Optional|none)[^\n]*)",
        r"a dictionary cannot have this as a \1: \2; let a number, such as -1, mean nothing",
    ),
    (
        r"a set of ((?:Optional|none)[^\n]*|[^\n]* or None) is not supported",
        r"a set cannot have this as an item: \1; let a number, such as -1, mean nothing",
    ),
    (r"(type\(\) of [^\n]+ cannot be compiled, since [^\n]+)", r"\1"),
    (
        r"`except RecursionError`: compiled code stops later than Python",
        "`except RecursionError` cannot be compiled: Python stops after a thousand calls, compiled "
        "code where its stack is full; count the calls in a parameter",
    ),
    (
        r"compiler re-entrant to the same function signature",
        "methods that call each other and return lists cannot be compiled: let them fill a list "
        "that they get, or make them one method",
    ),
    (
        r"^NotImplementedError$",
        "a tuple stands where one of another length, or with items of other kinds, is needed, such "
        "as the key of a dictionary: give all of them one form",
    ),
    (r"(a tuple of \d+ items stands where one of \d+ is needed[^\n]*)", r"\1"),
    (r"(`except` is followed by [^\n]*)", r"\1"),
    (r"(next (?:with a default )?takes [^\n]*|\w+ takes whole numbers, [^\n]+)", r"\1"),
    (r"(an array of \w+ is (?:made in the rules|computed with)[^\n]*)", r"\1"),
    (r"(a plain integer is put into an array of [^\n]*)", r"\1"),
    (r"(shifts and powers of whole arrays[^\n]*)", r"\1"),
    (r"(NumPy does not put the result back[^\n]*)", r"\1"),
    (r"(an array of the game is changed here[^\n]*)", r"\1"),
    (r"(the order of a set of members of an Enum[^\n]*)", r"\1"),
    (r"(a constant of the module, the class or the game is changed or copied[^\n]*)", r"\1"),
    (
        r"Unknown attribute '(?:fill|sort|put|itemset|resize)' of type View\(.*True\)",
        "an array of the game is changed here: whatever changes belongs in the State",
    ),
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
        "d.setdefault(k, []) is compiled where the dictionary stays in its function, and is only "
        "filled, read and looped over: write `if k not in d: d[k] = 0`; instead of lists as values "
        "use a list of lists, `[[] for _ in range(n)]`",
    ),
    (
        r"(?:setitem|delitem|integer_i\w+)\((?:Table|Mapping|Texts|readonly array)\("
        r"|Unknown attribute '(?:append|add|sort|pop|insert|remove|extend|update|clear|discard"
        r"|reverse|copy|setdefault|popitem|pop)' of type (?:Table|Mapping)\(",
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
    (r"(a value that is a truth value or a member of an IntEnum on [^\n]+)", r"\1"),
    (
        r"Function\(<class 'reversed'>\)[^>]*>>> reversed\(DictType",
        "a dictionary cannot be gone through backwards in compiled code: reverse a list of it",
    ),
    (
        r"object has no attribute 'elements'",
        "a list of the letters of a text cannot be compiled: loop over the text, or index it",
    ),
    (r"DICT_UPDATE", "`{**d, ...}` cannot be compiled: write `d | {...}`"),
    (
        r"has no attribute 'super of [^']*:(\w+)'",
        r"`super().\1` in a class method cannot be compiled: make both ordinary methods",
    ),
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
    (r"(tuple\(\) or zip\(\*\) of items whose number[^\n]+|a tuple times a number[^\n]+)", r"\1"),
    (r"(a slice of an array with a step[^\n]+|a format is compiled if [^\n]+)", r"\1"),
    (r"(sum\(\) of floats [^\n]+|(?:islice|bisect|int)\(\) takes [^\n]+)", r"\1"),
    (
        r"(an operator is applied to a NumPy number [^\n]+|a value is a plain integer on one path "
        r"and on another [^\n]+)",
        r"\1",
    ),
    (r"(only arrays of i64 or u64 [^\n]+)", r"\1"),
    (
        r"getiter with parameters \(Tuple\([^\n]*float64[^\n]*\)\)|getitem>?\)[^>]*>>> "
        r"getitem\(Tuple\([^\n]*float64[^\n]*\), (?:int|u64|mask)",
        "a tuple of floats and other numbers is looped over or indexed by a variable: write all of "
        "them with a point, 0.0 for 0, or convert them, float(...)",
    ),
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
    (
        r"cannot cast BoundFunction",
        "a variable is a method of one object on one path and of another one on another: call the "
        "method on each path",
    ),
    (r"(a (?:generator )?function (?:that )?is one of several[^\n]+)", r"\1"),
    (r"(d\.get\(k\) of a dictionary of functions [^\n]+)", r"\1"),
    (r"(the functions of a tuple return [^\n]+)", r"\1"),
    (
        r"[Cc]an't return function object \((Function\([^\n]+\))\) in",
        r"a method of the game returns \1 itself: it must be called, or is not what was meant",
    ),
    (
        r"eq\([^\n]*one of several functions|truth\(one of several functions",
        "a function that is one of several cannot be compared: compare what chose it",
    ),
    (
        r"setitem\(DictType\[[^\n]*(?:CPUDispatcher|Function\()",
        "a dictionary of functions is written inside a function: make it a constant of the module "
        "or the class",
    ),
    (
        r"lowering [^\n]*list\(one of several functions",
        "a list of functions is written inside a function: write a tuple, or make it a constant of "
        "the module or the class",
    ),
    (
        r"Invalid use of Optional[^\n]*(?:CPUDispatcher|Function\()",
        "a function is called that may be None: write one that does nothing instead of None",
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
)
"""Patterns of messages, and what they mean."""
