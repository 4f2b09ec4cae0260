"""Calls to external providers: bounded HTTP, shared limits, budgets and a response cache, composed in `metered`."""
