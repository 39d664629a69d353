"""The catalogue of all languages."""
