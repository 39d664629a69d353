"""Match play for researchers: who is stronger, by how much, and how sure that is."""
