"""Parts of scripts/peers. Everything but equivalents.py, equivalents_base.py, sdpa.py and timing.py works without
PyTorch."""
