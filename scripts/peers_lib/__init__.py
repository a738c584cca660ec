"""Parts of scripts/peers. Everything but base.py and timing.py works without PyTorch; a kernel's peers are defined in
the kernel's own folder."""
