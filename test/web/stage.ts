import { type Scope } from '../support/database.js';
import { eventually } from '../support/limits.js';
import { TestPlatform, type Env } from '../support/platform.js';
import { cookieOf, tokenIn } from '../support/sign-in.js';

/** A server with something to see: house bots that play, and an owner whose hosted bot plays among them. */

export interface Owner {
  email: string;
  /** NAME=VALUE of its session. */
  cookie: string;
  headers: Record<string, string>;
  agentId: string;
  name: string;
  slug: string;
}

export class Stage {
  #people = 0;

  private constructor(readonly platform: TestPlatform) {}

  static async open(t: Scope, env: Env = {}): Promise<Stage> {
    return new Stage(await TestPlatform.start(t, { HOUSE_BOTS: 3, LOG_LEVEL: 'info', ...env }));
  }

  /** Signs somebody in by the link in the log. */
  async signIn(email: string): Promise<Pick<Owner, 'email' | 'cookie' | 'headers'>> {
    const { platform } = this;
    const headers = { 'x-forwarded-for': `192.0.2.${++this.#people}` };
    await platform.api('POST', '/api/auth/request-link', { body: { email }, headers });
    const token = await eventually('the link in the log', () => linkTo(email, platform.output));
    const { headers: told } = await platform.api('POST', '/api/auth/callback', { body: { token }, headers });
    const cookie = cookieOf(told.get('set-cookie') ?? '');
    return { email, cookie, headers: { ...headers, cookie } };
  }

  /** The same with a bot. */
  async owner(name: string): Promise<Owner> {
    const person = await this.signIn(`${name}@example.com`);
    const body = { name, terms_accepted: true };
    const { body: told } = await this.platform.api('POST', '/api/register', { body, headers: person.headers });
    const slug = name.replaceAll('_', '-');
    return { ...person, name, slug, agentId: (told as { agent_id: string }).agent_id };
  }

  /** Lets its bot be run by the server until it has played so many hands. */
  async play({ headers }: Pick<Owner, 'headers'>, hands: number): Promise<void> {
    const { platform } = this;
    const body = { mode: 'hosted', strategy: { template: 'gambler' } };
    await platform.api('POST', '/api/bot/deploy', { body, headers });
    const played = async () => {
      const told = await platform.api('GET', '/api/bot/status', { headers });
      return (told.body as { hands_played?: number }).hands_played! >= hands;
    };
    await eventually(`${hands} hands`, played, 1100);
  }
}

/** The token of the last link that was sent there. */
function linkTo(email: string, log: string): string | null {
  const lines = log.split('\n').filter((line) => line.includes(email) && line.includes('#token='));
  const link = /https?:\/\/[^\s"\\]+\/api\/auth\/callback#token=[\w-]{43}/.exec(lines.at(-1) ?? '')?.[0];
  return link === undefined ? null : tokenIn(link);
}
