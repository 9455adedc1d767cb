"""The first file that the subject's interpreter runs: makes `tanteo`, and only it, importable there."""

import ctypes
import importlib.util
import json
import os
import sys

NO_RANDOM_ADDRESSES = 0x0040000


class OwnFinder:
    """Finds the package tanteo in its folder; its neighbours in our site-packages stay unseen."""

    def __init__(self, folder):  # type: ignore[no-untyped-def]
        self.folder = folder

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name != "tanteo":
            return None
        return importlib.util.spec_from_file_location(
            name,
            os.path.join(self.folder, "__init__.py"),
            submodule_search_locations=[self.folder],
        )


def fix_addresses():  # type: ignore[no-untyped-def]
    """Start again without address randomisation: sets of objects then keep their order between runs."""
    try:
        personality = ctypes.CDLL(None).personality
        now = personality(0xFFFFFFFF)
        if now & NO_RANDOM_ADDRESSES or personality(now | NO_RANDOM_ADDRESSES) < 0:
            return
        os.execv(sys.executable, [sys.executable, "-P", "-B", *sys.argv])
    except (AttributeError, OSError):
        return  # another system, or not allowed here: such sets are then left to chance


if __name__ == "__main__":
    fix_addresses()  # type: ignore[no-untyped-call]
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.meta_path.insert(0, OwnFinder(package))  # type: ignore[no-untyped-call]
    from tanteo.execute.zygote import main

    main(json.loads(sys.argv[1]))
