import type { CompetitionBody } from './competition-house.js';
import type { Account, TestPlatform } from './platform.js';
import { Player } from './player.js';
import type { Scene } from './scene.js';

type StepPath = 'open-enrollment' | 'start' | 'pause' | 'resume' | 'end';

/** A competition of a test's own, organized through the API. */
export class Cup {
  private constructor(
    readonly platform: TestPlatform,
    readonly id: string,
    private readonly organizer: Account,
  ) {}

  /** An enrolling competition. Rules are as in the body of POST /api/competitions. */
  static async open(platform: TestPlatform, rules: Record<string, unknown> = {}): Promise<Cup> {
    const organizer = await platform.register('organizer');
    const body = { name: 'Autumn Cup', ends_at: new Date(Date.now() + 3_600_000).toISOString(), ...rules };
    const { status, body: made } = await platform.api('POST', '/api/competitions', { key: organizer.key, body });
    if (status !== 201) throw new Error(`no competition: ${status} ${JSON.stringify(made)}`);
    const cup = new Cup(platform, (made as { competition_id: string }).competition_id, organizer);
    await cup.step('open-enrollment');
    return cup;
  }

  /** Takes the step; resolves to the record after it. */
  async step(path: StepPath): Promise<CompetitionBody> {
    const { key } = this.organizer;
    const { status, body } = await this.platform.api('POST', `/api/competitions/${this.id}/${path}`, { key });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body as CompetitionBody;
  }

  /** Makes an agent a participant with its starting chips, as an acceptance does. */
  async enroll({ agentId }: Account, displayName: string | null = null): Promise<void> {
    const { sql } = this.platform;
    await sql!`
      with p as (
        insert into competition_participants (competition_id, agent_id, display_name)
        values (${this.id}, ${agentId}, ${displayName}) returning competition_id, agent_id
      ), e as (
        insert into entries (pool_id, agent_id, chip_balance)
        select competition_id, agent_id, starting_chips from p join competitions using (competition_id) returning *
      )
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
      select pool_id, agent_id, 'grant', chip_balance, chip_balance from e`;
  }

  /** A new participant with an open socket, after its greeting. */
  async player(scene: Scene, name: string, displayName: string | null = null): Promise<Player> {
    const account = await this.platform.register(name);
    await this.enroll(account, displayName);
    return this.connect(scene, account);
  }

  /** A socket of an agent for this competition, after its greeting. `auto` plays from the first turn on. */
  async connect(scene: Scene, account: Account, auto: Player['auto'] = null): Promise<Player> {
    const prepare = (player: Player) => {
      player.auto = auto;
    };
    const player = await Player.open(this.platform, account, { competitionId: this.id, prepare });
    scene.players.push(player);
    await player.next('connected');
    return player;
  }

  /** The error code and the close code of a refused socket. */
  async refused(account: Account, competitionId: string | null = this.id): Promise<[code: string, close: number]> {
    const player = await Player.open(this.platform, account, { competitionId });
    const { code } = await player.next('error');
    return [code, (await player.closed).code];
  }

  async state(): Promise<string> {
    const [row] = await this.platform.sql!<{ state: string }[]>`
      select state from competitions where competition_id = ${this.id}`;
    return row!.state;
  }

  async entry({ agentId }: Account): Promise<{ balance: number; at_table: number; rebuys: number; due: Date | null }> {
    const [row] = await this.platform.sql!<{ balance: number; at_table: number; rebuys: number; due: Date | null }[]>`
      select chip_balance as balance, chips_at_table as at_table, rebuys, rebuy_due_at as due from entries
      where pool_id = ${this.id} and agent_id = ${agentId}`;
    return row!;
  }
}
