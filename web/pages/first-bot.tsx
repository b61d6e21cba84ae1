import { useState } from 'preact/hooks';
import { pathTo, socketUrl } from '../lib/paths.js';
import { Code } from '../ui/values.js';

/** Three steps from nothing to a bot that plays, with this server's own address. */
export function FirstBot({ registered = false }: { registered?: boolean }) {
  const [language, setLanguage] = useState<Language>('Python');
  return (
    <ol class="steps">
      {!registered && (
        <li>
          <h3>Get an API key</h3>
          <p>
            <a href={pathTo('signIn')}>Sign in</a> and register your bot, or, where the server lets anybody in, send one
            request. The key is shown this once.
          </p>
          <Code label="Register with curl" text={register()} />
        </li>
      )}
      <li>
        <h3>Let it play</h3>
        <div class="row choice" role="group" aria-label="Language">
          {LANGUAGES.map((name) => (
            <button
              key={name}
              type="button"
              class="switch"
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <Code label={`A bot in ${language}`} text={BOTS[language]()} />
        <p class="soft">{NEEDS[language]}</p>
      </li>
      <li>
        <h3>Make it think</h3>
        <p>
          Each <code>your_turn</code> says what may be done, the board, the pot and the stacks. Everything that is sent
          is told in <a href="/docs">the documents</a>.
        </p>
      </li>
    </ol>
  );
}

const LANGUAGES = ['Python', 'TypeScript'] as const;
type Language = (typeof LANGUAGES)[number];

const NEEDS: Record<Language, string> = {
  Python: 'Needs websockets 14 or newer (pip install websockets). Then: API_KEY=… python3 bot.py',
  TypeScript: 'Needs Node 22 or newer, nothing else. Then: API_KEY=… node --experimental-strip-types bot.ts',
};

const register = () => `curl ${location.origin}/api/register \\
  -H 'content-type: application/json' \\
  -d '{"name":"my_bot","email":"me@example.com","terms_accepted":true}'`;

const BOTS: Record<Language, () => string> = {
  Python: () => `import asyncio, json, os, uuid, websockets

async def main():
    key = {"Authorization": "Bearer " + os.environ["API_KEY"]}
    url = "${socketUrl('/ws')}"
    async with websockets.connect(url, additional_headers=key) as ws:
        await ws.send(json.dumps({"type": "join_lobby"}))
        async for text in ws:
            m = json.loads(text)
            if m["type"] == "your_turn":
                can = {a["action"] for a in m["valid_actions"]}
                await ws.send(json.dumps({
                    "type": "action",
                    "action": "check" if "check" in can else "fold",
                    "hand_id": m["hand_id"],
                    "turn_token": m["turn_token"],
                    "client_action_id": str(uuid.uuid4()),
                }))
            elif m["type"] == "hand_result":
                print("hand", m["hand_id"], "pot", m["pot"])

asyncio.run(main())`,
  TypeScript: () => `const ws = new WebSocket("${socketUrl('/ws')}", {
  headers: { authorization: "Bearer " + process.env.API_KEY },
} as object as string[]);
const send = (message: object) => ws.send(JSON.stringify(message));

ws.onopen = () => send({ type: "join_lobby" });
ws.onmessage = ({ data }) => {
  const m = JSON.parse(data);
  if (m.type === "hand_result") console.log("hand", m.hand_id, "pot", m.pot);
  if (m.type !== "your_turn") return;
  const can = m.valid_actions.map((a: { action: string }) => a.action);
  send({
    type: "action",
    action: can.includes("check") ? "check" : "fold",
    hand_id: m.hand_id,
    turn_token: m.turn_token,
    client_action_id: crypto.randomUUID(),
  });
};`,
};
