"""How any box is played. The engine has never heard of an edition; it knows Tables and State rows."""
