"""Boards on request: specification, search, repair, walkthrough and difficulty."""
