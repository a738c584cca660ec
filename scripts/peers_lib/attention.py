"""What can be said of attention problems without PyTorch: work, samples, and which problems PyTorch computes as we do."""


def visible_pairs(problem):
    """(query, key) pairs that the mask lets through, of one head. The last query sees every key: causal masks are aligned
    at the bottom right, so that queries after a past see all of it."""
    queries, keys = problem["q_len"], problem["kv_len"]
    if not problem["causal"]:
        return queries * keys
    # Query i sees keys 0 to keys - queries + i; where that is negative it sees none.
    blind = max(0, queries - keys)
    seeing = queries - blind
    first, last = keys - queries + blind + 1, keys
    return seeing * (first + last) // 2


def flops(problem):
    """Multiplications and additions of both products over the visible pairs alone."""
    return 4 * problem["batch"] * problem["heads"] * problem["d"] * visible_pairs(problem)


def byte_count(problem, element_bytes):
    """Compulsory traffic: q, k and v once, the output once."""
    queries = problem["heads"] * problem["q_len"]
    keys = problem["kv_heads"] * problem["kv_len"]
    return 2 * problem["batch"] * problem["d"] * (queries + keys) * element_bytes


def incomparable(problem):
    """Why PyTorch does not compute this problem, or an empty string."""
    if problem["causal"] and problem["q_len"] != problem["kv_len"]:
        return ("PyTorch aligns causal masks at the top left, this kernel at the bottom right: only q_len = kv_len can be "
                "compared")
    return ""


def sampled_rows(count):
    """Queries whose output is compared, ascending: both ends, both sides of the borders of usual tiles, the middle."""
    wanted = {0, 1, 63, 64, 127, 128, count // 2, count - 129, count - 65, count - 2, count - 1}
    return sorted(row for row in wanted if 0 <= row < count)


def sampled_heads(problem):
    """(batch, head, kv_head) whose output is compared: the first, the last, and both sides of where kv heads change."""
    group = problem["heads"] // problem["kv_heads"]
    heads = sorted({0, group - 1, min(group, problem["heads"] - 1), problem["heads"] - 1})
    batches = sorted({0, problem["batch"] - 1})
    return [(batch, head, head // group) for batch in batches for head in heads]
