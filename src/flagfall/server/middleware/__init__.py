"""What stands between the network and the API: connections, limits, rates, bans."""
