"""Parts of scripts/record/compare_timers. Everything but kernels.py and timers.py works without PyTorch and without a GPU."""
