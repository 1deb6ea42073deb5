"""The HTTP and socket API: routes, requests, messages."""
