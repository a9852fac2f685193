"""The arena: agents on the same boards, with intervals and exact tests.

>>> from satsweep.arena import Plan, Setting, run_plan
>>> plan = Plan(("basic", "gem"), (Setting(5, 5, 4),), games=20)
>>> from concurrent.futures import ThreadPoolExecutor
>>> with ThreadPoolExecutor(1) as executor:
...     report = run_plan(plan, executor)
>>> [comparison.games for comparison in report.sections[0].comparisons]
[20]
"""

from satsweep.arena.plan import Figure, Plan
from satsweep.arena.planfile import plan_named, plan_names, read_plan
from satsweep.arena.progress import RunProgress
from satsweep.arena.report import Report
from satsweep.arena.result import Result
from satsweep.arena.run import compare, merge, report_on, run_plan
from satsweep.arena.store import Store
from satsweep.arena.workers import Workers, cluster, processes
from satsweep.games.setting import Setting

__all__ = [
    "Figure",
    "Plan",
    "Report",
    "Result",
    "RunProgress",
    "Setting",
    "Store",
    "Workers",
    "cluster",
    "compare",
    "merge",
    "plan_named",
    "plan_names",
    "processes",
    "read_plan",
    "report_on",
    "run_plan",
]
