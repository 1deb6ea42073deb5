"""The API as an OpenAPI document, from its operations and from the types of its messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

import msgspec
from msgspec import Struct

from flagfall.server.api import (
    requests,
)
from flagfall.server.api.http import JSON, Operation
from flagfall.server.api.messages import games, learning, matches, my_games, setups, workshop

MESSAGES = (matches, games, learning, setups, my_games, workshop, requests)
"""modules with the types of the document"""
REF = "#/components/schemas/{name}"
DESCRIPTION = (
    "Play five boxed editions of Stratego. The socket is described in docs/server.md. Sentences for people "
    "come in the language of ?language= (en, nl, de, fr) or else of Accept-Language, and Content-Language "
    "names it; ids, codes, notation and records are the same in all languages."
)
COMMON_ERRORS = (400, 403, 405, 413, 421, 429, 431, 503)
"""error statuses that every address may return"""
ERRORS = {
    400: "The request cannot be understood.",
    401: "There is no guest cookie yet.",
    403: "This is not allowed for you.",
    404: "There is no such thing.",
    405: "The address does not take this method.",
    408: "The request came too slowly.",
    409: "This is not possible now.",
    413: "The request is too large.",
    421: "The server does not answer to this host name.",
    422: "The rules do not allow it.",
    429: "Too many requests.",
    431: "The headers are too large.",
    503: "The server could not store it, or is too busy.",
}
HEADERS: dict[str, Any] = {
    "Allow": {"description": "The methods that the address takes.", "schema": {"type": "string"}},
    "Retry-After": {
        "description": "Whole seconds after which to try again.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "Set-Cookie": {
        "description": "The cookie that identifies the guest; only when it is new.",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {"description": "How to authenticate.", "schema": {"type": "string"}},
}
_HEADER_OF = {401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After", 503: "Retry-After"}


def openapi(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the document, with the messages of the socket among its types."""
    paths: dict[str, Any] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Flagfall",
            "description": DESCRIPTION,
            "version": version("flagfall"),
        },
        "paths": paths,
        "components": {"schemas": _schemas(), "responses": _error_responses()},
    }


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "tags": [operation.tag],
        "summary": operation.id.replace("_", " ").title(),
        "description": operation.text,
        "operationId": operation.id,
    }
    if parameters := [*_path_parameters(operation.path), *_query_parameters(operation.query)]:
        described["parameters"] = parameters
    if operation.request:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": _ref(operation.request)}}}
    described["responses"] = _responses(operation)
    return described


def _path_parameters(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _query_parameters(query: type[Struct] | None) -> list[dict[str, Any]]:
    if query is None:
        return []
    _, components = msgspec.json.schema_components([query])
    return [
        {
            "name": name,
            "in": "query",
            "required": False,
            "description": schema["description"],
            "schema": {key: value for key, value in schema.items() if key != "description"},
        }
        for name, schema in components[query.__name__]["properties"].items()
    ]


def _responses(operation: Operation) -> dict[str, Any]:
    untyped = {"type": "object"} if operation.media_type == JSON else {"type": "string"}
    schema = _ref(operation.response) if operation.response else untyped
    success: dict[str, Any] = {
        "description": "Success.",
        "content": {operation.media_type: {"schema": schema}},
    }
    if operation.sets_cookie:
        success["headers"] = {"Set-Cookie": HEADERS["Set-Cookie"]}
    statuses = {*COMMON_ERRORS, *operation.errors, *((408,) if operation.request else ())}
    refs = {str(status): {"$ref": f"#/components/responses/Refused{status}"} for status in sorted(statuses)}
    return {"200": success, **refs}


def _error_responses() -> dict[str, Any]:
    return {
        f"Refused{status}": {
            "description": text,
            "content": {JSON: {"schema": _ref(matches.Refused)}},
            **({"headers": {name: HEADERS[name]}} if (name := _HEADER_OF.get(status)) else {}),
        }
        for status, text in ERRORS.items()
    }


def _ref(struct: type[Struct]) -> dict[str, str]:
    return {"$ref": REF.format(name=struct.__name__)}


def _schemas() -> dict[str, Any]:
    structs = [
        value
        for module in MESSAGES
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Struct) and value.__module__ == module.__name__
        if not value.__name__.startswith("_")
    ]
    types: list[Any] = [*structs, matches.SocketAnswer, requests.SocketRequest]
    found, schemas = msgspec.json.schema_components(types, ref_template=REF)
    schemas["SocketAnswer"], schemas["SocketRequest"] = found[-2], found[-1]
    return schemas
