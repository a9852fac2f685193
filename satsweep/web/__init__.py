"""Web page for watching agents, solving positions and playing (extra ``web``).

The server keeps no state between questions; the page holds everything that it shows. The page asks questions over one
WebSocket (``questions``), worker processes answer them (``worker``, ``pool``, ``answers``), and ``app`` serves the
static files and the WebSocket. ``limits`` bounds everything that a client can send.
"""
