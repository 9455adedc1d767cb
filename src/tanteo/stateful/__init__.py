"""Stateful testing (paper 001): what random testing has left is asked for what it never tried.

Every call is described by *atoms*: Python expressions over its parameters that are true or false before it
and after it. Atoms that were always true become contracts; a database of objects is then searched for those
that would break them, and the calls that this makes possible are tried.
"""
