"""The flow: operators as data, three shapes that build them, and the port that engines fill."""
