"""The server: guests, matches, sockets, storage and the workers in which computer players think.

`flagfall serve` starts it; `app.create_app` builds it. The API is described in docs/server.md.
"""

from flagfall.extras import require

require("server", "The server")
