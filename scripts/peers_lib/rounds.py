"""Times every peer of a problem. Independent of PyTorch: the peers, the timer and the judge are passed in."""

from lib import statistics


def time_peers(equivalent, problem, timer, difference, repeat, floor_us):
    """{"bytes", "peers": {name: estimate}, "notes"}, and "flops" of what counts them.

    A peer that fails or computes something else is None, with the reason under notes. `difference` is base.difference
    or a stub of it.
    """
    result = {"bytes": equivalent.bytes(problem), "peers": dict.fromkeys(equivalent.peers), "notes": []}
    if hasattr(equivalent, "flops"):
        result["flops"] = equivalent.flops(problem)
    reason = equivalent.incomparable(problem)
    if reason:
        result["notes"].append(f"{', '.join(equivalent.peers)}: {reason}")
        return result
    inputs = equivalent.inputs(problem)
    for name in equivalent.peers:
        try:
            samples, notes = _time_peer(equivalent, name, problem, inputs, timer, difference, repeat)
        except RuntimeError as error:  # torch.OutOfMemoryError is one, and so are the compiler's own
            samples, notes = [], [str(error).strip().splitlines()[0]]
        if samples:
            result["peers"][name] = statistics.estimate(samples, floor_us)
        result["notes"] += [f"{name}: {note}" for note in notes]
    return result


def _time_peer(equivalent, name, problem, inputs, timer, difference, repeat):
    """Samples, none of a wrong result, and notes on them."""
    operation, note = equivalent.operation(name, problem, inputs)
    wrong = difference(equivalent, problem, inputs, operation())
    samples = []
    for _ in range(0 if wrong else repeat):
        samples += timer.samples_us(operation)
    return samples, [text for text in (note, wrong) if text]
