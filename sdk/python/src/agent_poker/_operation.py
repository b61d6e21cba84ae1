"""The seam between the generated half of the REST client and the hand-written one."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, AsyncIterator, Callable, Mapping, Optional, Tuple, TypeVar, Union

if TYPE_CHECKING:
    import httpx


class NotGiven(Enum):
    """None is sent as null. This is not sent."""

    NOT_GIVEN = "not given"


NOT_GIVEN = NotGiven.NOT_GIVEN

T = TypeVar("T")
Given = Union[T, NotGiven]

#: Gets an answer's status and headers, such as the ETag that `if_match` takes.
OnAnswer = Callable[[int, Mapping[str, str]], None]


@dataclass(frozen=True)
class Operation:
    """An operation of the OpenAPI document."""

    #: The operationId.
    id: str
    method: str
    #: The path, with parameters in braces.
    path: str
    #: The caller's rights: "none", "agent", "owner" or "admin".
    auth: str
    params: Tuple[str, ...] = ()
    query: Tuple[str, ...] = ()
    body: Tuple[str, ...] = ()
    #: Headers by the argument that gives them.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Whether a repeat is safe: "always", "with_key" (an Idempotency-Key) or "never".
    repeatable: str = "never"
    #: Whether the answer is a file.
    file: bool = False
    #: "cursor" or "offset", the field of the answer with the items (None: the answer is the list), and the longest
    #: page.
    pages: Optional[Tuple[str, Optional[str], int]] = None


class Download:
    """
    A file, piece by piece: `async with await rest.export_hand_history() as file: async for chunk in file: …`. Reading
    raises Unreachable if the connection breaks. The file is not whole then.
    """

    def __init__(self, response: httpx.Response, chunks: AsyncIterator[bytes]) -> None:
        self._response, self._chunks = response, chunks
        self.content_type: str = response.headers.get("content-type", "")

    @property
    def file_name(self) -> Optional[str]:
        """The server's name of the file."""
        _, mark, rest = self._response.headers.get("content-disposition", "").partition('filename="')
        return rest.partition('"')[0] if mark else None

    async def __aenter__(self) -> Download:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._chunks:
                yield chunk
        finally:
            await self.aclose()

    async def text(self) -> str:
        """The whole file as text."""
        return b"".join([chunk async for chunk in self]).decode()

    async def aclose(self) -> None:
        """Drops the unread rest."""
        await self._response.aclose()
