"""Names of ``satsweep.corpus``: how tables are made, checked and read."""

from .bands import BANDS as BANDS
from .checker import Fault as Fault, check as check
from .maker import make as make
from .tables import TABLES as TABLES, CorpusTable as CorpusTable, load as load

__all__: list[str]
