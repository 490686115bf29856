"""Engines: interpreters that keep the views of a flow."""
