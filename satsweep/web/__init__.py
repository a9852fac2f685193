"""The page: watch agents, solve positions, play; a server that keeps nothing, and static files (extra ``web``).

What the page shows lives in the page. It asks questions over one WebSocket (``questions``), workers in processes of
their own answer them (``answers``, ``worker``, ``pool``), and ``app`` is what the browser meets. Everything that a
client can send is bounded (``limits``).
"""
