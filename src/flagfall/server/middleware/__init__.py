"""Between the network and the API: connections, request limits, rate limits, bans."""
