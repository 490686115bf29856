"""The algebra: values, multisets, deltas, reducers and their laws. Standard library only."""
