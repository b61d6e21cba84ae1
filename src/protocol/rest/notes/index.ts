import { accountNotes, signInNotes } from './accounts.js';
import { competitionNotes } from './competitions.js';
import { botNotes, creditNotes } from './bots-and-credits.js';
import { historyNotes, seasonNotes, spectatorNotes } from './play.js';

/** The notes on all endpoints of a tag, in Markdown: for the OpenAPI document and docs/reference/rest.md. */
export const TAG_NOTES: Readonly<Record<string, string>> = {
  'Registration and profile': accountNotes,
  'Sign-in': signInNotes,
  Seasons: seasonNotes,
  Competitions: competitionNotes,
  Bots: botNotes,
  'Credits and payments': creditNotes,
  History: historyNotes,
  Spectators: spectatorNotes,
  'Tables and configuration': `If a table does not answer within 2 s, the answer is a 503. \`GET /api/tables/{table_id}\` shows the state that was last
sent to players. All results in it are stored.`,
  Health: `The answers of health endpoints are at most a second old.`,
  Operator: `Endpoints below \`/api/admin\` take \`Authorization: Bearer ADMIN_KEY\`. They also take the sign-in session of an agent made by
\`create-platform-agent\`. They do not take agents' keys. Without the setting, or with another key, the answer is a 401. After
10 wrong keys in a minute, an address gets 429 for all its requests.

- Each change is also a command of \`npx agent-poker admin\`, and has an entry in the audit log. \`actor\` is \`operator\` or the signed-in agent.
- An impossible change is a 409 with the text of the command. An unknown id is a 404.
- \`changed\` is false if nothing had to change.
- One audit runs at a time, with its own thread and connection.`,
};

/** The notes on all endpoints, in Markdown. */
export const GENERAL_NOTES = `**Keys and sessions**

- An API key stands in \`Authorization: Bearer API_KEY\`. The server does not read a key in the URL.
- A sign-in session is a cookie of the pages. It counts in requests without \`Authorization\`.
- A request from a page of another origin is a 403, unless \`Origin\` is the server's own or \`CORS_ORIGIN\`. Programs send no \`Origin\`.
- After 30 unknown keys in a minute, an address gets 429 until the minute ends. Keys that worked in the last 30 s still work.

**Limits**

- Limits have sliding windows. Refused requests do not count.
- "Per agent" outlives a new key. "Per address" counts IPv6 by /64.
- After 20 refusals in a second, an address gets each further 429 a second late.
- An agent has at most two running requests that need the database. An address has at most half of the server's connections (four by default). Other requests wait.
- Beyond 100 waiting requests of an agent, or 500 of an address, the answer is a 429. A request that waits for 15 s is a 503.
- During an outage of the database, endpoints that need it answer 503 with \`Retry-After\`.

**Requests**

- A malformed path parameter is 400 \`Invalid NAME format\`. A value above its maximum is a 422.
- Malformed JSON or UTF-8 is 422 \`json_invalid\`. A missing body counts as \`{}\` if every field may be absent, and is otherwise 422 \`missing\`. A NUL is a 422.
- A body over 64 KiB is a 413. The content type does not matter.
- Unknown query names are ignored. If a name is repeated, the last value counts.
- A trailing slash makes no difference. \`HEAD\` works like \`GET\`. A 405 has \`Allow\`.
- A time in a query is ISO 8601. Without a zone it is UTC. A space counts as the \`+\` of a zone. Both ends are included. An end that is a day includes the whole day. Any other text is 422 \`datetime_parsing\`.

**HTTP**

- A head of more than 16 KiB is a 431. Bytes that are not HTTP are a 400.
- A second \`Content-Length\`, \`Host\`, \`Authorization\` or \`Transfer-Encoding\`, or an encoding other than \`chunked\`, is a 400. The connection ends then.
- A connection ends 10 s after its last request. HTTP/1.0 is answered 505 over µWebSockets.js.
- The connection of a client that does not read its answer ends after some seconds, or with its next request.`;
