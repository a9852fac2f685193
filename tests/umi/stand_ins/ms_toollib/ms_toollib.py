"""Stand-in of the package of this name: each covered cell is as likely a mine as any other, unless none or all are."""


def cal_probability_onboard(board: list[list[int]], mines: float) -> tuple[list[list[float]], list[int]]:
    covered = sum(row.count(10) for row in board)
    assert 1 <= mines < covered
    return [[mines / covered if number == 10 else 0.0 for number in row] for row in board], []
