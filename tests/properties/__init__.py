"""Random designs compared with the plain-Python oracle of the rules."""
