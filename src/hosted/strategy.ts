import { STYLES, type Style } from '../bots/index.js';
import { HttpError } from '../protocol/rest/errors.js';
import type { BotStrategy } from '../protocol/rest/hosted.js';

/** The strategy if none was saved. */
export const STANDARD: BotStrategy = { template: 'gto_lite' };

/** How a bot plays, as its thread gets it. */
export interface BotPlan {
  style: Style;
  autoRebuy: boolean;
}

/** A strategy with nothing left out, as REST shows it. */
export function effectiveStrategy(strategy: BotStrategy) {
  const style = STYLES[strategy.template];
  const vpip = strategy.vpip ?? style.vpip;
  return {
    template: strategy.template,
    vpip,
    // Nobody raises with hands that it does not play.
    pfr: Math.min(vpip, strategy.pfr ?? style.pfr),
    three_bet: strategy.three_bet ?? style.threeBet,
    aggression: strategy.aggression ?? style.aggression,
    bluff: strategy.bluff ?? style.bluff,
    call_down: strategy.call_down ?? style.callDown,
    balance: strategy.balance ?? style.balance,
    tilt: strategy.tilt ?? style.tilt,
    auto_rebuy: strategy.auto_rebuy ?? true,
  };
}

export function planOf(strategy: BotStrategy): BotPlan {
  const { vpip, pfr, aggression, bluff, balance, tilt, ...rest } = effectiveStrategy(strategy);
  const style = { vpip, pfr, aggression, bluff, balance, tilt, threeBet: rest.three_bet, callDown: rest.call_down };
  return { style, autoRebuy: rest.auto_rebuy };
}

/** A rule beyond the schema: throws HttpError 422 for a pfr above its vpip. */
export function checkStrategy({ vpip, pfr }: BotStrategy, ...path: string[]): void {
  if (vpip === undefined || pfr === undefined || pfr <= vpip) return;
  const loc = ['body', ...path, 'pfr'];
  throw new HttpError(422, [{ loc, msg: 'Should not be above vpip', type: 'value_error' }]);
}
