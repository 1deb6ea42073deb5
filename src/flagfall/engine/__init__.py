"""The rules of any box. The engine knows no edition, only Tables and State rows."""
