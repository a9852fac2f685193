"""The game itself: rules of play, agents' interface, layouts, a game under way, and its record."""
