"""Tell every reason again, and write down the text."""

from tests.why.reasons import GOLDEN, golden

GOLDEN.write_text("".join(golden()), encoding="utf-8")
print(GOLDEN)
