"""Examples by their names, as from their own folder."""

import sys

from tests import ROOT

sys.path.append(str(ROOT / "examples" / "doors"))
