"""The REST API: a method for every operation, with the server's errors."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Dict, Mapping, Optional
from urllib.parse import quote

import httpx

from ._generated.rest import RestOperations
from ._operation import NOT_GIVEN, Download, OnAnswer, Operation
from .errors import ApiError, Unreachable

#: Seconds for an answer. For a download: until it begins, and between two pieces.
TIMEOUT = 30.0
#: How often a call waits after a 429, and the longest wait that it accepts, in seconds.
RETRIES, PATIENCE = 3, 60.0


class RestClient(RestOperations):
    """
    `async with RestClient(url, api_key=key) as rest: await rest.get_me()`. Repeatable calls wait after a 429, up to
    three times. Cancel a call to give it up.
    """

    def __init__(
        self, url: str, *, api_key: Optional[str] = None, timeout: float = TIMEOUT, session: Optional[str] = None
    ) -> None:
        """`session`: the value of a Cookie header, for calls that take a sign-in session in place of the key."""
        self._url, self._key, self._timeout, self._session = url.rstrip("/"), api_key, timeout, session
        self._http = httpx.AsyncClient(timeout=timeout)

    async def __aenter__(self) -> RestClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends its connections."""
        await self._http.aclose()

    async def _call(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> Any:
        response = await self._send(operation, given, stream=False, **options)
        return response.json()

    async def _download(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> Download:
        response = await self._send(operation, given, stream=True, **options)
        return Download(response, _pieces(response, operation))

    async def _iterate(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> AsyncIterator[Any]:
        assert operation.pages is not None
        by, items, most = operation.pages
        page = dict(given)
        if page["limit"] is NOT_GIVEN:
            page["limit"] = most
        while True:
            answer = await self._call(operation, page, **options)
            found = answer if items is None else answer[items]
            for item in found:
                yield item
            if by == "cursor":
                page["cursor"] = answer["next_cursor"]
                if page["cursor"] is None:
                    return
                if "offset" in page:
                    page["offset"] = NOT_GIVEN  # it counted from the first page
            else:
                page["offset"] = (0 if page["offset"] is NOT_GIVEN else page["offset"]) + len(found)
                if len(found) < page["limit"]:
                    return

    async def _send(
        self,
        operation: Operation,
        given: Mapping[str, Any],
        *,
        stream: bool,
        timeout: Optional[float],
        on_answer: Optional[OnAnswer],
    ) -> httpx.Response:
        present = {name: value for name, value in given.items() if value is not NOT_GIVEN}
        repeatable = operation.repeatable == "always" or "idempotency_key" in present
        for attempt in range(RETRIES + 1):
            request = self._request(operation, present, timeout)
            try:
                response = await self._http.send(request, stream=stream)
                if response.is_error:
                    await response.aread()
            except httpx.HTTPError as error:
                why = str(error) or type(error).__name__
                raise Unreachable(f"{operation.id}: no answer from {self._url}: {why}") from error
            if on_answer is not None:
                on_answer(response.status_code, response.headers)
            if not response.is_error:
                return response
            failure = _failure(response, operation)
            pause = failure.retry_after
            if response.status_code != 429 or not repeatable or attempt == RETRIES or pause is None or pause > PATIENCE:
                raise failure
            await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _request(self, operation: Operation, given: Mapping[str, Any], timeout: Optional[float]) -> httpx.Request:
        path = operation.path
        for name in operation.params:
            path = path.replace(f"{{{name}}}", quote(str(given[name]), safe=""))
        headers: Dict[str, str] = {header: given[name] for name, header in operation.headers.items() if name in given}
        if self._key is not None and operation.auth != "none":
            headers["Authorization"] = f"Bearer {self._key}"
        elif self._session is not None:
            headers["Cookie"] = self._session
        body = {name: given[name] for name in operation.body if name in given}
        return self._http.build_request(
            operation.method,
            self._url + path,
            params={name: _query(given[name]) for name in operation.query if given.get(name) is not None},
            json=body if operation.body else None,
            headers=headers,
            timeout=self._timeout if timeout is None else timeout,
        )


def _query(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _failure(response: httpx.Response, operation: Operation) -> ApiError:
    try:
        detail = response.json()["detail"]
    except (ValueError, KeyError, TypeError):
        # The answer is not the platform's: it comes from a proxy, or from the HTTP library before any route.
        detail = response.text[:200] or response.reason_phrase
    told = response.headers.get("Retry-After", "")
    return ApiError(response.status_code, detail, float(told) if told.isdigit() else None, operation.id)


async def _pieces(response: httpx.Response, operation: Operation) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_bytes():
            yield chunk
    except httpx.HTTPError as error:
        raise Unreachable(f"{operation.id}: the file broke off: {str(error) or type(error).__name__}") from error
