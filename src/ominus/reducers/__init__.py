"""The catalogue of reducers: `from ominus import reducers as r`."""
