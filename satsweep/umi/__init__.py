"""Programs of UMI: this package as an engine, and the conformance suite."""
