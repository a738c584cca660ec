"""The rounding of numbers by scripts/record/format_error; attention itself is arithmetic of a line."""
import unittest

import loaded_script


def load():
    return loaded_script.load("record/format_error")


class FormatErrorTest(unittest.TestCase):
    def test_e4m3_has_three_digits_behind_the_first_down_to_its_smallest_exponent(self):
        round_to = load().round_to
        for value, want in [(1.0, 1.0), (1.06, 1.0), (1.07, 1.125), (448.0, 448.0), (440.0, 448.0), (-17.2, -18.0),
                            (2**-6, 2**-6), (2**-9, 2**-9), (2**-10, 0.0), (3 * 2**-10, 2**-8), (0.0, 0.0)]:
            self.assertEqual(round_to("e4m3", value), want, value)

    def test_a_scale_puts_the_largest_number_at_the_end_of_the_range(self):
        rows = [[1.0, -0.5], [127.0, 0.6]]
        self.assertEqual(load().through("i8", "head", rows), [[1.0, 0.0], [127.0, 1.0]])
        first, second = load().through("i8", "token", rows)
        self.assertAlmostEqual(first[0], 1.0)
        self.assertAlmostEqual(first[1], -64 / 127)
        self.assertEqual(second, [127.0, 1.0])

    def test_attention_is_a_mean_by_the_softmax_of_scores(self):
        module = load()
        self.assertEqual(module.attend([0.0], [[5.0], [7.0]], [[1.0], [3.0]]), [2.0])
        self.assertAlmostEqual(module.attend([1.0], [[50.0], [0.0]], [[1.0], [3.0]])[0], 1.0)

    def test_correlation_is_of_the_deviations_from_the_means(self):
        correlation = load().correlation
        self.assertAlmostEqual(correlation([1.0, 2.0, 3.0], [12.0, 14.0, 16.0]), 1.0)
        self.assertAlmostEqual(correlation([1.0, 2.0, 3.0], [7.0, 6.0, 5.0]), -1.0)
        self.assertAlmostEqual(correlation([1.0, -1.0, 1.0, -1.0], [1.0, -1.0, -1.0, 1.0]), 0.0)


if __name__ == "__main__":
    unittest.main()
