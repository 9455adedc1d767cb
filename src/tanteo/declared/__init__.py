"""Contracts that the code itself declares, in whatever dialect: read, evaluated before a call, blamed after.

    reading.py     what a function or a class requires and promises
    legality.py    a call that is not made if what it requires does not hold
    violations.py  whose contract an exception tells of

No contract library is imported here: what they leave on functions and classes is read by attribute, so a
subject may use any of them or none.
"""

LIBRARIES = frozenset({"icontract", "deal", "dpcontracts"})
