"""Timing on the GPU by the protocol of the tuner: cold L2, launch hidden, one pair of events per sample.

    sample:  make pinned lines ordinary | overwrite 2 x L2 | read 2 x L2 of something else | overwrite as much as the operation's
             outputs have | spin | event | the operation | event

Overwriting leaves dirty lines in L2: an operation that reads more than L2 holds would be charged for writing them back, and would
leave its own stores to the next one. Reading over them cleans L2, and then as much is overwritten as the operation writes itself.

Kernels that torch.compile writes load with evict_last what they will need again. Such lines outlast the overwriting of L2, so
that the next sample finds them there: a norm of 128 x 8192 then takes 2.8 us on an H100 instead of 4.2. So each sample begins
by resetting them, as the tuner does for kernels that pin lines.

A long operation (LONG_US) may draw more power than the device is allowed, and is then slowed down by what ran before it. Each
of its samples is followed by a cool-down of twice its length, as the tuner pauses between samples when the clock falls.

The spin kernel holds the stream while the host enqueues the rest, so that the events enclose work of the GPU only, also
for an operation of several launches. The cost of the launch and of the two events themselves is measured around an
empty kernel, the floor, and subtracted once from every operation, as the tuner does; the raw median is kept as well.
"""

import ctypes
import time
from collections.abc import Iterable

import torch

from lib.statistics import median

MIN_SAMPLES = 50
LONG_US = 200  # longer operations are followed by cool-downs
RESTS = 2      # length of a cool-down, in lengths of the operation
SPIN_CLOCK_HZ = 2.0e9  # torch.cuda._sleep counts cycles; at a lower clock the spin is only longer


class Timer:
    def __init__(self, samples=MIN_SAMPLES):
        self.samples = max(samples, MIN_SAMPLES)
        properties = torch.cuda.get_device_properties(0)
        l2_bytes = getattr(properties, "L2_cache_size", 64 << 20)
        self.evictor = torch.empty(2 * l2_bytes // 4, dtype=torch.int32, device="cuda")
        self.clean = torch.zeros_like(self.evictor)
        self.largest = torch.empty((), dtype=torch.int32, device="cuda")
        self.value = 0
        self.driver = ctypes.CDLL("libcuda.so.1")

    def reset_pinned_lines(self):
        """The GPU must be idle, or a sample under way is disturbed."""
        torch.cuda.synchronize()
        if result := self.driver.cuCtxResetPersistingL2Cache():
            raise RuntimeError(f"cuCtxResetPersistingL2Cache failed with error {result}")

    def evict(self, dirty_bytes):
        """Evicts all former contents of L2; then at most dirty_bytes of it are dirty, or all of it."""
        self.value += 1
        self.evictor.fill_(self.value)
        dirty = max(1, -(-dirty_bytes // self.evictor.itemsize))
        if dirty < self.evictor.numel():
            torch.amax(self.clean, dim=0, out=self.largest)
            self.evictor[:dirty].fill_(self.value)

    def samples_us(self, operation):
        """Cold times of operation() in microseconds, one per sample, in the order taken. Its outputs are what it returns."""
        written = output_bytes(operation())
        spin_cycles = self._spin_cycles(operation)
        samples = []
        long_us = None  # of an operation that is given rests
        while len(samples) < self.samples:
            start = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            self.reset_pinned_lines()
            self.evict(written)
            torch.cuda._sleep(spin_cycles)
            start.record()
            operation()
            end.record()
            torch.cuda.synchronize()
            samples.append(1e3 * start.elapsed_time(end))
            if samples[-1] > LONG_US:
                long_us = samples[-1]
                time.sleep(RESTS * long_us * 1e-6)
        return samples

    def floor(self):
        """{"floor_us": ..., "operation": ..., "readings_us": {...}}: the smallest median around kernels that do next to
        nothing. A PyTorch that compiles CUDA C++ is given an empty kernel, as the tuner has one. Others have none: a spin of no
        cycles reads a clock and a fill of one element writes it, so the smaller reading is the nearer one."""
        one = torch.empty(1, dtype=torch.int32, device="cuda")
        candidates = {"torch.cuda._sleep(0)": lambda: torch.cuda._sleep(0), "fill_ of one element": lambda: one.fill_(1)}
        if hasattr(torch.cuda, "_compile_kernel"):
            empty = torch.cuda._compile_kernel('extern "C" __global__ void empty(int) {}', "empty")
            candidates["an empty kernel"] = lambda: empty((1, 1, 1), (32, 1, 1), (1,))
        for run in candidates.values():
            run()  # loaded before it is timed
        readings = {name: median(self.samples_us(run)) for name, run in candidates.items()}
        operation = min(readings, key=readings.get)
        return {"floor_us": readings[operation], "operation": operation, "readings_us": readings}

    @staticmethod
    def _spin_cycles(operation):
        """Twice the time that the host needs to enqueue the operation, and a margin."""
        host_seconds = []
        for _ in range(5):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            operation()
            host_seconds.append(time.perf_counter() - begin)
        torch.cuda.synchronize()
        return int((2 * median(host_seconds) + 50e-6) * SPIN_CLOCK_HZ)


def output_bytes(outputs):
    """The tensors that an operation returned, alone or in tuples, lists and dicts."""
    if isinstance(outputs, torch.Tensor):
        return outputs.numel() * outputs.itemsize
    if isinstance(outputs, dict):
        outputs = outputs.values()
    return sum(output_bytes(output) for output in outputs) if isinstance(outputs, Iterable) else 0


def measure_ceilings(timer):
    """GB/s of a plain copy (read + written) and of a plain read, on random data far larger than L2.

    The read is the faster of torch.sum and torch.amax over float32, whose arithmetic is far from limiting. Both figures are
    what a simple full-width kernel reaches, so a result may exceed them by a little.
    """
    count = 1 << 29  # 2 GiB
    source = torch.empty(count, dtype=torch.float32, device="cuda").uniform_()
    target = torch.empty_like(source)
    copy_us = median(timer.samples_us(lambda: target.copy_(source)))
    read_us = min(median(timer.samples_us(lambda: reduce(source))) for reduce in (torch.sum, torch.amax))
    byte_count = 4 * count
    return {"copy_gb_per_s": 2 * byte_count / copy_us / 1e3, "read_gb_per_s": byte_count / read_us / 1e3}
