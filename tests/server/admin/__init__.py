"""Tests of `flagfall admin`, a file for each command."""
