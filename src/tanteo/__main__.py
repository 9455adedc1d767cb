"""`python -m tanteo` is the command line."""

from tanteo.cli import main

if __name__ == "__main__":
    main()
