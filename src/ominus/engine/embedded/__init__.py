"""The embedded engine: a flow kept in this process, by work in proportion to the change."""
