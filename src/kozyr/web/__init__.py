"""HTTP and websockets: what the application says, per viewer, on the wire."""
