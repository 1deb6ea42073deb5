"""What an operator does to the database of a server, which may be running meanwhile.

Nothing in this package prints or returns a cookie hash, an invitation token, a setup, a turn, a note, a salt
or a seed: facts are ids, names, numbers, times and states.
"""
