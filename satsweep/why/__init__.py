"""Why: the numbers behind every forced cell, in words, with proofs; and those that cannot all be true."""
