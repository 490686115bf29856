"""What is known of a value's type when a flow is defined.

A kind is any annotation as it stands at runtime; `ANY` is a kind of which nothing is known.
Nothing here looks at a value: the door does.
"""

from ominus.flow.types.fields import RecordType, fields_of_type
from ominus.flow.types.meet import never_equal
from ominus.flow.types.parts import part_type
from ominus.flow.types.plain import ANY, class_name, either, may_be_none, members, plain, shown
from ominus.flow.types.results import result_type
from ominus.flow.types.uniform import uniform

__all__ = [
    "ANY",
    "RecordType",
    "class_name",
    "either",
    "fields_of_type",
    "may_be_none",
    "members",
    "never_equal",
    "part_type",
    "plain",
    "result_type",
    "shown",
    "uniform",
]
