"""The contract: prove the laws of a reducer, else check them; each answer is a value.

`verdict` is the data: what is known of a law, and the case that breaks one.
`witness` runs one case of a law, `cases` makes the values, `check` searches, `prove` asks a solver.
`verify` puts them together; `debug` does so at each definition, `table` for a whole module.
"""
