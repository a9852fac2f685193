"""The class that CS50 AI asks for, with sentences that are compared with each other until nothing is new."""

import random


class Sentence:
    """A set of cells, and the number of mines among them."""

    def __init__(self, cells, count):
        self.cells = set(cells)
        self.count = count

    def __eq__(self, other):
        return self.cells == other.cells and self.count == other.count


class MinesweeperAI:
    def __init__(self, height=8, width=8):
        self.height = height
        self.width = width
        self.moves_made = set()
        self.mines = set()
        self.safes = set()
        self.knowledge = []

    def add_knowledge(self, cell, count):
        self.moves_made.add(cell)
        self.safes.add(cell)
        row, col = cell
        around = {
            (r, c)
            for r in range(max(row - 1, 0), min(row + 2, self.height))
            for c in range(max(col - 1, 0), min(col + 2, self.width))
        }
        self.knowledge.append(Sentence(around - {cell}, count))
        self.infer()

    def infer(self):
        again = True
        while again:
            again = False
            for sentence in self.knowledge:
                sentence.count -= len(sentence.cells & self.mines)
                sentence.cells -= self.mines | self.safes
                if not sentence.cells:
                    continue
                if sentence.count == 0:
                    self.safes |= sentence.cells
                    again = True
                elif sentence.count == len(sentence.cells):
                    self.mines |= sentence.cells
                    again = True
            self.knowledge = [sentence for sentence in self.knowledge if sentence.cells]
            for one in list(self.knowledge):
                for other in list(self.knowledge):
                    if one.cells < other.cells:
                        new = Sentence(other.cells - one.cells, other.count - one.count)
                        if new not in self.knowledge:
                            self.knowledge.append(new)
                            again = True

    def make_safe_move(self):
        left = self.safes - self.moves_made
        return min(left) if left else None

    def make_random_move(self):
        left = [
            (row, col)
            for row in range(self.height)
            for col in range(self.width)
            if (row, col) not in self.moves_made | self.mines
        ]
        return random.choice(left) if left else None
