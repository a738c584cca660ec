#!/usr/bin/env python3
"""What quantising costs attention: the error against the problem before it was quantised, of q, k and v rounded to bf16, as
attention_prefill takes them, and to e4m3 with a scale for each head, as attention_fp8 does, probabilities rounded as these
kernels round them; and of a decode step, as decode_attention reads a cache of e4m3 with a scale for each key, q in bf16. Everything
else is in double precision. One head of 128 columns, all keys visible. The correlation is that of results with exact ones.

    python3 kernels/attention_fp8/error.py [--keys 1024] [--rows 16] [--outliers]

With --outliers one element in a thousand has ten times the deviation, as activations of models have. Seconds, without packages.
"""

import argparse
import math
import operator
import random
import struct

COLUMNS = 128


def as_bf16(x):
    (bits,) = struct.unpack("<I", struct.pack("<f", x))
    bits += 0x7fff + (bits >> 16 & 1)
    return struct.unpack("<f", struct.pack("<I", bits & 0xffff0000))[0]


def as_e4m3(x):
    """Nearest, ties to even; what exceeds 448 becomes that."""
    exponent = max(math.frexp(x)[1] - 1, -6)  # below 2^-6 steps stay 2^-9
    step = 2.0 ** (exponent - 3)
    return math.copysign(min(abs(round(x / step) * step), 448.0), x)


def in_e4m3(rows):
    """With one scale that makes the largest element 448."""
    scale = max(abs(x) for row in rows for x in row) / 448
    return [[as_e4m3(x / scale) * scale for x in row] for row in rows]


def in_e4m3_by_row(rows):
    """With a scale for each row."""
    return [in_e4m3([row])[0] for row in rows]


def in_bf16(rows):
    return [[as_bf16(x) for x in row] for row in rows]


def dot(a, b):
    return sum(map(operator.mul, a, b))


def attend(q, k, v, rounded):
    columns = list(zip(*v))
    out = []
    for row in q:
        scores = [dot(row, key) / math.sqrt(COLUMNS) for key in k]
        largest = max(scores)
        weights = [math.exp(score - largest) for score in scores]
        total = sum(weights)
        weights = [rounded(weight) for weight in weights]
        out.append([dot(weights, column) / total for column in columns])
    return out


def root_mean_square(rows):
    return math.sqrt(sum(dot(row, row) for row in rows) / (len(rows) * COLUMNS))


def correlation(got, exact):
    """Pearson's, of all elements."""
    pair = []
    for rows in (got, exact):
        mean = sum(map(sum, rows)) / (len(rows) * COLUMNS)
        pair.append([[x - mean for x in row] for row in rows])
    products = sum(dot(*rows) for rows in zip(*pair))
    return products / (len(got) * COLUMNS * root_mean_square(pair[0]) * root_mean_square(pair[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=1024)
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--outliers", action="store_true")
    options = parser.parse_args()
    chance = random.Random(0)

    def element():
        return chance.gauss(0, 10 if options.outliers and chance.random() < 0.001 else 1)

    q, k, v = ([[element() for _ in range(COLUMNS)] for _ in range(rows)] for rows in (options.rows, options.keys, options.keys))
    exact = attend(q, k, v, float)
    size = root_mean_square(exact)
    print(f"{options.rows} rows, {options.keys} keys{', with outliers' if options.outliers else ''}: error, by the result's size")
    print(f"{'':32}{'rms':>10}{'largest':>10}{'correlation':>13}")
    for name, of_q, of_k, of_v, rounded in (
            ("bf16 (attention_prefill)", in_bf16, in_bf16, in_bf16, as_bf16),
            ("q, k in e4m3, v in bf16", in_e4m3, in_e4m3, in_bf16, as_bf16),
            ("q, k, v in e4m3", in_e4m3, in_e4m3, in_e4m3, lambda p: as_e4m3(256 * p) / 256),
            ("decode: k, v in e4m3, q in bf16", in_bf16, in_e4m3_by_row, in_e4m3_by_row, as_bf16)):
        got = [[as_bf16(x) for x in row] for row in attend(of_q(q), of_k(k), of_v(v), rounded)]
        error = [[x - y for x, y in zip(*rows)] for rows in zip(got, exact)]
        largest = max(abs(x) for row in error for x in row)
        print(f"{name:32}{root_mean_square(error) / size:10.1e}{largest / size:10.1e}{correlation(got, exact):13.6f}")


if __name__ == "__main__":
    main()
