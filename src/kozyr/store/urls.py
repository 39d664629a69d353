"""URLs of databases and brokers. Whoever serves a file has none of the packages that go there, and shows its settings all the same."""
from __future__ import annotations

import re


def without_password(url: str) -> str:
    """Write a database's URL as it may be shown."""
    hidden = re.sub(r"(//[^:@/?]*):[^@/]*@", r"\1:…@", url)
    return re.sub(r"(password=)[^&]*", r"\1…", hidden)
