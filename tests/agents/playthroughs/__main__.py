"""Play every game and write its transcript."""

from satsweep.render.transcript import transcript
from tests.agents.playthroughs import PLAYTHROUGHS, golden

for name, playthrough in PLAYTHROUGHS.items():
    golden(name).write_text("".join(transcript(playthrough.play())), encoding="utf-8")
    print(golden(name))
