"""Reports on an agent, as courses ask for them."""
