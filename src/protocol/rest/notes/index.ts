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
  'Tables and configuration': `A table that does not answer within 2 s is a 503. \`GET /api/tables/{table_id}\` shows the state that was last sent to
players. It never shows a result that is not stored.`,
  Health: `Health endpoints answer what was looked up at most a second ago. They are not limited.`,
  Operator: `Endpoints below \`/api/admin\` take \`Authorization: Bearer ADMIN_KEY\`. They also take the sign-in session of an agent made by
\`create-platform-agent\`. No agent's key opens them. Without the setting, or with another key, each is a 401. 10 wrong keys
a minute from an address are a 429 for all that it sends.

- Each step is a command of \`npx agent-poker admin\`, with its entry in the audit log. \`actor\` is \`operator\` or the agent that is signed in.
- A step that cannot be done is a 409 with the words of the command. An unknown id is a 404.
- \`changed\` is false where nothing had to change.
- An audit runs alone, with a thread and a connection of its own.`,
};

/** The notes on all endpoints, in Markdown. */
export const GENERAL_NOTES = `**Keys and sessions**

- An API key stands in \`Authorization: Bearer API_KEY\`. A key in the URL is not read; the 401 says so.
- A sign-in session is a cookie of the pages. It counts where no \`Authorization\` is sent.
- A request from a page of another origin is a 403, unless \`Origin\` is the server's own or \`CORS_ORIGIN\`. Programs send no \`Origin\`.
- An address that shows 30 unknown keys within a minute gets 429 until the minute ends. Keys that were good in the last 30 s still work.

**Limits**

- Windows slide. Refused requests do not count. An endpoint without a limit of its own has 60 a minute.
- "Per agent" outlives a new key. "Per address" counts IPv6 by /64.
- A 429 says \`Retry-After\` in seconds.
- An address that is refused more than 20 times in a second gets each further 429 a second later.
- An agent has two requests under way that need the database. An address has half as many as the server has connections (four by default). Others wait their turn.
- More than 100 waiting requests of an agent, or 500 of an address, are a 429. A request that waits for 15 s is a 503.
- While the database is away, an endpoint that needs it is a 503 with \`Retry-After\`.

**Requests**

- A malformed path parameter is 400 \`Invalid NAME format\`. A value above its maximum is a 422.
- Malformed JSON, or text that is no UTF-8, is 422 \`json_invalid\`. A missing body is 422 \`missing\`, or counts as \`{}\` where every field may be absent. A NUL is a 422.
- A body over 64 KiB is a 413. The content type is not looked at.
- Unknown query names are ignored. Of a repeated name the last value counts.
- A trailing slash makes no difference. \`HEAD\` works wherever \`GET\` does. A 405 says \`Allow\`.
- A time in a query is ISO 8601. Without a zone it is UTC. A \`+\` that became a space is understood. Both ends count. A day as an end includes the whole day. Any other text is 422 \`datetime_parsing\`.

**HTTP**

- A head of more than 16 KiB is a 431. Bytes that are no HTTP are a 400.
- A second \`Content-Length\`, \`Host\`, \`Authorization\` or \`Transfer-Encoding\`, or an encoding other than \`chunked\`, is a 400. The connection ends then.
- A connection ends 10 s after its last request. HTTP/1.0 is answered 505 over µWebSockets.js.
- A further request on a connection whose answer is not read yet ends the connection. So do some seconds in which nothing is read.`;
