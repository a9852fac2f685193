"""What all kernels share: sizes of their memory, symbols, statuses, mathematics."""
