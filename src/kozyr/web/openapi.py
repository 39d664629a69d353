"""The description of the HTTP interface in the OpenAPI form, made from the routes and the types of their bodies."""
from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

import kozyr
from kozyr.wire.http import Problem

if TYPE_CHECKING:
    from kozyr.web.site import Route

HOLE = re.compile(r"\{(\w+):([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")


@lru_cache(maxsize=1)
def document(known: tuple[Route, ...]) -> dict[str, Any]:
    """Describe the routes; once, since it takes so long that askers would keep others waiting."""
    bodies = [kind for route in known for kind in (route.answer, route.body) if kind not in (None, dict)]
    _, schemas = msgspec.json.schema_components([*bodies, Problem], ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for route in known:
        paths.setdefault(HOLE.sub(r"{\1}", route.path), {})[route.method.lower()] = operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kozyr",
            "version": kozyr.__version__,
            "summary": "Tables are opened and found here; they are played over a websocket.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }


def operation(route: Route) -> dict[str, Any]:
    """Describe one route."""
    described: dict[str, Any] = {
        "summary": route.summary,
        "operationId": route.handler.__name__,
        "responses": {str(route.status): {"description": route.summary, "content": content(route.answer)}},
    }
    holes = HOLE.findall(route.path)
    if holes:
        described["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": f"^{pattern}$"}}
            for name, pattern in holes
        ]
    if route.body is not None:
        described["requestBody"] = {"required": True, "content": content(route.body)}
    for status, codes in route.problems.items():
        described["responses"][str(status)] = {"description": f"Problem: {codes}", "content": content(Problem)}
    return described


def content(kind: Any) -> dict[str, Any]:
    """Describe a body of a type; text where there is none."""
    if kind is None:
        return {"text/plain": {"schema": {"type": "string"}}}
    if kind is dict:
        return {"application/json": {"schema": {"type": "object"}}}
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}
