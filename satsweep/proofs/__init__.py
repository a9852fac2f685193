"""Certificates and no-guess proofs, and checkers that trust no solver."""
