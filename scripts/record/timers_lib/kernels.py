"""kernels/harness_spin and kernels/harness_stream from the same source text that the tuner compiles, as callables that
launch on PyTorch's current stream. Needs PyTorch, CuPy (which brings NVRTC) and a GPU."""

import pathlib

import cupy
import numpy
import torch

from lib.statistics import median

KERNELS = pathlib.Path(__file__).resolve().parents[3] / "kernels"
COLS = 1024
THREADS, BLOCKS_PER_SM, UNROLL = 512, 2, 4  # of kernels/harness_stream, as in its kernel.yaml


def load(kernel, entry, source, **macros):
    options = ["--std=c++17", f"-I{KERNELS / 'common'}"] + [f"-D{name}={value}" for name, value in macros.items()]
    text = (KERNELS / kernel / source).read_text(encoding="utf-8")
    return cupy.RawModule(code=text, options=tuple(options), backend="nvrtc").get_function(entry)


def launch(function, grid, block, arguments):
    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        function((grid,), (block,), arguments)


def pointer(tensor):
    return numpy.uint64(tensor.data_ptr())


def spin(steps):
    """A callable that runs `steps` dependent steps in one warp. Its result has been checked once."""
    function = load("harness_spin", "spin", "spin.cu")
    y = torch.zeros(32, dtype=torch.int32, device="cuda")
    arguments = (pointer(y), numpy.int32(32), numpy.int32(steps), numpy.int32(0))

    def run():
        launch(function, 1, 32, arguments)

    run()
    if y.tolist() != list(range(32)):
        raise RuntimeError("harness_spin gave a wrong result")
    run.buffers = [y]
    return run


def stream(rows):
    """A callable that copies rows x 1024 floats. Its result has been checked once."""
    function = load("harness_stream", "stream", "stream.cu", THREADS=THREADS, BLOCKS_PER_SM=BLOCKS_PER_SM)
    x = torch.empty((rows, COLS), dtype=torch.float32, device="cuda").normal_()
    y = torch.empty_like(x)
    sm_count = torch.cuda.get_device_properties(0).multi_processor_count
    grid = min(-(-rows * COLS // (4 * UNROLL * THREADS)), sm_count * BLOCKS_PER_SM)
    # No extra packets are read, so x may stand for z.
    arguments = (pointer(x), pointer(x), pointer(y), numpy.int64(rows * COLS), numpy.int64(0))

    def run():
        launch(function, grid, THREADS, arguments)

    run()
    if not torch.equal(x, y):
        raise RuntimeError("harness_stream gave a wrong result")
    run.buffers = [x, y]
    return run


MAKERS = {"spin": spin, "stream": stream}


def long_run_us(run, repeat=7):
    """The median of single long launches between events: fit for differences of them, which cancel the overhead."""
    times = []
    for _ in range(repeat):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        run()
        end.record()
        torch.cuda.synchronize()
        times.append(1e3 * start.elapsed_time(end))
    return median(times)


def slopes():
    """{"spin": us per step, "stream": us per row}, from launches so long that their overhead is nothing and cancels."""
    # Long enough that the clock is up; the first of the runs that count comes after it.
    long_run_us(spin(8_000_000), 5)
    spin_us = (long_run_us(spin(8_000_000)) - long_run_us(spin(2_000_000))) / 6e6
    small, large = stream(1 << 17), stream(1 << 19)
    stream_us = (long_run_us(large) - long_run_us(small)) / ((1 << 19) - (1 << 17))
    return {"spin": spin_us, "stream": stream_us}
