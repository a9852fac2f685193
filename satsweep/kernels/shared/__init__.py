"""Common to all kernels: sizes, symbols and statuses; mathematics."""
