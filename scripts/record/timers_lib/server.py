"""A process that has imported the libraries and never touches the GPU: it forks one child for every request.

Each child is a fresh process as far as CUDA is concerned (context, clocks, caches), and saves the seconds that importing
PyTorch takes. Requests and answers are lines of JSON on stdin and stdout.

    {"do": "environment"}                                              -> {"device": ..., "torch": ..., ...}
    {"do": "slopes"}                                                   -> {"spin": us, "stream": us}
    {"do": "time", "timer": "events", "kernel": "spin", "size": 5000}  -> {"reported_us": ..., "wall_ms": ...}

An answer with "error" is a child that failed; with "missing", the machine lacks what the message names.
"""

import importlib.util
import json
import os
import pathlib
import sys
import time

RECORD = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(RECORD.parent), str(RECORD)]


def environment(torch):
    if not torch.cuda.is_available():
        return {"missing": f"PyTorch {torch.__version__} sees no CUDA GPU; run this on a machine with one "
                           "(`nvidia-smi` must list it)"}
    import cupy
    import triton

    nvrtc = ".".join(map(str, cupy.cuda.nvrtc.getVersion()))
    has_nvbench = importlib.util.find_spec("cuda") and importlib.util.find_spec("cuda.bench")
    if has_nvbench:
        from importlib import metadata

    return {"device": torch.cuda.get_device_name(0), "torch": torch.__version__, "triton": triton.__version__,
            "cupy": cupy.__version__, "nvrtc": nvrtc, "cuda": torch.version.cuda,
            "nvbench": f"cuda-bench {metadata.version('cuda-bench')}" if has_nvbench else None}


def measure(request):
    import torch

    from timers_lib import kernels, timers

    run = kernels.MAKERS[request["kernel"]](request["size"])
    torch.cuda.synchronize()
    begin = time.perf_counter()
    reported_us = timers.TIMERS[request["timer"]](run)
    return {"reported_us": reported_us, "wall_ms": 1e3 * (time.perf_counter() - begin)}


def answer(torch, request):
    if request["do"] == "environment":
        return environment(torch)
    if request["do"] == "slopes":
        from timers_lib import kernels

        return kernels.slopes()
    return measure(request)


def in_child(torch, request):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            result = answer(torch, request)
        except ModuleNotFoundError as error:
            result = {"missing": f"the Python package '{error.name}' is not installed; get it with pip"}
        except Exception as error:  # whatever went wrong in there is this request's answer
            lines = str(error).strip().splitlines() or [repr(error)]
            result = {"error": f"{type(error).__name__}: {lines[0]}"}
        with os.fdopen(writer, "w", encoding="utf-8") as pipe:
            pipe.write(json.dumps(result))
        os._exit(0)  # no clean-up of what the parent owns
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    if not text:
        return {"error": f"the process ended without an answer (wait status {status})"}
    return json.loads(text)


def answers_apart_from_stdout():
    """A function that writes an answer. Output of libraries on stdout, such as that of NVBench, is discarded."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)

    def say(answer_to_send):
        answers.write(json.dumps(answer_to_send) + "\n")
        answers.flush()

    return say


def main():
    say = answers_apart_from_stdout()
    # Asking the runtime for GPUs would initialise CUDA here, and a fork could not use it afterwards.
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    try:
        import torch
    except ModuleNotFoundError:
        say({"missing": "PyTorch is not installed; get it with `python3 -m pip install torch` on a machine with an NVIDIA "
                        "GPU"})
        return
    try:
        import triton.testing  # noqa: F401  (imported once for all children)
    except ModuleNotFoundError:
        say({"missing": "Triton is not installed; get it with `python3 -m pip install triton`"})
        return
    say({"ready": True})
    for line in sys.stdin:
        say(in_child(torch, json.loads(line)))


if __name__ == "__main__":
    main()
