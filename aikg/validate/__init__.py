"""Shapes judge a graph: SHACL compiled to SPARQL, with pyshacl as the reference.

shacl, shapes, paths: what a shapes graph says. compile: shapes to SELECTs. executors: what runs them.
selfbinding: which SHACL-SPARQL may run once for all nodes. engine: `validate`. reference: pyshacl.
normalise: results side by side. lint: mistakes in shapes. verdicts: one verdict per rule and focus.
"""
