"""Tables and the games played at them. What it needs of the world stands in `kozyr.app.ports`."""
