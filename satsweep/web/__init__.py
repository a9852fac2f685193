"""Web page for watching agents, solving positions and playing (extra ``web``).

The server keeps no state between questions; the page holds everything that it shows. The page asks questions over one
WebSocket (``questions``, with the limits on what a client can send), worker processes answer them (``workers``,
``answers``), and ``app`` serves the static files and the WebSocket.
"""
