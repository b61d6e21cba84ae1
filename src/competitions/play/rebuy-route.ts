import type { LobbyControl } from '../../lobby/index.js';
import { Detail, HttpError, notFrom, participantIs } from '../../protocol/rest/errors.js';
import { defineRoute, type Route } from '../../protocol/route.js';
import { rebuyRefusal, type Rebuys } from '../../rebuys/index.js';
import type { Database } from '../../store/database.js';
import { findCompetition } from '../guard.js';
import { isPlaying } from '../states.js';
import { rebuyInCompetition } from '../../protocol/rest/competition-people/participants.js';

export interface RebuyRouteOptions {
  sql: Database;
  rebuys: Pick<Rebuys, 'request'>;
  lobby: Pick<LobbyControl, 'notify'>;
}

/** A rebuy by REST: what the season's is, by the rules of the competition. */
export function rebuyRoute({ sql, rebuys, lobby }: RebuyRouteOptions): Route {
  return defineRoute(rebuyInCompetition)(async ({ agent: { agentId }, params: { competition_id: competitionId } }) => {
    const record = await findCompetition(sql, { competitionId, agentId, allow: 'participant' });
    const { participation, state, rebuys_enabled: enabled, rebuy_cooldown_seconds: cooldown } = record;
    if (participation === null) throw new HttpError(404, Detail.participantNotFound);
    if (participation !== 'enrolled') throw new HttpError(409, participantIs('rebuy', participation));
    if (!isPlaying(state)) throw new HttpError(409, notFrom('rebuy', state));
    if (!enabled) throw new HttpError(400, Detail.noRebuysHere);
    const result = await rebuys.request(competitionId, agentId);
    if (result.kind !== 'granted') {
      throw rebuyRefusal(result, {
        // It ended, or began to be played, while we looked.
        not_open: () => new HttpError(409, notFrom('rebuy', state)),
        not_registered: () => new HttpError(404, Detail.participantNotFound),
      });
    }
    // The bot's own socket may be waiting for exactly this.
    lobby.notify(agentId, result.message, competitionId);
    const { chip_balance: balance, rebuys: used } = result.standing;
    return { status: 200, body: { chip_balance: balance, rebuys: used, cooldown_seconds: cooldown } };
  });
}
