"""Addresses of network services."""

from __future__ import annotations

import socket


def service(port: int) -> str:
    """What kind of port a number is."""
    if not 0 <= port < 65536:
        raise ValueError("a port is between 0 and 65535")
    if port < 1024:
        return "system"
    if port < 49152:
        return "registered"
    return "dynamic"


def split_address(address: str, default: int = 80) -> tuple[str, int]:
    """Host and port of an address such as ``localhost:8000``."""
    host, colon, port = address.rpartition(":")
    if not colon:
        return address, default
    if not (port.isascii() and port.isdigit()):
        raise ValueError(f"not a port: {port!r}")
    return host, int(port)


def discard_service_answers(n: int) -> bool:
    """Whether the discard service of this computer takes connections; asked only if n > 1."""
    if n > 1:
        try:
            with socket.create_connection(("127.0.0.1", 9), timeout=1):
                return True
        except (ConnectionRefusedError, TimeoutError):
            return False
    return False


class Address:
    """A host and a port."""

    def __init__(self, host: str, port: int = 80) -> None:
        self.host = host
        self.port = port

    def is_local(self) -> bool:
        """Whether it is on this computer."""
        return self.host == "localhost" or self.host.startswith("127.")
