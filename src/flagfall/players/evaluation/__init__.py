"""The evaluation: piece values, square values and expected gains."""
