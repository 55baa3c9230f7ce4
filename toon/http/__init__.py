"""The HTTP routes: ``/convert`` and ``/measure`` for the editors, ``/v1`` for programs.

Plain Starlette routes for ``st.App(..., routes=[Mount("/api", routes=ROUTES)])``. Work is done off
the event loop; bodies are limited, and never stored on disk or logged.
"""

from typing import Final

from toon.http.editors import EDITORS
from toon.http.v1 import V1

ROUTES: Final = [*EDITORS, *V1]
