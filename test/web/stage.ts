import { type Scope } from '../support/database.js';
import type { EmailSink } from '../support/email-sink.js';
import { eventually } from '../support/limits.js';
import { TestPlatform, type Account, type Env } from '../support/platform.js';
import { cookieOf, tokenIn } from '../support/sign-in.js';

/** A server with something to see: house bots, and an owner with a hosted bot among them. */

export interface Owner {
  email: string;
  /** NAME=VALUE of its session. */
  cookie: string;
  headers: Record<string, string>;
  agentId: string;
  name: string;
  slug: string;
  /** As a test plays it over a socket. */
  account: Account;
}

/** The key of every stage's operator. */
export const ADMIN_KEY = 'the-operator-of-the-stage';

export interface Competitions {
  draft: string;
  open: string;
  slug: string;
  /** The token of an invite link. */
  token: string;
}

/** Where something is to be seen of play. */
export interface Played {
  table: string;
  hand: string;
}

export class Stage {
  #people = 0;

  private constructor(
    readonly platform: TestPlatform,
    readonly mails: EmailSink | null,
  ) {}

  /** Mails go to the log, or to `mails`. */
  static async open(t: Scope, env: Env = {}, mails: EmailSink | null = null): Promise<Stage> {
    const post: Env = mails === null ? {} : { SMTP_URL: mails.url, MAIL_FROM: 'Agent Poker <dealer@poker.example>' };
    // A pause between hands: the house would take a whole core from the browser.
    const usual = { HOUSE_BOTS: 3, BETWEEN_HANDS_MS: 100, LOG_LEVEL: 'info', REBUY_COOLDOWNS: '0', ADMIN_KEY, ...post };
    return new Stage(await TestPlatform.start(t, { ...usual, ...env }), mails);
  }

  /** Signs somebody in by the link in the log. */
  async signIn(email: string): Promise<Pick<Owner, 'email' | 'cookie' | 'headers'>> {
    const { platform } = this;
    const headers = { 'x-forwarded-for': `192.0.2.${++this.#people}` };
    await platform.api('POST', '/api/auth/request-link', { body: { email }, headers });
    const token = tokenIn(await eventually('the link in the log', () => this.linkTo(email)));
    const { headers: told } = await platform.api('POST', '/api/auth/callback', { body: { token }, headers });
    const cookie = cookieOf(told.get('set-cookie') ?? '');
    return { email, cookie, headers: { ...headers, cookie } };
  }

  /** The last sign-in link that was sent there; null before one was. */
  linkTo(email: string): string | null {
    const texts =
      this.mails === null
        ? this.platform.output.split('\n').filter((line) => line.includes(email))
        : this.mails.received.filter(({ to }) => to.includes(email)).map(({ text }) => text);
    const links = texts.map((text) => /https?:\/\/[^\s"\\]+\/sign-in\/link#token=[\w-]{43}/.exec(text)?.[0]);
    return links.filter((link) => link !== undefined).at(-1) ?? null;
  }

  /**
   * A draft, and a competition that enrols, both of the owner; and a link to the latter. All texts of people are full
   * of markup, the operator's as well.
   */
  async competitions({ headers }: Pick<Owner, 'headers'>): Promise<Competitions> {
    const { platform } = this;
    const make = async (name: string) => {
      const ends_at = new Date(Date.now() + 86_400_000).toISOString();
      const texts = { organization_name: MARKUP, description: MARKUP, reward_description: MARKUP };
      const body = { name, ends_at, ...texts, duplicate: true };
      const { body: made } = await platform.api('POST', '/api/competitions', { body, headers });
      return made as { competition_id: string; slug: string };
    };
    const draft = await make('Draft cup');
    const open = await make(MARKUP.slice(0, 80));
    const here = `/api/competitions/${open.competition_id}`;
    await platform.api('POST', `${here}/open-enrollment`, { headers });
    await platform.api('POST', `${here}/enroll`, { headers, body: { display_name: MARKUP.slice(0, 64) } });
    const operator = { key: ADMIN_KEY };
    await platform.api('POST', '/api/admin/invites', { ...operator, body: { uses: 1, note: MARKUP } });
    const { body: link } = await platform.api('POST', `${here}/invite-links`, { headers, body: { max_uses: 5 } });
    return {
      draft: draft.competition_id,
      open: open.competition_id,
      slug: open.slug,
      token: (link as { token: string }).token,
    };
  }

  /** The same as `signIn` with a bot. */
  async owner(name: string): Promise<Owner> {
    const person = await this.signIn(`${name}@example.com`);
    const body = { name, terms_accepted: true };
    const { body: told } = await this.platform.api('POST', '/api/register', { body, headers: person.headers });
    const { agent_id: agentId, api_key: key } = told as { agent_id: string; api_key: string };
    const account: Account = { agentId, name, key, seqs: new Map() };
    return { ...person, name, slug: name.replaceAll('_', '-'), agentId, account };
  }

  /** Buys the season pass, with credits of the development mode. */
  async buyPass({ headers }: Pick<Owner, 'headers'>): Promise<void> {
    await this.platform.api('POST', '/api/deposit/dev', { body: { amount: 100 }, headers });
    const { status } = await this.platform.api('POST', '/api/season/pass', { headers });
    if (status !== 200) throw new Error(`the pass answered ${status}`);
  }

  /** Lets its bot be run by the server until it has played so many hands. */
  async play({ headers }: Pick<Owner, 'headers'>, hands: number): Promise<void> {
    const { platform } = this;
    const body = { mode: 'hosted', strategy: { template: 'shark' } };
    await platform.api('POST', '/api/bot/deploy', { body, headers });
    const played = async () => {
      const told = await platform.api('GET', '/api/bot/status', { headers });
      return (told.body as { hands_played?: number }).hands_played! >= hands;
    };
    await eventually(`${hands} hands`, played, 1100);
  }

  /** A table that plays, and a hand of the owner's bot with much to see. */
  async played({ slug }: Pick<Owner, 'slug'>): Promise<Played> {
    const { body: tables } = await this.platform.api('GET', '/api/tables');
    const { body: agent } = await this.platform.api('GET', `/api/agents/${slug}`);
    const [table] = tables as { table_id: string }[];
    const { recent_hands: hands } = agent as { recent_hands: { hand_id: string }[] };
    return { table: table!.table_id, hand: await this.#richest(hands.map(({ hand_id: id }) => id)) };
  }

  /** The one with the most cards that were shown: it has the most to see. */
  async #richest(ids: readonly string[]): Promise<string> {
    let [richest, most] = [ids[0]!, -1];
    for (const id of ids) {
      const { body } = await this.platform.api('GET', `/api/hands/${id}`);
      const shown = (body as { players: { shown: boolean }[] }).players.filter((player) => player.shown).length;
      if (shown > most) [richest, most] = [id, shown];
    }
    return richest;
  }
}

/** Texts of others, as they would like them to be read. */
export const MARKUP = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
