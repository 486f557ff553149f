"""Breaking Away: a bicycle race without dice. `turn.py` is the file to read first."""
