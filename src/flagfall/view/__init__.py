"""What one viewer may know: Views, SeenEvents, Knowledge, and the curtain that makes them."""
