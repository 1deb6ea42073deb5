"""Fitting what computer players believe and value: setup types, behaviour, weights."""
