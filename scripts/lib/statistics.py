"""The median and its 95 % interval, as the tuner reports them."""

import math


def median(samples):
    ordered = sorted(samples)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def interval_ranks(count, confidence=0.95):
    """(low, high), 0-based ranks of the ordered samples that enclose the true median with the given confidence.

    The number of samples below the median is binomial with p = 1/2 whatever the distribution, so the ranks need no
    assumption about the noise. With too few samples for the confidence (under 6 for 95 %) they are the extremes.
    """
    tail = (1 - confidence) / 2
    below = 0.0
    low = 0
    for rank in range(count):
        below += math.comb(count, rank) / 2**count
        if below > tail:
            break
        low = rank + 1
    low = max(low - 1, 0)
    return low, count - 1 - low


def estimate(samples, floor_us):
    """The median and its interval with the floor subtracted, as our own entries have them, and the raw median."""
    middle, low, high = (max(value - floor_us, 0.0) for value in median_interval(samples))
    return {"median_us": middle, "ci_low_us": low, "ci_high_us": high, "raw_median_us": median(samples),
            "floor_us": floor_us, "samples": len(samples)}


def median_interval(samples, confidence=0.95):
    """(median, low, high)"""
    if not samples:
        raise ValueError("no samples")
    ordered = sorted(samples)
    low, high = interval_ranks(len(ordered), confidence)
    return median(ordered), ordered[low], ordered[high]
