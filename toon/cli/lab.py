"""``token-lab``: the app's launcher, like ``streamlit run app.py`` in a clone."""

import os
import runpy
import sys
from collections.abc import Sequence

from toon.cli.output import say
from toon.installed import HOME, VERSION, InstallationError, check_name, require

_HELP = """\
usage: token-lab [OPTIONS]

Opens the token lab in a browser, on this machine alone. OPTIONS are those of streamlit run, such as
--server.port 8600 or --server.headless true.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the Streamlit app and serve it until it is stopped; return the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if {"-V", "--version"} & set(arguments):
        print(f"token-lab {VERSION}")
        return 0
    if {"--help", "-h"} & set(arguments):
        print(_HELP, end="")
        return 0
    try:
        check_name()
        require("app", "token-lab")
    except InstallationError as error:
        say(str(error))
        return 1
    sys.argv = ["streamlit", "run", os.path.join(HOME, "app.py"), *arguments]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    return 0
