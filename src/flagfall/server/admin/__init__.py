"""Commands of an operator on the database of a server, which may be running.

Nothing in this package prints or returns a cookie hash, an invitation token, a setup, a turn, a note, a salt
or a seed: facts are ids, names, numbers, times and states.
"""
