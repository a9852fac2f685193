"""Play: rules, the agents' interface, layouts, a running game and its record."""
