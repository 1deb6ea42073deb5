"""Flagfall: five boxed editions of Stratego on one engine."""
