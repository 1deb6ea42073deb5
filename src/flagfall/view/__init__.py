"""What one viewer may know: Views, SeenEvents, Knowledge, and the projection that makes them."""
