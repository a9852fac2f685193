"""Play: rules, the agents' interface, layouts, a running game and its record."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
