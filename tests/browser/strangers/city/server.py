#!/usr/bin/env python3
"""The citizen services of the city of Lindenau."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import api_citizen  # noqa: E402, F401 - its routes
import api_staff  # noqa: E402, F401
import portal  # noqa: E402
import serve  # noqa: E402

if __name__ == "__main__":
    serve.run(portal.Handler, "localhost")
