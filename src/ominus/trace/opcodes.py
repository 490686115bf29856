"""Which instructions are known, for each version of CPython: a white list and a few conventions.

An instruction that is not here is never traced. Most names mean the same in each version; what an
argument means may not, and `Version` says how to read it.
"""

from __future__ import annotations

from dataclasses import dataclass

_COMMON = frozenset(
    """
    NOP RESUME EXTENDED_ARG CACHE POP_TOP COPY SWAP PUSH_NULL
    LOAD_CONST LOAD_FAST STORE_FAST DELETE_FAST LOAD_GLOBAL LOAD_DEREF LOAD_CLOSURE STORE_DEREF
    MAKE_CELL COPY_FREE_VARS MAKE_FUNCTION
    UNARY_NEGATIVE UNARY_NOT UNARY_INVERT BINARY_OP BINARY_SUBSCR COMPARE_OP IS_OP CONTAINS_OP
    BUILD_TUPLE BUILD_LIST BUILD_SET BUILD_MAP BUILD_CONST_KEY_MAP BUILD_STRING BUILD_SLICE
    LIST_EXTEND LIST_APPEND SET_UPDATE SET_ADD DICT_UPDATE DICT_MERGE MAP_ADD
    UNPACK_SEQUENCE UNPACK_EX LOAD_ATTR CALL CALL_FUNCTION_EX RETURN_VALUE
    JUMP_FORWARD JUMP_BACKWARD GET_ITER FOR_ITER
    MATCH_CLASS MATCH_SEQUENCE MATCH_MAPPING MATCH_KEYS GET_LEN
    RAISE_VARARGS LOAD_ASSERTION_ERROR RETURN_GENERATOR YIELD_VALUE
    """.split()
)
_JUMPS_311 = frozenset(
    f"POP_JUMP_{way}_IF_{test}"
    for way in ("FORWARD", "BACKWARD")
    for test in ("TRUE", "FALSE", "NONE", "NOT_NONE")
)
_JUMPS = frozenset(f"POP_JUMP_IF_{test}" for test in ("TRUE", "FALSE", "NONE", "NOT_NONE"))
_OLD_STRINGS = frozenset({"FORMAT_VALUE", "LOAD_METHOD", "PRECALL", "KW_NAMES"})


@dataclass(frozen=True, slots=True)
class Version:
    """How one version of CPython writes its instructions.

    `compare` is by how many bits the argument of COMPARE_OP is shifted; where `attr_call`, the low
    bit of LOAD_ATTR's argument says that a method is meant.
    """

    known: frozenset[str]
    compare: int
    attr_call: bool
    closure_flags: bool  # MAKE_FUNCTION's argument says what is on the stack


VERSIONS: dict[tuple[int, int], Version] = {
    (3, 11): Version(
        known=_COMMON
        | _JUMPS_311
        | _OLD_STRINGS
        | {"JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP", "UNARY_POSITIVE", "LIST_TO_TUPLE"},
        compare=0,
        attr_call=False,
        closure_flags=True,
    ),
    (3, 12): Version(
        known=_COMMON
        | _JUMPS
        | (_OLD_STRINGS - {"LOAD_METHOD", "PRECALL"})
        | {"LOAD_FAST_CHECK", "LOAD_FAST_AND_CLEAR", "RETURN_CONST", "BINARY_SLICE", "END_FOR"}
        | {"CALL_INTRINSIC_1"},
        compare=4,
        attr_call=True,
        closure_flags=True,
    ),
    (3, 13): Version(
        known=_COMMON
        | _JUMPS
        | {"LOAD_FAST_CHECK", "LOAD_FAST_AND_CLEAR", "RETURN_CONST", "BINARY_SLICE", "END_FOR"}
        | {"LOAD_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST", "STORE_FAST_LOAD_FAST", "TO_BOOL"}
        | {"CONVERT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CALL_KW", "CALL_INTRINSIC_1"}
        | {"SET_FUNCTION_ATTRIBUTE"},
        compare=5,
        attr_call=True,
        closure_flags=False,
    ),
}

BINARY = ("+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^")  # then in place
COMPARE = ("<", "<=", "==", "!=", ">", ">=")
INTRINSICS = {5: "pos", 6: "tuple"}
