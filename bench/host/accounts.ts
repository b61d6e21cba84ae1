/** Registrations under way at a time. */
const AT_ONCE = 16;

/** Registers so many bots and returns their keys, in the order of their numbers. */
export async function registerBots(url: string, count: number, name = 'bot'): Promise<string[]> {
  const keys: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next++;
      keys[number] = await register(url, `${name}_${number + 1}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return keys;
}

async function register(url: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, email: `${name}@bench.example.com`, terms_accepted: true }),
  });
  if (answer.status !== 201) throw new Error(`registering ${name}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { api_key: string }).api_key;
}
