"""Certificates and no-guess proofs, and checkers that trust no solver."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
