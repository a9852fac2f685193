"""A class with an argument of its own, and an instance in the file, which is what is played."""


class Solver:
    def __init__(self, depth):
        self.depth = depth

    def deduce(self, board):
        safe, mines = set(), set()
        for _ in range(self.depth):
            for cell in board:
                number = board.number(cell)
                if number is None:
                    continue
                covered = {other for other in board.neighbours(cell) if board.is_covered(other)} - safe
                if number == len(covered & mines):
                    safe |= covered - mines
                elif number == len(covered):
                    mines |= covered
        return safe, mines

    def guess(self, board, rng):
        return rng.choice([cell for cell in board.covered if board[cell] == "#"])


agent = Solver(3)
