"""UMI, the protocol for engines in any language: messages and their text."""
