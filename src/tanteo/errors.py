"""Mistakes of the user: one line that says what, where and what to do; exit status 2."""


class UserError(Exception):
    """A mistake that the user can mend; `slug` is its anchor in docs/messages.md."""

    def __init__(self, message: str, slug: str) -> None:
        super().__init__(message)
        self.slug = slug

    def __str__(self) -> str:
        return f"{self.args[0]} [{self.slug}]"
