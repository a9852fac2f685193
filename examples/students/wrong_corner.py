"""An environment's agent, `act(state)`, that returns a dictionary; it takes one covered cell in a corner for a mine."""


class Agent:
    def act(self, state):
        safe, mines = [], []
        for r, row in enumerate(state):
            for c, number in enumerate(row):
                around = [
                    (i, j)
                    for i in range(max(0, r - 1), min(len(state), r + 2))
                    for j in range(max(0, c - 1), min(len(row), c + 2))
                    if state[i][j] in (-1, 9)
                ]
                if number == 0:
                    safe += around
                elif number in range(1, 9) and len(around) <= 2:
                    mines += around
        return {"safe": safe, "mines": mines}
