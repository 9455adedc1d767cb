"""Parts that can be switched off by name (`--without PART`), to see what each of them is good for."""

from __future__ import annotations

# Where types come from.
SOURCES = {
    "annotation": "declared types of parameters",
    "stub": "types from stub files",
    "default": "types of default values",
    "docstring": "types that docstrings name",
    "isinstance": "classes that the body asks for",
    "use": "what the body does with a parameter",
    "attributes": "classes that have the attributes that are asked for",
    "language": "texts of what a parameter is parsed as",
    "record": "dicts with the fields of a class, beside a class",
    "comparison": "constants that a parameter is compared with",
    "example": "values from doctests, the README and calls in the package",
    "name": "what parameters are called",
    "stand-in": "what objects that take notes were asked for",
}
# What to pass, what to call, what is learned. The last five are components of GRT.
STEPS = {
    "feedback": "types by what became of earlier calls",
    "mined": "constants of the source",
    "guide": "operands of comparisons in front of open arms",
    "sampling": "costly contracts are asked ever more rarely",
    "subclass": "minimal subclasses of abstract classes",
    "bloodhound": "operations with open arms first",
    "orienteering": "cheap inputs first",
    "impurity": "numbers and texts changed a little before they are passed",
    "offers": "classes and objects that modules have ready",
    "detective": "classes from elsewhere that parameters want",
    "elephant": "values by the class that they have, not the one that was declared",
}
PARTS = SOURCES | STEPS
