"""Write the text of every golden explanation anew."""

from tests.why.reasons import GOLDEN, golden

GOLDEN.write_text("".join(golden()), encoding="utf-8")
print(GOLDEN)
