"""Code shared by several scripts: sweep files, the built program and its answers, tables, statistics, the commit. Does not need
PyTorch."""
