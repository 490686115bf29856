"""ominus: derived views that stay right while their data changes."""
