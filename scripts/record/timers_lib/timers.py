"""Common timers of kernels, each as a function of a callable that gives microseconds. Needs PyTorch and a GPU.

Every timer is used as it comes: its own warm-up, its own number of samples, its own idea of caches.
"""

import json
import pathlib
import tempfile

import torch


def do_bench(run):
    import triton.testing

    return 1e3 * triton.testing.do_bench(run, return_mode="median")


def do_bench_cudagraph(run):
    import triton.testing

    return 1e3 * triton.testing.do_bench_cudagraph(run, return_mode="median")


def events(run):
    """The loop of many a notebook: ten to warm up, then a hundred between two events."""
    for _ in range(10):
        run()
    torch.cuda.synchronize()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(100):
        run()
    end.record()
    torch.cuda.synchronize()
    return 1e3 * start.elapsed_time(end) / 100


def nvbench(run):
    """NVBench's cold measurement with its default stopping criterion: the mean that it reports as GPU time."""
    import cuda.bench as bench

    def measured(state):
        def once(launched):
            with torch.cuda.stream(torch.cuda.ExternalStream(launched.get_stream().addressof())):
                run()

        state.exec(once, batched=False)

    bench.register(measured)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "nvbench.json"
        bench.run_all_benchmarks(["nvbench", "--devices", "0", "--json", str(file)])
        return nvbench_gpu_us(json.loads(file.read_text(encoding="utf-8")))


def nvbench_gpu_us(report):
    """Of NVBench's --json report with one benchmark and one state."""
    state = report["benchmarks"][0]["states"][0]
    if state.get("is_skipped"):
        raise RuntimeError(f"NVBench skipped it: {state.get('skip_reason', 'no reason given')}")
    for summary in state["summaries"]:
        if summary.get("tag") == "nv/cold/time/gpu/mean":
            return 1e6 * float(next(item["value"] for item in summary["data"] if item["name"] == "value"))
    raise RuntimeError("NVBench's report holds no cold GPU time")


TIMERS = {"do_bench": do_bench, "do_bench_cudagraph": do_bench_cudagraph, "events": events, "nvbench": nvbench}
