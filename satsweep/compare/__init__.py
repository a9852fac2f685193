"""The arena: agents on the same boards, with intervals and exact tests.

>>> from satsweep.compare import Plan, Setting, compare
>>> plan = Plan(("basic", "gem"), (Setting(5, 5, 4),), games=20)
>>> from concurrent.futures import ThreadPoolExecutor
>>> with ThreadPoolExecutor(1) as executor:
...     report = compare(plan, executor)
>>> [comparison.games for comparison in report.sections[0].comparisons]
[20]
"""

from satsweep.compare.plan import Figure, Plan
from satsweep.compare.planfile import plan_named, plan_names, read_plan
from satsweep.compare.progress import RunProgress
from satsweep.compare.report import Report
from satsweep.compare.result import Result
from satsweep.compare.run import compare, report_on
from satsweep.compare.store import Store
from satsweep.compare.workers import Workers, cluster, processes
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
    "plan_named",
    "plan_names",
    "processes",
    "read_plan",
    "report_on",
]
