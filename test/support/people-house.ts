import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { createPeople } from '../../src/competitions/people/routes.js';
import { EmailSender, smtpTransport } from '../../src/email/index.js';
import { announceToNobody } from '../../src/ops/notices.js';
import { connect, type Database } from '../../src/store/database.js';
import { addCompetition } from './competition-rows.js';
import { freshDatabase, leadership, silent, stopCluster } from './database.js';
import { EmailSink } from './email-sink.js';
import { eventually } from './limits.js';
import { asker, type RestAnswer } from './rest.js';

export const MINUTE = 60_000;
export const DAY = 1440 * MINUTE;
export const PUBLIC_URL = 'https://poker.example';

type Ask = ReturnType<typeof asker>;
type Rules = Parameters<typeof addCompetition>[2];

/** People on a database of their own. Time stands still unless a test moves it. */
export class PeopleHouse {
  now = Date.now();
  readonly dismissed: string[] = [];
  readonly ask: Ask;
  readonly people: ReturnType<typeof createPeople>;
  organizer = '';
  competitionId = '';
  #agents = 0;

  private constructor(
    readonly sql: Database,
    readonly sink: EmailSink,
    sender: EmailSender,
  ) {
    this.people = createPeople({
      sql,
      lobby: { dismiss: (agentId, competitionId) => void this.dismissed.push(`${agentId} ${competitionId}`) },
      announce: announceToNobody,
      now: () => this.now,
      publicUrl: () => PUBLIC_URL,
      emailQueued: () => sender.wake(),
    });
    this.ask = asker(this.people.routes);
  }

  /**
   * A mail server and a database that all houses of a test file share, to save time. Each house begins empty, when the
   * mails of the earlier house have arrived.
   */
  static async host(t: Test): Promise<(rules?: Rules) => Promise<PeopleHouse>> {
    const sql = connect(await freshDatabase({ teardown: () => undefined }), { max: 8, name: 'test' });
    const sink = await EmailSink.open(t);
    const transport = smtpTransport(sink.url, 'dealer@poker.example');
    const sender = new EmailSender({ sql, leadership, transport, log: silent, pollMs: 20 });
    sender.start();
    t.teardown(async () => {
      await sender.stop();
      await sql.end();
      await stopCluster();
    });
    return async (rules = {}) => {
      const house = new PeopleHouse(sql, sink, sender);
      await house.mailsAreSent();
      await sql`truncate agents, pools, mail_outbox, audit_log, idempotency_keys cascade`;
      sink.received.length = 0;
      house.organizer = await house.agent();
      house.competitionId = await addCompetition(sql, house.organizer, rules);
      return house;
    };
  }

  async mailsAreSent(): Promise<void> {
    const waiting = () => this.sql`select from mail_outbox where status = 'waiting'`;
    await eventually('mails to be sent', async () => (await waiting()).length === 0);
  }

  async agent({ email = '', verified = true } = {}): Promise<string> {
    const agentId = randomUUID();
    const name = `bot_${++this.#agents}`;
    await this.sql`
      insert into agents (agent_id, email, name, key_hash, email_verified_at, terms_accepted_at)
      values (${agentId}, ${email || `${name}@example.org`}, ${name}, sha256(${agentId}::bytea),
        case when ${verified}::boolean then now() end, now())`;
    return agentId;
  }

  async agents(count: number): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.agent()));
  }

  /** Sends a request about the competition, as the organizer or as `agentId`. */
  about(id: string, { agentId = this.organizer, params = {}, ...more }: Parameters<Ask>[1] = {}): Promise<RestAnswer> {
    return this.ask(id, { agentId, params: { competition_id: this.competitionId, ...params }, ...more });
  }

  invite(...emails: string[]): Promise<RestAnswer> {
    return this.about('invitePeople', { body: { emails } });
  }

  /** The token of the nth mail to an address. */
  async token(email: string, nth = 1): Promise<string> {
    const mails = await this.sink.mailsTo(email, nth);
    return /X-Competition-Invite-Token: ([\w-]+)/.exec(mails[nth - 1]!.text)![1]!;
  }

  async link(maxUses: number, more: object = {}): Promise<{ link_id: string; token: string; url: string }> {
    this.now++;
    const { status, body } = await this.about('createInviteLink', { body: { max_uses: maxUses, ...more } });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body as { link_id: string; token: string; url: string };
  }

  accept(agentId: string, token: string, more: { name?: string; key?: string } = {}): Promise<RestAnswer> {
    const headers = { ...withToken(token), ...(more.key === undefined ? {} : { 'idempotency-key': more.key }) };
    return this.ask('acceptInvite', { agentId, headers, body: { display_name: more.name ?? null } });
  }

  /** A new participant. */
  async participant(): Promise<string> {
    const agentId = await this.agent();
    const told = await this.accept(agentId, (await this.link(1)).token, { name: `The ${++this.#agents}th` });
    if (told.status !== 200) throw new Error(JSON.stringify(told.body));
    return agentId;
  }

  async enter(state: string): Promise<void> {
    await this.sql`update competitions set state = ${state} where competition_id = ${this.competitionId}`;
  }

  /** Entry and ledger of an agent. */
  async chips(agentId: string) {
    const { sql, competitionId } = this;
    const entries = await sql`
      select chip_balance, rebuys from entries where pool_id = ${competitionId} and agent_id = ${agentId}`;
    const ledger = await sql`
      select type, amount, balance_after from chip_ledger where pool_id = ${competitionId} and agent_id = ${agentId}`;
    return { entries: [...entries], ledger: [...ledger] };
  }

  async count(state: string): Promise<number> {
    const rows = await this.sql`
      select from competition_participants where competition_id = ${this.competitionId} and state = ${state}`;
    return rows.length;
  }
}

export const withToken = (token: string) => ({ 'x-competition-invite-token': token });
export const refused = (status: number, detail: string | RegExp) => ({ status, body: { detail } });
export const statuses = (answers: readonly RestAnswer[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((s) => [
      s,
      answers.filter(({ status }) => status === s).length,
    ]),
  );
