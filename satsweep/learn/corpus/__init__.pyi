"""Names of ``satsweep.learn.corpus``: how tables are made, checked and read."""

from .bands import BANDS as BANDS
from .checker import Fault as Fault, check as check
from .keys import AuditedKey as AuditedKey, KeyAudit as KeyAudit, KeyedPosition as KeyedPosition, audit_key as audit_key
from .maker import make as make
from .tables import TABLES as TABLES, CorpusTable as CorpusTable, load as load

__all__: list[str]
