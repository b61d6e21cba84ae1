import { seconds, spread } from '../figures.js';
import type { Incident } from './campaign.js';

export function describeIncident({ what, lastedMs, playMs, voided, ended, starved }: Incident): string {
  const took = `${what} (${seconds(lastedMs)}): every table has played after ${seconds(playMs)}`;
  const silent = starved > 0 ? `, ${starved} silent shards given up` : '';
  return `${took}, ${voided} hands void, ${ended} nodes ended by others${silent}`;
}

/** By kind of trouble: from its end on where it lasts; a kill is over at once. */
export function recoveries(incidents: readonly Incident[]): string[] {
  const again = (who: string, isLeader: boolean) => {
    const kills = incidents.filter(({ group, what }) => group === 'kill' && what.includes('leader') === isLeader);
    const times = kills.flatMap(({ againMs }) => againMs);
    return kills.length === 0 ? [] : [spread(`tables of ${who} that is killed play again`, times)];
  };
  const groups = [...new Set(incidents.map(({ group }) => group))];
  const wholes = groups.map((group) => {
    const of = incidents.filter((incident) => incident.group === group);
    const times = of.map(({ playMs, lastedMs }) => Math.max(0, playMs - (group === 'kill' ? 0 : lastedMs)));
    return spread(`${group}: every table has played again`, times);
  });
  return [...wholes, ...again('a leader', true), ...again('another node', false)];
}
