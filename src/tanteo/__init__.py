"""tanteo writes tests for Python code by itself."""

__version__ = "0.1.0"
