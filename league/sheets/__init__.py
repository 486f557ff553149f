"""The result sheets of physical stages: what people typed, read and checked. One module per game is the door: `giro`."""
