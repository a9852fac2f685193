"""The class that CS50 AI asks for, where every sentence keeps the same set of cells: an alias, not a copy."""

import random


class MinesweeperAI:
    def __init__(self, height=8, width=8):
        self.height = height
        self.width = width
        self.moves_made = set()
        self.mines = set()
        self.safes = set()
        self.knowledge = []
        self.around = set()

    def add_knowledge(self, cell, count):
        self.moves_made.add(cell)
        self.safes.add(cell)
        self.around.clear()
        for row in range(cell[0] - 1, cell[0] + 2):
            for col in range(cell[1] - 1, cell[1] + 2):
                inside = 0 <= row < self.height and 0 <= col < self.width
                if inside and (row, col) not in self.safes:
                    self.around.add((row, col))
        self.knowledge.append([self.around, count])
        for cells, mines in self.knowledge:
            if mines == 0:
                self.safes |= cells
            elif mines == len(cells):
                self.mines |= cells

    def make_safe_move(self):
        for cell in sorted(self.safes):
            if cell not in self.moves_made:
                return cell

    def make_random_move(self):
        cells = [(row, col) for row in range(self.height) for col in range(self.width)]
        left = [cell for cell in cells if cell not in self.moves_made and cell not in self.mines]
        return random.choice(left) if left else None
