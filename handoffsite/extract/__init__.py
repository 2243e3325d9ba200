"""What one session did, drawn from its events: pure computing, no files, no clock."""
