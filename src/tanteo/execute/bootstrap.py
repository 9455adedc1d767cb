"""The first file that the subject's interpreter runs: makes `tanteo`, and only it, importable there."""

import importlib.util
import json
import os
import sys


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


if __name__ == "__main__":
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.meta_path.insert(0, OwnFinder(package))  # type: ignore[arg-type, no-untyped-call]
    from tanteo.execute.zygote import main

    main(json.loads(sys.argv[1]))
