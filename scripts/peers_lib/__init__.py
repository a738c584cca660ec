"""Parts of scripts/peers. Everything but equivalents.py and timing.py works without PyTorch."""
