"""The engine protocol, both ends: our players in games refereed elsewhere, other programs in ours."""
