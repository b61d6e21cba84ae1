import { plural } from '../texts.js';

/** The English texts of the opponents of a bot. */
export const opponentTexts = {
  title: 'Opponents',
  lead: (hands: number) =>
    `Whom your bot met in its last ${plural(hands, 'hand')} of this season, and how they play, as far as it was at the table with them.`,
  none: 'Your bot has met nobody this season. Whoever it plays a hand with stands here at once.',
  newest: 'Newest hands',
  spans: [100, 1000, 5000],
  list: 'Opponents',
  house: 'house',
  few: 'Fewer than 100 hands together: take the figures for chance.',
  heads: {
    bot: ['Bot', ''],
    hands: ['Hands', 'Hands that both were dealt into'],
    net: ['Net', 'Chips that your bot won in hands together, from whomever'],
    rate: ['bb/100', 'The same in big blinds per 100 hands, with its 95 % interval'],
    from: ['From it', 'Of these chips those that came from this opponent'],
    vpip: ['VPIP', 'Puts chips into the pot of its own will before the flop'],
    pfr: ['PFR', 'Raises before the flop'],
    threeBet: ['3-bet', 'Raises a raise before the flop'],
    foldToThreeBet: ['F3B', 'Folds when its raise before the flop is raised'],
    cbet: ['C-bet', 'Bets the flop after having raised last before it'],
    aggression: ['AF', 'Bets and raises after the flop for each call'],
    wtsd: ['WTSD', 'Goes to the showdown, once it has seen the flop'],
    wsd: ['W$SD', 'Wins something at its showdowns'],
  },
} as const;
