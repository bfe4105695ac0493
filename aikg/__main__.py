"""`python -m aikg`: the same as the command `aikg`."""

from aikg.cli import main

main()
