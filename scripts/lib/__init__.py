"""What several scripts share: sweep files, the built program and its answers, tables, statistics, the commit. Needs no
PyTorch."""
